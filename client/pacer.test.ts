// Test: the pacer spreads requests by the service's limit headers, so that none is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock, settle } from '../test/harness/manual-clock.ts';
import { OWN_PEER } from '../test/harness/peer.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../test/harness/sandbox.ts';
import { type Client, createClient } from './client.ts';
import { createPacer, LONGEST_WAIT_MS } from './pacer.ts';

const MINUTE = 60_000;
const headers = (given: Record<string, string>): Headers => new Headers(given);

describe('the pacer', () => {
  test('a service that says nothing is asked at once, always', () => {
    const pacer = createPacer(createManualClock());
    for (let call = 0; call < 500; call += 1) {
      expect(pacer.take('/snapshot')).toBe(0);
      pacer.answered('/snapshot', 200, headers({}));
    }
  });

  test.each([
    ['seconds', '20'],
    ['epoch seconds', String(Date.parse('2026-03-02T14:30:20.000Z') / 1_000)],
    ['epoch milliseconds', String(Date.parse('2026-03-02T14:30:20.000Z'))],
  ])('after the last call of a window it holds until the reset, in %s', async (_, reset) => {
    const clock = createManualClock();
    const pacer = createPacer(clock);
    pacer.take('/alerts');
    pacer.answered('/alerts', 200, headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }));
    expect([pacer.take('/alerts'), pacer.free('/alerts'), pacer.take('/history')]).toEqual([null, 20_000, 0]);
    await clock.advance(20_000 - LONGEST_WAIT_MS);
    expect(pacer.take('/alerts')).toBe(LONGEST_WAIT_MS);
  });

  test('every caller waits for the reset, not the first alone; after it, calls are sent at once', async () => {
    const clock = createManualClock();
    const pacer = createPacer(clock);
    pacer.take('/alerts');
    pacer.answered('/alerts', 200, headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2' }));
    expect([pacer.take('/alerts'), pacer.take('/alerts')]).toEqual([2_000, 2_000]);
    await clock.advance(500);
    expect([pacer.take('/alerts'), pacer.free('/alerts')]).toEqual([1_500, 1_500]);
    await clock.advance(1_500);
    expect([pacer.take('/alerts'), pacer.take('/alerts')]).toEqual([0, 0]);
  });

  test('an answer that arrives meanwhile releases nobody before the reset', () => {
    const pacer = createPacer(createManualClock());
    const said = headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2' });
    expect([pacer.take('/alerts'), pacer.take('/alerts')]).toEqual([0, 0]);
    pacer.answered('/alerts', 200, headers({ 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2' }));
    expect(pacer.take('/alerts')).toBe(2_000);
    pacer.answered('/alerts', 200, said);
    expect(pacer.take('/alerts')).toBe(2_000);
    pacer.failed('/alerts');
    expect(pacer.take('/alerts')).toBe(2_000);
  });

  test.each([
    ['RateLimit-Policy', { ratelimit: '"endpoint";r=0;t=2', 'ratelimit-policy': '"endpoint";q=3;w=60' }],
    ['X-RateLimit-Limit', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2', 'x-ratelimit-limit': '3' }],
  ])('no more callers wait for a window than it takes calls, as %s says', async (_, said) => {
    const clock = createManualClock();
    const pacer = createPacer(clock);
    pacer.take('/alerts');
    pacer.answered('/alerts', 200, headers(said));
    const takes = [1, 2, 3, 4].map(() => pacer.take('/alerts'));
    expect(takes).toEqual([2_000, 2_000, 2_000, null]);
    expect(pacer.free('/alerts')).toBe(62_000);
    await clock.advance(2_000);
    expect(pacer.free('/alerts')).toBe(0);
  });

  test('requests under way count against what is left', () => {
    const pacer = createPacer(createManualClock());
    const said = headers({ 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': '30' });
    expect([pacer.take('/alerts'), pacer.take('/alerts')]).toEqual([0, 0]);
    pacer.answered('/alerts', 200, said);
    expect([pacer.take('/alerts'), pacer.take('/alerts')]).toEqual([0, null]);
  });

  test('a bucket that all endpoints share gives one place after the other', () => {
    const pacer = createPacer(createManualClock());
    pacer.take('/alerts');
    pacer.answered(
      '/alerts',
      200,
      headers({
        ratelimit: '"endpoint";r=50;t=30, "plan";r=1;t=4',
        'ratelimit-policy': '"endpoint";q=60;w=60, "plan";q=60;w=60;burst=5',
      }),
    );
    expect(['/a', '/b', '/c', '/d'].map(pacer.take)).toEqual([0, 1_000, 2_000, null]);
  });

  test('Retry-After of a 429 holds its endpoint; that of a month is left to the caller', async () => {
    const clock = createManualClock();
    const pacer = createPacer(clock);
    pacer.take('/alerts');
    pacer.answered('/alerts', 429, headers({ 'retry-after': '7' }));
    expect(pacer.free('/alerts')).toBe(7_000);
    await clock.advance(7_000);
    expect(pacer.take('/alerts')).toBe(0);
    pacer.answered('/alerts', 429, headers({ 'retry-after': '600000', 'x-ratelimit-remaining': '0' }));
    expect(pacer.free('/alerts')).toBe(0);
  });

  test('headers of limits that refuse nothing hold nothing', () => {
    const pacer = createPacer(createManualClock());
    pacer.take('/alerts');
    const policy = '"endpoint";q=100;w=60;enforced=0';
    pacer.answered('/alerts', 200, headers({ ratelimit: '"endpoint";r=0;t=30', 'ratelimit-policy': policy }));
    expect(pacer.take('/alerts')).toBe(0);
  });
});

describe('a service with the scenario throttle', () => {
  let sandbox: Sandbox;
  let client: Client;
  let clock: ManualClock;
  const statuses: number[] = [];
  beforeAll(async () => {
    sandbox = await startSandbox({ plans: { throttled: true } });
    clock = sandbox.clock;
    client = createClient({
      base: new URL('http://127.0.0.1:8787'),
      key: SANDBOX_KEY,
      mode: 'api-key',
      peer: OWN_PEER,
      clock,
      fetch: async (address) => {
        const { pathname, search } = new URL(address);
        const answer = await sandbox.get(pathname + search);
        if (pathname !== '/proof') statuses.push(answer.status);
        return new Response(answer.text, { status: answer.status, headers: answer.headers });
      },
    });
  });
  afterAll(() => sandbox.service.close());

  test('five minutes of polling four endpoints: many answers, and no 429', async () => {
    const pending: Promise<unknown>[] = [];
    const held: string[] = [];
    for (let second = 0; second < 300; second += 1) {
      for (const [name, every] of [
        ['snapshot', 2],
        ['alerts', 3],
        ['marketNews', 5],
        ['alertTransitions', 7],
      ] as const)
        if (second % every === 0)
          pending.push(
            client.page(name, { query: {} }).then((answer) => {
              if (!answer.ok) held.push(answer.error.kind);
            }),
          );
      await clock.advance(1_000);
    }
    await clock.advance(MINUTE);
    await settle();
    await Promise.all(pending);
    expect(statuses.filter((status) => status === 429)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(150);
    expect(new Set(held)).toEqual(new Set(['rate_limited']));
  });
});
