// Service, test: Alpaca's stream: signing in, forwarded messages, and the errors of its ends.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../../shared/lib/time.ts';
import { FAKE_KEY, type FakeAlpaca, lettersOf, startFakeAlpaca } from '../../../../test/harness/fake-alpaca.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import { directOutbound } from '../../../network/outbound.ts';
import type { TapeAction } from '../../tape/tape-action.ts';
import { openVendor } from '../account.ts';
import type { FeedBar } from '../price-feed.ts';
import { alpaca } from './alpaca.ts';
import { streamError } from './stream.ts';

const OPEN = Date.parse('2026-03-04T14:30:00Z');
const KEY = `${FAKE_KEY.id}:${FAKE_KEY.secret}`;

let fake: FakeAlpaca;
let clock: ManualClock;
const ends: AbortController[] = [];
beforeEach(async () => {
  fake = await startFakeAlpaca(OPEN + 10 * MINUTE_MS);
  clock = createManualClock(fake.now);
});
afterEach(async () => {
  for (const end of ends.splice(0)) end.abort(new Error('the test ended'));
  await fake.close();
});

function start(symbols: string[], key = KEY) {
  const bars: FeedBar[] = [];
  const statuses: TapeAction[] = [];
  const end = new AbortController();
  ends.push(end);
  const hosts = { rest: fake.url, trading: fake.url, stream: fake.streamUrl };
  const feed = openVendor(
    { ...alpaca, perMinute: 100_000 },
    { clock, hosts, key: () => key, outbound: directOutbound },
  ).feed;
  const sink = { bar: (bar: FeedBar) => void bars.push(bar), status: (one: TapeAction) => void statuses.push(one) };
  const ended: Promise<unknown> =
    feed.live?.(symbols, sink, end.signal).catch((error: unknown) => error) ?? Promise.resolve();
  return { bars, statuses, end, ended };
}
const isSubscribed = (): boolean => fake.sent.some((one) => (one as { action: string }).action === 'subscribe');
const subscribed = () => vi.waitUntil(isSubscribed, { timeout: 30_000, interval: 5 });
const minute = (T: 'b' | 'u', S: string, n: number, close: number) => ({
  T,
  S,
  t: new Date(OPEN + n * MINUTE_MS).toISOString(),
  ...lettersOf({ at: 0, open: close, high: close, low: close, close, volume: 3 }),
});

it('signs in, subscribes, and forwards minutes of the session, their corrections, and halts', async () => {
  const { bars, statuses } = start(['SPY', 'BRK-B']);
  await subscribed();
  expect(fake.sent).toEqual([
    { action: 'auth' },
    { action: 'subscribe', bars: ['SPY', 'BRK.B'], updatedBars: ['SPY', 'BRK.B'], statuses: ['SPY', 'BRK.B'] },
  ]);
  const status = (S: string, z: string, sc: string, sm: string, rm = '') => ({
    T: 's',
    S,
    z,
    sc,
    sm,
    rc: '',
    rm,
    t: new Date(OPEN).toISOString(),
  });
  fake.broadcast(
    minute('b', 'SPY', 1, 50),
    minute('b', 'SPY', 1, 50),
    minute('b', 'BRK.B', 1, 400),
    minute('b', 'SPY', -1, 49),
  );
  fake.broadcast(
    { T: 'l', S: 'SPY', u: 1, d: 1 },
    status('SPY', 'B', '2', 'Trading Halt', 'News pending'),
    status('SPY', 'B', '3', 'Resume'),
  );
  fake.broadcast(
    status('BRK.B', 'C', 'Q', 'Quotation Resumption'),
    status('BRK.B', 'C', 'T', 'Trading Resumption'),
    minute('u', 'SPY', 1, 51),
  );
  await vi.waitUntil(() => bars.length === 4, { timeout: 30_000, interval: 5 });
  expect(bars.map(({ symbol, start, close }) => [symbol, (start - OPEN) / MINUTE_MS, close])).toEqual([
    ['SPY', 1, 50],
    ['SPY', 1, 50],
    ['BRK-B', 1, 400],
    ['SPY', 1, 51],
  ]);
  expect(bars.every(({ isClosed, volume, date }) => isClosed && volume === null && date === '2026-03-04')).toBe(true);
  expect(statuses.map(({ kind, symbol, date, note }) => [kind, symbol, date, note])).toEqual([
    ['halt', 'SPY', '2026-03-04', 'News pending (09:30 in New York)'],
    ['resume', 'SPY', '2026-03-04', 'Resume (09:30 in New York)'],
    ['resume', 'BRK-B', '2026-03-04', 'Trading Resumption (09:30 in New York)'],
  ]);
});

