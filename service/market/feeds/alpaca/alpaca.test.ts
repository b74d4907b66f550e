// Service, test: Alpaca's bars, actions and checks, against a vendor that answers as it does.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instantIn, isSession, sessionOn } from '../../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../../shared/lib/time.ts';
import { FAKE_KEY, type FakeAlpaca, type FakeBar, startFakeAlpaca } from '../../../../test/harness/fake-alpaca.ts';
import { createManualClock } from '../../../../test/harness/manual-clock.ts';
import { directOutbound } from '../../../network/outbound.ts';
import { openTape } from '../../tape/tape.ts';
import { openVendor } from '../account.ts';
import type { FeedBar, FeedStep, PriceFeed } from '../price-feed.ts';
import { alpaca } from './alpaca.ts';

const at = (iso: string): number => Date.parse(iso);
/** Wednesday, 18:30 in New York. */
const NOW = at('2026-03-04T23:30:00Z');
const KEY = `${FAKE_KEY.id}:${FAKE_KEY.secret}`;

let fake: FakeAlpaca;
beforeEach(async () => {
  fake = await startFakeAlpaca(NOW);
});
afterEach(() => fake.close());

const signal = new AbortController().signal;

function feed({ key = KEY, now = NOW }: { key?: string | null; now?: number } = {}): PriceFeed {
  fake.now = now;
  const clock = createManualClock(now);
  const hosts = { rest: fake.url, trading: fake.url, stream: fake.streamUrl };
  return openVendor({ ...alpaca, perMinute: 100_000 }, { clock, hosts, key: () => key, outbound: directOutbound }).feed;
}

/** Start of a day in the vendor's answers. */
function midnight(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return instantIn('America/New_York', year, month, day, 0);
}
const bar = (start: number, close: number): FakeBar => ({
  at: start,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1_000,
});
const day = (date: string, close: number): FakeBar => bar(midnight(date), close);

async function bars(
  from: PriceFeed,
  symbols: string[],
  step: FeedStep,
  range: { from: number; to: number },
): Promise<FeedBar[]> {
  const all: FeedBar[] = [];
  for await (const page of from.bars({ symbols, step, priority: 'history', ...range }, signal)) all.push(...page);
  return all;
}
const all = { from: 0, to: NOW };

