// Service, market feeds, test: the budget of an account.

import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { outboundOver } from '../../../test/harness/outbound.ts';
import { createAccount } from './account.ts';
import { FeedError, type Priority } from './price-feed.ts';

const vendor = { name: 'acme', perMinute: 60, cure: () => null };
const going = new AbortController().signal;
type Answer = Response | Error;

function rig(answer: () => Answer) {
  const clock = createManualClock(1_000_000);
  const calls: number[] = [];
  const account = createAccount({
    vendor,
    clock,
    outbound: outboundOver(async () => {
      calls.push(clock.now());
      const given = answer();
      if (given instanceof Error) throw given;
      return given;
    }),
  });
  const call = (priority: Priority = 'live', signal = going) =>
    account.fetch('https://acme.example/x', { signal, priority });
  return { clock, calls, call, account };
}

test('calls keep to the vendor’s limit, and history leaves some to live calls', async () => {
  const { clock, calls, call } = rig(() => new Response('1'));
  const done = Promise.all([...Array.from({ length: 10 }, () => call('history')), call('live'), call('live')]);
  await clock.advance(0);
  // Seven at once: history leaves two of them.
  expect(calls).toHaveLength(7);
  await clock.advance(60_000);
  await done;
  expect(calls).toHaveLength(12);
  // 42 calls a minute of the vendor's limit of 60.
  expect(clock.now() - (calls[0] ?? 0)).toBeGreaterThanOrEqual(60_000);
  expect((calls.at(-1) ?? 0) - (calls[0] ?? 0)).toBeGreaterThanOrEqual((5 / 42) * 60_000);
});

test('after a 429 no call starts before Retry-After, not even one already waiting', async () => {
  let refused = true;
  const { clock, calls, call } = rig(() =>
    refused ? new Response('', { status: 429, headers: { 'retry-after': '20' } }) : new Response('1'),
  );
  const error: unknown = await call().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'retry', retryAfterMs: 20_000 });
  refused = false;
  const next = call();
  await clock.advance(19_000);
  expect(calls).toHaveLength(1);
  await clock.advance(1_000);
  await next;
  expect(calls).toHaveLength(2);
});

test('during a long Retry-After calls fail at once, with the remaining time', async () => {
  const { clock, calls, call } = rig(() => new Response('', { status: 429, headers: { 'retry-after': '86400' } }));
  await call().catch(() => undefined);
  await clock.advance(3_600_000);
  let refused: unknown = null;
  void call().catch((error: unknown) => {
    refused = error;
  });
  await clock.advance(0);
  expect(refused).toMatchObject({
    ...{ kind: 'retry', retryAfterMs: 82_800_000 },
    message: 'acme asked for no calls before 1970-01-02T00:16Z.',
  });
  expect(calls).toHaveLength(1);
});

test('a clock set back does not prolong a silence', async () => {
  const { clock, calls, call, account } = rig(
    () => new Response('', { status: 429, headers: { 'retry-after': '20' } }),
  );
  await call().catch(() => undefined);
  clock.jump(-7_200_000);
  const next = call().catch(() => undefined);
  expect(account.budget().quietUntil).toBe(clock.now() + 20_000);
  await clock.advance(20_000);
  await next;
  expect(calls).toHaveLength(2);
});

test.each([
  [418, 'retry', /asks for fewer calls/],
  [451, 'fatal', /does not serve the place/],
  [403, 'fatal', /answered 403\. The key or the plan/],
  [500, 'retry', /acme \(https:\/\/acme\.example\) answered 500\.$/],
] as const)('status %i', async (status, kind, message) => {
  const { call } = rig(() => new Response('secret', { status }));
  const error = await call().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FeedError);
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
});

test('an unreachable host is retried; an abort ends a waiting call', async () => {
  const { call } = rig(() => new Error('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND acme.example') }));
  await expect(call()).rejects.toMatchObject({ kind: 'retry', message: expect.stringMatching(/ENOTFOUND/) });
  const quiet = rig(() => new Response('', { status: 429, headers: { 'retry-after': '9' } }));
  await quiet.call().catch(() => undefined);
  const ending = new AbortController();
  const waiting = quiet.call('live', ending.signal);
  ending.abort(new Error('closing'));
  await expect(waiting).rejects.toThrow('closing');
});

test('statuses that a vendor names are returned without a body, redirects included, which are not followed', async () => {
  const { clock } = rig(() => new Response());
  const sent: RequestInit[] = [];
  const account = createAccount({
    vendor,
    clock,
    outbound: outboundOver(async (_url, init) => {
      sent.push(init);
      return new Response('moved', { status: 302, headers: { location: 'https://other.example/' } });
    }),
  });
  const answer = await account.fetch('https://acme.example/x', {
    signal: going,
    priority: 'live',
    statuses: [302, 304],
  });
  expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
    302,
    'https://other.example/',
    '',
  ]);
  expect(sent).toMatchObject([{ redirect: 'manual' }]);
  await expect(account.fetch('https://acme.example/x', { signal: going, priority: 'live' })).rejects.toMatchObject({
    kind: 'retry',
    message: expect.stringMatching(/302/),
  });
});

test('a key with invalid characters is refused without a call, and not quoted', async () => {
  const { account, calls } = rig(() => new Response('1'));
  const headers = { authorization: 'Bearer my-secret\nkey' };
  const refused = await account
    .fetch('https://acme.example/x', { signal: going, priority: 'live', headers })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ kind: 'fatal', message: expect.stringMatching(/^The key of acme /) });
  expect(String(refused)).not.toContain('secret');
  expect(calls).toEqual([]);
});

test('an answer without an end is cut off', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(1024 * 1024));
    },
  });
  const { clock } = rig(() => new Response());
  const account = createAccount({ vendor, clock, outbound: outboundOver(async () => new Response(endless)) });
  const asked = account.fetch('https://acme.example/x', {
    signal: going,
    priority: 'live',
    mostBytes: 3 * 1024 * 1024,
  });
  await expect(asked).rejects.toMatchObject({ kind: 'retry', message: expect.stringMatching(/more than 3 MB/) });
  expect(sent).toBeLessThan(8);
});
