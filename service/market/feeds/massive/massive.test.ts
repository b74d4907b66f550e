// Service, test: Massive's closes, splits and checks, against a vendor that answers as it does.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSession, sessionOn } from '../../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS } from '../../../../shared/lib/time.ts';
import { type FakeMassive, MASSIVE_KEY, startFakeMassive } from '../../../../test/harness/fake-massive.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import { directOutbound } from '../../../network/outbound.ts';
import { openVendor } from '../account.ts';
import type { FeedBar, PriceFeed } from '../price-feed.ts';
import { massive } from './massive.ts';

/** Thursday, 05:00 in New York: Wednesday is over. */
const NOW = Date.parse('2026-03-05T10:00:00Z');
const signal = new AbortController().signal;

let fake: FakeMassive;
let clock: ManualClock;
beforeEach(async () => {
  fake = await startFakeMassive(NOW);
  clock = createManualClock(NOW);
  for (let at = Date.parse('2021-01-04'); dateOf(at) <= '2026-03-04'; at += DAY_MS)
    if (isSession('us', dateOf(at)))
      fake.days.set(
        dateOf(at),
        new Map([
          ['SPY', 100],
          ['BRK.B', 400],
        ]),
      );
});
afterEach(() => fake.close());

const feed = (key: string | null = MASSIVE_KEY): PriceFeed =>
  openVendor(
    { ...massive, perMinute: 100_000 },
    { clock, hosts: { rest: fake.url }, key: () => key, outbound: directOutbound },
  ).feed;
async function bars(from: PriceFeed, symbols: string[], start: string): Promise<FeedBar[]> {
  const all: FeedBar[] = [];
  const request = { symbols, step: 'day', from: Date.parse(start), to: NOW, priority: 'history' } as const;
  for await (const page of from.bars(request, signal)) all.push(...page);
  return all;
}
const datesOf = (rows: readonly FeedBar[]): string[] => rows.map(({ symbol, date }) => `${symbol} ${date}`);

it('few days of many symbols take one call per day, which is cached', async () => {
  const one = feed();
  const read = await bars(one, ['SPY', 'BRK-B'], '2026-03-03');
  expect(datesOf(read)).toEqual(['SPY 2026-03-03', 'BRK-B 2026-03-03', 'SPY 2026-03-04', 'BRK-B 2026-03-04']);
  const { open: start, close: end } = sessionOn('us', '2026-03-03');
  expect(read[0]).toEqual({
    symbol: 'SPY',
    step: 'day',
    date: '2026-03-03',
    start,
    end,
    isClosed: true,
    open: 100,
    high: 101,
    low: 99,
    close: 100,
    volume: 1_000,
  });
  await bars(one, ['SPY', 'BRK-B'], '2026-03-03');
  expect(fake.requests).toHaveLength(2);
  await clock.advance(7 * HOUR_MS);
  await bars(one, ['SPY', 'BRK-B'], '2026-03-03');
  expect(fake.requests).toHaveLength(4);
  expect(fake.requests.every((url) => url.includes('adjusted=false'))).toBe(true);
});

it('many days of a symbol take one call, page by page', async () => {
  fake.pageSize = 500;
  const read = await bars(feed(), ['BRK-B'], '2021-03-05');
  expect(read.map(({ date }) => date)).toEqual([...fake.days.keys()].filter((date) => date >= '2021-03-05'));
  expect(fake.requests).toHaveLength(3);
  expect(fake.requests[0]).toContain('/ticker/BRK.B/range/1/day/2021-03-05/');
});

it('a plan of two years gives two years, and is detected once', async () => {
  fake.planFrom = '2024-03-05';
  const one = feed();
  const read = await bars(one, ['SPY'], '2021-03-05');
  expect(read.length).toBeGreaterThan(490);
  expect((read[0]?.date ?? '') >= '2024-03-05').toBe(true);
  await bars(one, ['BRK-B'], '2021-03-05');
  expect(fake.requests).toHaveLength(3);
});

it('a plan without history gives no bars, after two requests', async () => {
  fake.planFrom = '2026-03-04';
  const one = feed();
  // The clock advances with each call.
  const running = { now: () => clock.now() + 10 * fake.requests.length };
  const moving = openVendor(
    { ...massive, perMinute: 100_000 },
    { clock: { ...clock, ...running }, hosts: { rest: fake.url }, key: () => MASSIVE_KEY, outbound: directOutbound },
  ).feed;
  expect(await bars(one, ['SPY'], '2021-03-05')).toEqual([]);
  const before = fake.requests.length;
  expect(await bars(moving, ['SPY'], '2021-03-05')).toEqual([]);
  expect(fake.requests.length - before).toBe(2);
});

