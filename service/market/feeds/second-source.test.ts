// Service, market feeds, test: a second source explains prices in question, and shows differences.
import { beforeEach, describe, expect, it } from 'vitest';
import { isSession, sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { createFeedMarket, type FeedMarket } from './feed-market.ts';
import type { FeedBar } from './price-feed.ts';

const dates: string[] = [];
for (let at = Date.parse('2025-01-02'); dates.length < 290; at += DAY_MS)
  if (isSession('us', dateOf(at))) dates.push(dateOf(at));
const LAST = dates.length - 1;
const DATE = dates[LAST] ?? '';
const NOW = sessionOn('us', DATE).close + HOUR_MS;
const status = { health: () => null, available: () => true };

const barAt = (date: string, close: number): Bar => ({
  ...{ date, open: close, high: close * 1.005, low: close * 0.995, close, volume: 1e6 },
});
/** Calm prices, then the given closes from `LAST` on. */
const prices = (...closes: number[]): Bar[] =>
  dates.map((date, n) => barAt(date, n < LAST ? 100 + Math.sin(n * 1.7) : (closes[n - LAST] ?? 100)));
/** The same with a last close that nothing else of its day has. */
const stray = (close: number): Bar[] =>
  prices().with(LAST, { ...barAt(DATE, 100), close, low: Math.min(99.5, close), high: Math.max(100.5, close) });
const times = (bars: readonly Bar[], factor: number): Bar[] =>
  bars.map((bar) => ({ ...barAt(bar.date, bar.close * factor) }));

let tape: Tape;
let disagreements: string[];
beforeEach(() => {
  tape = openTape(null);
  disagreements = [];
});

function marketOf(own: readonly Bar[], second: readonly Bar[]): FeedMarket {
  const market = createFeedMarket({
    ...{ feed: 'test', tape, clock: { now: () => NOW, after: () => () => undefined } },
    listings: [{ symbol: 'A', name: 'A', assetClass: 'equity', calendar: 'us' }],
    second: { name: 'the files', bars: (symbol) => (symbol === 'A' ? second : []) },
    onDisagreement: (text) => void disagreements.push(text),
  });
  market.take(
    own.map((bar): FeedBar => {
      const { open: start, close: end } = sessionOn('us', bar.date);
      return { ...bar, symbol: 'A', step: 'day', start, end, isClosed: true };
    }),
  );
  return market;
}
/** Served health, last close and previous close. */
function served(market: FeedMarket): [string | null, number, number] {
  const source = market.market(status);
  const closes = [...source.closedDays(() => null, NOW)].map(({ bars }) => bars.get('A')?.close ?? 0);
  return [source.fault?.('A', NOW)?.kind ?? null, closes.at(-1) ?? 0, closes.at(-2) ?? 0];
}
const YESTERDAY = prices()[LAST - 1]?.close ?? 0;

describe('a fall that looks like a split', () => {
  it.each([
    ['lacks the day', (): Bar[] => prices(25).slice(0, -1)],
    ['has the same jump, and may be unadjusted, too', () => prices(25.01)],
    ['has most of it', () => prices(25.6)],
  ])('a fall that looks like a split stays one if the second source %s', (_, second) => {
    const [health, close, before] = served(marketOf(prices(25), second()));
    expect([health, close]).toEqual([null, 25]);
    expect(before).toBeCloseTo(YESTERDAY / 4, 6);
  });

  it('a fall is a split if the second source has adjusted its past', () => {
    const second = [...times(prices(), 0.25).slice(0, -1), barAt(DATE, 25.02)];
    // With more volume than usual it would be undecided.
    const own = prices(25).with(LAST, { ...barAt(DATE, 25), volume: 9e6 });
    expect(served(marketOf(own, []))[0]).toBe('question');
    tape = openTape(null);
    const [health, close, before] = served(marketOf(own, second));
    expect([health, close]).toEqual([null, 25]);
    expect(before).toBeCloseTo(YESTERDAY / 4, 6);
  });

  it('is refused if the second source has the old price', () => {
    expect(served(marketOf(prices(25), prices(100.1)))).toEqual([
      null,
      expect.closeTo(YESTERDAY, 9),
      expect.anything(),
    ]);
    expect(disagreements).toEqual([expect.stringContaining('close 25, and 100.1 in the files')]);
  });
});

describe('a stray price', () => {
  it('counts and asks if the second source lacks the day', () => {
    expect(served(marketOf(stray(90), []))).toEqual(['question', 90, YESTERDAY]);
  });

  it('a stray price that the second source has, too, is a price', () => {
    expect(served(marketOf(stray(90), times(prices(90.1), 7)))).toEqual([null, 90, YESTERDAY]);
  });

  it.each([
    [88, 87],
    [70.5, 71.2],
  ])('a crash to %d, and to %d at the second source, is a price', (close, other) => {
    expect(served(marketOf(stray(close), prices(other)))).toEqual([null, close, YESTERDAY]);
  });

  it.each([95, 110])('a price is in question if the second source has a part or the opposite: %d', (other) => {
    expect(served(marketOf(stray(90), prices(other)))[0]).toBe('question');
  });

  it('a stray price that the second source does not have is refused', () => {
    expect(served(marketOf(stray(90), prices(100.3))).slice(0, 2)).toEqual([null, YESTERDAY]);
  });
});

it('a refused price that the feed corrects is evaluated again', () => {
  const second = prices(100.3);
  const market = marketOf(stray(90), second);
  expect(served(market).slice(0, 2)).toEqual([null, YESTERDAY]);
  const { open: start, close: end } = sessionOn('us', DATE);
  const take = (close: number) =>
    market.take([{ ...(stray(close).at(-1) as Bar), symbol: 'A', step: 'day', start, end, isClosed: true }]);
  take(100.2);
  expect(served(market).slice(0, 2)).toEqual([null, 100.2]);
  take(88);
  expect(served(market).slice(0, 2)).toEqual([null, YESTERDAY]);
  second.splice(-1, 1, barAt(DATE, 88.1));
  take(88.06);
  expect(served(market).slice(0, 2)).toEqual([null, 88.06]);
});

it('its answers are on the tape, and in force without the source', () => {
  marketOf(stray(90), prices(90.1));
  const market = createFeedMarket({
    ...{ feed: 'test', tape, clock: { now: () => NOW, after: () => () => undefined } },
    listings: [{ symbol: 'A', name: 'A', assetClass: 'equity', calendar: 'us' }],
  });
  expect(served(market).slice(0, 2)).toEqual([null, 90]);
});

it('later rows of the second source are used by the next comparison', () => {
  const second = prices(90.1).slice(0, -1);
  const market = marketOf(stray(90), second);
  expect(served(market)[0]).toBe('question');
  second.push(barAt(DATE, 90.1));
  const before = market.market(status).revisions?.version();
  market.compare();
  expect(served(market).slice(0, 2)).toEqual([null, 90]);
  expect(market.market(status).revisions?.version()).not.toBe(before);
});

it('closes that differ by more than 50 basis points are reported once, and the feed counts', () => {
  const market = marketOf(prices(100), prices(100.7));
  market.compare();
  expect(disagreements).toEqual([`A ${DATE}: close 100, and 100.7 in the files; the first one counts`]);
  expect(served(market)[1]).toBe(100);
  disagreements = [];
  tape = openTape(null);
  marketOf(prices(100), prices(100.4));
  expect(disagreements).toEqual([]);
});