describe('closed days', () => {
  it('come page by page, each symbol in order, under the requested names', async () => {
    const dates = ['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'];
    fake.bars.set(
      'sip 1Day',
      new Map(['BRK.B', 'SPY'].map((name) => [name, dates.map((date, n) => day(date, 100 + n))])),
    );
    fake.account.pageSize = 3;
    const read = await bars(feed(), ['SPY', 'BRK-B'], 'day', all);
    expect(read.map(({ symbol, date, close }) => [symbol, date, close])).toEqual([
      ...dates.map((date, n) => ['BRK-B', date, 100 + n]),
      ...dates.map((date, n) => ['SPY', date, 100 + n]),
    ]);
    expect(read[0]).toEqual({
      symbol: 'BRK-B',
      step: 'day',
      date: '2026-02-26',
      start: at('2026-02-26T14:30:00Z'),
      end: at('2026-02-26T21:00:00Z'),
      isClosed: true,
      open: 100,
      high: 101,
      low: 99,
      close: 100,
      volume: 1_000,
    });
    expect(fake.requests).toHaveLength(3);
    expect(fake.requests[0]).toContain('adjustment=raw');
  });

  it.each([
    ['19 minutes after the close', '2026-03-04T21:19:00Z', ['2026-03-03']],
    ['20 minutes after the close', '2026-03-04T21:20:00Z', ['2026-03-03', '2026-03-04']],
    ['20 minutes after the close of a half day', '2026-11-27T18:20:00Z', ['2026-11-25', '2026-11-27']],
    ['and before that', '2026-11-27T18:19:00Z', ['2026-11-25']],
  ])('closed days are there %s, on the free plan too', async (_when, now, dates) => {
    fake.bars.set(
      'sip 1Day',
      new Map([['SPY', ['2026-03-03', '2026-03-04', '2026-11-25', '2026-11-27'].map((date) => day(date, 5))]]),
    );
    const from = at(now) - 2.5 * DAY_MS;
    const read = await bars(feed({ now: at(now) }), ['SPY'], 'day', { from, to: at(now) });
    expect(read.map(({ date }) => date)).toEqual(dates);
  });

  it.each([70_000, 600_000, -600_000])('closed days are there with a clock %i ms ahead', async (ahead) => {
    const days = new Map([['SPY', [day('2026-03-03', 5), day('2026-03-04', 6)]]]);
    fake.bars.set('sip 1Day', days);
    const now = at('2026-03-04T21:20:01Z');
    const shares = feed({ now: now + ahead });
    fake.now = now;
    await shares.check(signal);
    const read = await bars(shares, ['SPY'], 'day', { from: now - 2.5 * DAY_MS, to: now + DAY_MS });
    expect(read.map(({ date }) => date)).toEqual(['2026-03-03', '2026-03-04']);
  });

  it('have the date of New York, over changes of its clocks and half days', async () => {
    const first = at('2016-01-01');
    const dates = [...Array(3_650).keys()]
      .map((n) => dateOf(first + n * DAY_MS))
      .filter((date) => isSession('us', date));
    fake.bars.set('sip 1Day', new Map([['SPY', dates.map((date, n) => day(date, 10 + n))]]));
    const read = await bars(feed(), ['SPY'], 'day', all);
    expect(read.map(({ date }) => date)).toEqual(dates);
    for (const { date, start, end } of read)
      expect(end - start).toBe(sessionOn('us', date).close - sessionOn('us', date).open);
  });

  it('closed days without a price are left out, but not the rest of the page', async () => {
    const wrong = { ...day('2026-03-02', 5), low: 0 };
    const upside = { ...day('2026-03-03', 5), high: 3 };
    fake.bars.set('sip 1Day', new Map([['SPY', [day('2026-02-27', 5), wrong, upside]]]));
    expect((await bars(feed(), ['SPY'], 'day', all)).map(({ date }) => date)).toEqual(['2026-02-27']);
  });

  it('closed days of a range start in it', async () => {
    const dates = [...Array(400).keys()]
      .map((n) => dateOf(at('2025-01-01') + n * DAY_MS))
      .filter((date) => isSession('us', date));
    fake.bars.set('sip 1Day', new Map([['SPY', dates.map((date) => day(date, 7))]]));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 * 24 * 60 }),
        fc.integer({ min: 0, max: 400 * 24 * 60 }),
        async (a, b) => {
          const range = {
            from: at('2025-01-01') + Math.min(a, b) * MINUTE_MS,
            to: at('2025-01-01') + Math.max(a, b) * MINUTE_MS,
          };
          const within = dates.filter(
            (date) => sessionOn('us', date).open >= range.from && sessionOn('us', date).open < range.to,
          );
          expect((await bars(feed(), ['SPY'], 'day', range)).map(({ date }) => date)).toEqual(within);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('minutes', () => {
  it('are limited to the session, without the volume of IEX', async () => {
    const open = at('2026-03-04T14:30:00Z');
    const minutes = [-1, 0, 1, 389, 390, 500].map((n) => bar(open + n * MINUTE_MS, 50));
    fake.bars.set('iex 1Min', new Map([['SPY', minutes]]));
    const read = await bars(feed(), ['SPY'], 'minute', all);
    expect(read.map(({ start, volume, date }) => [(start - open) / MINUTE_MS, volume, date])).toEqual(
      [0, 1, 389].map((n) => [n, null, '2026-03-04']),
    );
    expect(read.every(({ isClosed, end, start }) => isClosed && end - start === MINUTE_MS)).toBe(true);
  });

  it('are of all exchanges, with their volume, if the plan has them', async () => {
    fake.account.plan = 'plus';
    fake.bars.set('sip 1Min', new Map([['SPY', [bar(at('2026-03-04T15:00:00Z'), 50)]]]));
    expect(await bars(feed(), ['SPY'], 'minute', all)).toMatchObject([{ volume: 1_000 }]);
  });
});

describe('corporate actions', () => {
  it('become splits and ends of symbols, also those that were processed late', async () => {
    const add = (type: string, processed: string, row: Record<string, unknown>) =>
      fake.actions.push({ type, processed, row });
    add('forward_split', '2026-03-02', { symbol: 'AAPL', cusip: 'c', new_rate: 4, old_rate: 1, ex_date: '2026-02-27' });
    add('reverse_split', '2026-03-02', {
      symbol: 'GE',
      old_cusip: 'a',
      new_cusip: 'b',
      new_rate: 1,
      old_rate: 8,
      ex_date: '2026-03-02',
    });
    add('stock_dividend', '2026-03-02', { symbol: 'TR', cusip: 'c', rate: 0.03, ex_date: '2026-03-02' });
    add('name_change', '2026-03-03', { old_symbol: 'FB', new_symbol: 'META', old_cusip: 'a', new_cusip: 'a' });
    add('cash_merger', '2026-03-03', {
      acquiree_symbol: 'TWTR',
      acquiree_cusip: 'a',
      rate: 54.2,
      effective_date: '2026-03-03',
    });
    add('stock_merger', '2026-03-03', {
      acquiree_symbol: 'LSI',
      acquiree_cusip: 'a',
      acquiree_rate: 1,
      acquirer_symbol: 'EXR',
      acquirer_cusip: 'b',
      acquirer_rate: 0.9,
      effective_date: '2026-03-04',
    });
    add('worthless_removal', '2026-03-03', { symbol: 'BLPH', cusip: 'a' });
    add('cash_dividend', '2026-03-03', {
      symbol: 'AAPL',
      cusip: 'c',
      rate: 0.2,
      special: false,
      foreign: false,
      ex_date: '2026-03-03',
    });
    fake.account.pageSize = 2;
    const symbols = ['AAPL', 'GE', 'TR', 'FB', 'META', 'TWTR', 'EXR', 'LSI', 'BLPH'];
    const read = await feed().actions?.({ symbols, from: '2026-03-02', to: '2026-03-04' }, signal);
    expect(read?.map(({ kind, symbol, date, factor, note }) => [kind, symbol, date, factor, note])).toEqual([
      ['split', 'AAPL', '2026-02-27', 0.25, '4:1'],
      ['split', 'GE', '2026-03-02', 8, '1:8'],
      ['split', 'TR', '2026-03-02', 1 / 1.03, '0.03 shares for each one'],
      ['delisting', 'FB', '2026-03-03', null, 'The symbol is META now.'],
      ['delisting', 'TWTR', '2026-03-03', null, 'It was bought for cash.'],
      ['delisting', 'LSI', '2026-03-04', null, 'It was taken over by EXR.'],
      ['dividend', 'AAPL', '2026-03-03', null, null],
      ['delisting', 'BLPH', '2026-03-03', null, 'It was removed as worthless.'],
      // The symbol may have belonged to another, delisted company until then.
      ['resume', 'META', '2026-03-03', null, 'The symbol was FB before.'],
    ]);
    expect(read?.flatMap(({ amount }) => amount ?? [])).toEqual([0.2]);
    expect(fake.requests).toHaveLength(4);
  });
});

it('actions of a name taken from another company count since the name was taken, and the name trades', async () => {
  const add = (type: string, processed: string, row: Record<string, unknown>) =>
    fake.actions.push({ type, processed, row });
  const dividend = (date: string, rate: number) =>
    add('cash_dividend', date, { symbol: 'META', rate, special: false, foreign: false, ex_date: date });
  const actions = async () => (await feed().actions?.(range, signal)) ?? [];
  const range = { symbols: ['META'], from: '2021-03-01', to: '2026-03-11' };
  dividend('2021-12-15', 0.03);
  add('name_change', '2022-01-31', { old_symbol: 'META', new_symbol: 'METV', old_cusip: 'a', new_cusip: 'a' });
  const given = await actions();
  expect(given.map(({ kind, date }) => [kind, date])).toEqual([
    ['dividend', '2021-12-15'],
    ['delisting', '2022-01-31'],
  ]);

  add('name_change', '2022-06-09', { old_symbol: 'FB', new_symbol: 'META', old_cusip: 'b', new_cusip: 'b' });
  dividend('2024-02-21', 0.5);
  const taken = await actions();
  expect(taken.map(({ kind, date, amount }) => [kind, date, amount])).toEqual([
    ['dividend', '2024-02-21', 0.5],
    ['resume', '2022-06-09', undefined],
  ]);
  // Actions recorded before the name was taken no longer count.
  const tape = openTape(null);
  for (const actions of [given, taken]) tape.recordActions(actions, { feed: 'alpaca', receivedAt: NOW });
  expect(tape.status('META', '2026-03-04')?.kind).toBe('resume');
});

it("a name given up and taken on one date trades, and is the previous holder's until that date", async () => {
  const rename = (old_symbol: string, new_symbol: string) =>
    fake.actions.push({
      type: 'name_change',
      processed: '2026-03-09',
      row: { old_symbol, new_symbol, old_cusip: old_symbol, new_cusip: old_symbol },
    });
  rename('FB', 'META');
  rename('META', 'METV');
  const split = { symbol: 'META', cusip: 'c', new_rate: 2, old_rate: 1, ex_date: '2026-03-04' };
  fake.actions.push({ type: 'forward_split', processed: '2026-03-04', row: split });
  const range = { symbols: ['META'], from: '2026-02-01', to: '2026-03-11' };
  const ahead = (await feed().actions?.(range, signal)) ?? [];
  expect(ahead.map(({ kind, date }) => [kind, date])).toEqual([
    ['split', '2026-03-04'],
    ['delisting', '2026-03-09'],
    ['resume', '2026-03-09'],
  ]);
  const taken = (await feed({ now: at('2026-03-09T14:00:00Z') }).actions?.(range, signal)) ?? [];
  expect(taken.map(({ kind, date }) => [kind, date])).toEqual([['resume', '2026-03-09']]);
});

it('an invalid action does not hide other actions', async () => {
  const row = { symbol: 'AAPL', cusip: 'c', ex_date: '2026-03-02' };
  fake.actions.push({ type: 'cash_dividend', processed: '2026-03-02', row: { ...row, rate: 0 } });
  fake.actions.push({ type: 'forward_split', processed: '2026-03-02', row: { ...row, new_rate: 4, old_rate: 1 } });
  const read = await feed().actions?.({ symbols: ['AAPL'], from: '2026-03-01', to: '2026-03-04' }, signal);
  expect(read).toMatchObject([{ kind: 'split', symbol: 'AAPL' }]);
});

describe('listings', () => {
  beforeEach(() => {
    fake.assets.set('SPY', { name: 'State Street SPDR S&P 500 ETF Trust', status: 'active' });
    fake.assets.set('BRK.B', { name: 'Berkshire Hathaway Inc. Class B', status: 'active' });
    fake.assets.set('ARKX', { name: 'ARK Space Exploration ETF', status: 'active' });
    fake.assets.set('TWTR', { name: 'Twitter, Inc.', status: 'inactive' });
  });

  it('have name and class, and the reason of a refusal', async () => {
    const symbols = ['SPY', 'BRK-B', 'ARKX', 'TWTR', 'NOPE', '^VIX', 'BTC', 'EURUSD'];
    expect(await feed().listings(symbols, signal)).toEqual([
      { symbol: 'SPY', name: 'S&P 500 ETF', assetClass: 'etf', calendar: 'us', currency: 'USD' },
      {
        symbol: 'BRK-B',
        name: 'Berkshire Hathaway Inc. Class B',
        assetClass: 'equity',
        calendar: 'us',
        currency: 'USD',
      },
      { symbol: 'ARKX', name: 'ARK Space Exploration ETF', assetClass: 'etf', calendar: 'us', currency: 'USD' },
      { symbol: 'TWTR', reason: expect.stringContaining('not traded any more (Twitter, Inc.)') },
      { symbol: 'NOPE', reason: 'Alpaca has no share or fund NOPE' },
      { symbol: '^VIX', reason: expect.stringContaining('--feed-config FILE') },
      { symbol: 'BTC', reason: expect.stringContaining('--feed binance') },
      { symbol: 'EURUSD', reason: expect.stringContaining('--feed-config FILE') },
    ]);
  });

  it('listings of many symbols come in one request', async () => {
    const many = [...Array(40).keys()].map((n) => `X${n}`);
    const read = await feed().listings(['SPY', ...many], signal);
    expect(read.filter((one) => 'reason' in one)).toHaveLength(40);
    expect(fake.requests).toHaveLength(1);
  });
});

describe('check', () => {
  it.each([
    ['basic', 'Basic: live prices of IEX alone, closes of all exchanges'],
    ['plus', 'live prices of all exchanges'],
  ] as const)('names the plan %s and the difference of the clocks', async (plan, name) => {
    const checked = feed();
    fake.account.plan = plan;
    fake.now = NOW + 90_000;
    expect(await checked.check(signal)).toEqual({ clockSkewMs: 90_000, plan: name, notes: [] });
  });

  it.each([
    ['none', null, 'Alpaca needs a key.'],
    ['without a secret', 'PKFAKEFAKEFAKE', 'not of the form KEY_ID:SECRET'],
    ['of somebody else', 'PKFAKEFAKEFAKE:wrongwrongwrong', 'answered 401'],
  ])('a key %s is told with its cure, and never shown', async (_what, key, reason) => {
    const error = await feed({ key })
      .check(signal)
      .catch((found: unknown) => found);
    expect(error).toMatchObject({ kind: 'fatal', message: expect.stringContaining(reason) });
    expect(error).toMatchObject({ message: expect.stringContaining('Give KEY_ID:SECRET') });
    expect(String(error)).not.toMatch(/PKFAKE|wrongwrong/);
  });

  it('fails if the vendor is unreachable', async () => {
    fake.faults.push({ status: 503 });
    await expect(feed().check(signal)).rejects.toMatchObject({ kind: 'retry' });
  });

  it('reports a session that closes at another time than in the calendar', async () => {
    const checked = feed();
    // A day of mourning: the next session is one later.
    fake.now = NOW;
    fake.faults.push({ status: 200, body: '{"bars":{}}' }, { status: 200, body: '{"bars":null}' });
    fake.faults.push({
      status: 200,
      body: JSON.stringify({ timestamp: new Date(NOW).toISOString(), next_close: '2026-03-06T16:00:00-05:00' }),
    });
    expect(await checked.check(signal)).toMatchObject({
      notes: [
        expect.stringContaining('closes next at 2026-03-06T21:00; the calendar of this version says 2026-03-05T21:00'),
      ],
    });
  });
});

describe('invalid answers', () => {
  const refusal = async (fault: FakeAlpaca['faults'][number]) => {
    fake.faults.push(fault);
    return bars(feed(), ['SPY'], 'day', all).catch((error: unknown) => error);
  };

  it.each([
    [
      { status: 429, headers: { 'retry-after': '17' } },
      { kind: 'retry', retryAfterMs: 17_000 },
    ],
    [{ status: 401 }, { kind: 'fatal', message: expect.stringContaining('Give KEY_ID:SECRET') }],
    [{ status: 403 }, { kind: 'fatal', message: expect.stringContaining('the plan does not include') }],
    [{ status: 400 }, { kind: 'retry', message: expect.stringContaining('--feed-symbols') }],
    [{ status: 500 }, { kind: 'retry' }],
    [
      { status: 200, body: '<!doctype html>', type: 'text/html' },
      { kind: 'retry', message: expect.stringContaining('web page') },
    ],
    [
      { status: 200, body: '{"bars":{"SPY":[{"t":"2026-03-02T05:00:00Z","o":1,"h":1,"l":1,"c":"1","v":1}]}}' },
      { kind: 'retry', message: expect.stringContaining('unknown form: bars.SPY.0.c') },
    ],
    [
      { status: 302, headers: { location: 'https://evil.example/' } },
      { kind: 'retry', message: expect.stringContaining('302') },
    ],
  ])('%o', async (fault, error) => {
    expect(await refusal(fault)).toMatchObject(error);
  });

  it('invalid answers in the middle of pages end the request after the received pages', async () => {
    fake.bars.set('sip 1Day', new Map([['SPY', [day('2026-03-02', 5), day('2026-03-03', 6)]]]));
    fake.account.pageSize = 1;
    const read: FeedBar[] = [];
    const reading = (async () => {
      for await (const page of feed().bars({ symbols: ['SPY'], step: 'day', priority: 'history', ...all }, signal)) {
        read.push(...page);
        fake.faults.push({ status: 503 });
      }
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'retry' });
    expect(read.map(({ date }) => date)).toEqual(['2026-03-02']);
  });
});