it("today's close comes hours later, and not before the plan has it", async () => {
  clock = createManualClock(Date.parse('2026-03-04T23:00:00Z'));
  expect(datesOf(await bars(feed(), ['SPY', 'BRK-B', 'A'], '2026-03-04'))).toEqual([]);
  expect(fake.requests).toEqual([]);
  fake.now = Date.parse('2026-03-05T03:00:00Z');
  clock = createManualClock(fake.now);
  const request = {
    symbols: ['SPY', 'A'],
    step: 'day',
    from: Date.parse('2026-03-04'),
    to: fake.now,
    priority: 'live',
  } as const;
  for await (const page of feed().bars(request, signal)) expect(page).toEqual([]);
  expect(fake.requests).toHaveLength(1);
});

it('splits of the followed symbols, under the requested names', async () => {
  fake.splits.push({ ticker: 'BRK.B', execution_date: '2026-03-02', split_from: 1, split_to: 50 });
  fake.splits.push({ ticker: 'OTHER', execution_date: '2026-03-02', split_from: 10, split_to: 1 });
  // An invalid row must not hide the others.
  fake.splits.push({ ticker: 'SPY', execution_date: '2026-03-02', split_from: 0, split_to: 1 });
  const found = await feed().actions?.({ symbols: ['SPY', 'BRK-B'], from: '2026-02-01', to: '2026-03-12' }, signal);
  expect(found).toEqual([{ kind: 'split', symbol: 'BRK-B', date: '2026-03-02', factor: 1 / 50, note: '50:1' }]);
});

it('dividends in dollars of the followed symbols, page by page', async () => {
  const paid = { ex_dividend_date: '2026-03-02', currency: 'USD' };
  fake.dividends.push(
    { ...paid, ticker: 'BRK.B', cash_amount: 0.5 },
    // A regular and a special dividend add up.
    { ...paid, ticker: 'SPY', cash_amount: 1.25 },
    { ...paid, ticker: 'SPY', cash_amount: 2 },
    { ...paid, ticker: 'OTHER', cash_amount: 1 },
    // An invalid row must not hide the others.
    { ...paid, ticker: 'SPY', cash_amount: 3, currency: 'EUR' },
    { ...paid, ticker: 'SPY', cash_amount: 0 },
  );
  fake.pageSize = 2;
  const found = await feed().actions?.({ symbols: ['SPY', 'BRK-B'], from: '2026-02-01', to: '2026-03-12' }, signal);
  const dividend = { kind: 'dividend', date: '2026-03-02', factor: null, note: null };
  expect(found).toEqual([
    { ...dividend, symbol: 'BRK-B', amount: 0.5 },
    { ...dividend, symbol: 'SPY', amount: 1.25 },
    { ...dividend, symbol: 'SPY', amount: 2 },
  ]);
  expect(fake.requests.slice(1).every((url) => url.includes('ticker.any_of=SPY%2CBRK.B'))).toBe(true);
});

it("splits of the plan's years, if it refuses earlier ones", async () => {
  fake.splits.push({ ticker: 'SPY', execution_date: '2026-03-02', split_from: 1, split_to: 50 });
  fake.faults.push({ status: 403 });
  const range = { symbols: ['SPY'], from: '2021-02-23', to: '2026-03-12' };
  const one = feed();
  expect(await one.actions?.(range, signal)).toMatchObject([{ symbol: 'SPY', date: '2026-03-02' }]);
  expect(fake.requests[1]).toContain('execution_date.gte=2024-03-10');
  fake.faults.push({ status: 403 }, { status: 403 });
  await expect(one.actions?.(range, signal)).rejects.toMatchObject({ kind: 'fatal' });
});

describe('check', () => {
  it('measures the clock; symbols that did not trade on the newest day are refused', async () => {
    fake.now = NOW + 4_000;
    expect(await feed().check(signal)).toMatchObject({ clockSkewMs: 4_000 });
    const listed = await feed().listings(['SPY', 'GONE', 'VIX', 'BTC'], signal);
    expect(listed.map((one) => ('reason' in one ? one.reason.slice(0, 40) : one.symbol))).toEqual([
      'SPY',
      'Massive has no price of GONE on 2026-03-',
      expect.stringContaining('shares and funds'),
      expect.stringContaining('shares and funds'),
    ]);
  });

  it.each([null, 'wrongkey00001', 'a b'])(
    'a key that is none, wrong, or of another form (%s) is not repeated',
    async (key) => {
      const error = await feed(key)
        .check(signal)
        .catch((found: unknown) => found);
      expect(error).toMatchObject({ kind: 'fatal', message: expect.stringContaining('BAROGRAPH_FEED_KEY') });
      if (key !== null) expect(String(error)).not.toContain(key);
    },
  );

  it('a web page and an unknown form are transient errors', async () => {
    fake.faults.push({ status: 200, type: 'text/html', body: '<html>' }, { status: 200, body: '{"serverTime":7}' });
    await expect(feed().check(signal)).rejects.toMatchObject({ kind: 'retry' });
    await expect(feed().check(signal)).rejects.toMatchObject({ kind: 'retry' });
  });
});