it('takes the stream of all exchanges if the plan has it', async () => {
  fake.account.plan = 'plus';
  const { bars } = start(['SPY']);
  await subscribed();
  fake.broadcast(minute('b', 'SPY', 1, 50));
  await vi.waitUntil(() => bars.length === 1, { timeout: 30_000, interval: 5 });
  expect(bars[0]?.volume).toBe(3);
});

it('polls the symbols that the stream of the free plan does not take', async () => {
  const symbols = [...Array(33).keys()].map((n) => `S${n}`);
  const at = fake.now;
  const bar = { at, open: 7, high: 7, low: 7, close: 7, volume: 1 };
  fake.bars.set('iex 1Min', new Map(symbols.map((symbol) => [symbol, [bar]])));
  const { bars } = start(symbols);
  await vi.waitUntil(() => fake.sent.length === 3, { timeout: 30_000, interval: 5 });
  expect((fake.sent[2] as { bars: string[] }).bars).toEqual(symbols.slice(0, 30));
  fake.faults.push({ status: 429 });
  fake.now += 130_000;
  await clock.advance(70_000);
  await vi.waitUntil(() => fake.faults.length === 0, { timeout: 30_000, interval: 5 });
  await clock.advance(60_000);
  await vi.waitUntil(() => bars.length === 3, { timeout: 30_000, interval: 5 });
  expect(bars.map(({ symbol, start, close }) => [symbol, start, close])).toEqual(
    symbols.slice(30).map((symbol) => [symbol, at, 7]),
  );
});

describe('the end of a stream', () => {
  it('the stream ends when the connection is cut, with an error to retry', async () => {
    const { ended } = start(['SPY']);
    await subscribed();
    fake.cut();
    expect(await ended).toMatchObject({ kind: 'retry', message: expect.stringContaining('was closed') });
  });

  it('the stream ends when the vendor no longer answers', async () => {
    const { ended } = start(['SPY']);
    await subscribed();
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    // An answer that was on its way counts from when it comes.
    while (!isOver) {
      clock.jump(60_000);
      await clock.advance(15_000);
    }
    expect(await ended).toMatchObject({ kind: 'retry', message: expect.stringContaining('was silent for 45 s') });
  });

  it('the stream ends when the service stops, with its reason and no connection', async () => {
    const { ended, end } = start(['SPY']);
    await subscribed();
    end.abort(new Error('closing'));
    expect(await ended).toMatchObject({ message: 'closing' });
    await vi.waitUntil(() => fake.connections() === 0, { timeout: 30_000, interval: 5 });
  });

  it('the stream ends with a fatal error for a wrong key, which is not quoted', async () => {
    const { ended } = start(['SPY'], 'PKFAKEFAKEFAKE:anothersecret');
    const error = await ended;
    expect(error).toMatchObject({ kind: 'fatal', message: expect.stringContaining('Give KEY_ID:SECRET') });
    expect(JSON.stringify(error) + String(error)).not.toContain('anothersecret');
  });

  it('the stream ends with a wait of a minute if another program has the connection', async () => {
    start(['SPY']);
    await subscribed();
    const { ended } = start(['SPY']);
    expect(await ended).toMatchObject({
      kind: 'retry',
      retryAfterMs: MINUTE_MS,
      message: expect.stringContaining('stop that one'),
    });
  });

  it('the stream ends with a message in another form', async () => {
    const { ended } = start(['SPY']);
    await subscribed();
    fake.broadcast({ T: 'b', S: 'SPY' });
    expect(await ended).toMatchObject({ kind: 'retry', message: expect.stringContaining('unknown form') });
  });
});

it.each([
  [401, 'retry'],
  [402, 'fatal'],
  [404, 'retry'],
  [405, 'fatal'],
  [406, 'retry'],
  [407, 'retry'],
  [409, 'fatal'],
  [410, 'fatal'],
  [411, 'fatal'],
  [500, 'retry'],
] as const)('code %i: %s', (code, kind) => {
  expect(streamError(code, 'said')).toMatchObject({
    kind,
    message: expect.stringMatching(new RegExp(`${code} \\(said\\)\\.`)),
  });
});
