// Service, validation, test: the replay finds the announced alerts, and never looks ahead.
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../shared/lib/time.ts';
import { casesOf } from '../../test/harness/run-length.ts';
import { createEngine } from '../engine/engine.ts';
import type { LiveAlert } from '../engine/scoring/live.ts';
import type { Bar } from '../engine/types.ts';
import { createSyntheticMarket, type SyntheticMarket } from '../market/synthetic/market.ts';
import { formingDay } from '../market/tape/forming-day.ts';
import { createInspectedMarket } from '../market/tape/inspected-market.ts';
import type { TapeListing } from '../market/tape/inspections.ts';
import { IntradayBars } from '../market/tape/intraday-bars.ts';
import type { IntradayBar } from '../market/tape/intraday-series.ts';
import { openTape } from '../market/tape/tape.ts';
import type { MarketSource } from '../market/types.ts';
import { createEventIds } from '../signals/event-id.ts';
import { StateDetector } from '../signals/state-detector.ts';
import { LiveReplay } from './live-replay.ts';
import { type DatedMarket, pastMarket } from './past-market.ts';

const NOW = Date.parse('2026-10-02T14:30:00Z');
const DAYS = casesOf(400, 100);
const world = (): SyntheticMarket => createSyntheticMarket({ seed: 7, symbols: 2 });

interface Replayed {
  readonly market: DatedMarket;
  readonly replay: LiveReplay;
  /** Dated signals of both symbols. */
  readonly signals: (LiveAlert & { readonly symbol: string; readonly date: string })[];
}

function replayed(source: MarketSource, instant: number): Replayed {
  const market = pastMarket(source, instant);
  const replay = new LiveReplay(source, market);
  const engine = createEngine({ instruments: market.instruments, factorsFrom: '9999' });
  for (const day of market.closedDays(engine.lastDate, instant)) {
    replay.beforeClose(day.bars.keys(), engine);
    replay.afterClose(engine.closeDay(day.date, day.bars));
  }
  const signals = [...replay.series].flatMap(([symbol, series]) =>
    series.signals.map((signal) => ({ ...signal, symbol, date: market.bars(symbol)[signal.session]?.date ?? '' })),
  );
  return { market, replay, signals };
}

const { market, signals } = replayed(world(), NOW);

describe('the replay', () => {
  test('the replay finds the first High Risk of a session where the service announces it, at its price', {
    tags: ['long'],
  }, () => {
    const source = world();
    const start = Math.floor(NOW / DAY_MS) * DAY_MS - DAYS * DAY_MS;
    const engine = createEngine({ instruments: source.instruments, factorsFrom: '9999' });
    const detector = new StateDetector({ market: source, engine, ids: createEventIds('test') });
    detector.resume(start, []);
    const announced = new Map<string, number>();
    for (let day = start + DAY_MS; day <= NOW; day += DAY_MS) {
      for (const { event, data, timestamp } of detector.advance(day - 1)) {
        const key = `${'symbol' in data ? data.symbol : ''} ${timestamp.slice(0, 10)}`;
        if (event === 'signal.high_risk' && !announced.has(key))
          announced.set(key, source.past.price('symbol' in data ? data.symbol : '', Date.parse(timestamp)));
      }
    }
    const recent = signals.filter(({ date, within }) => Date.parse(date) >= start && within !== null);
    expect(recent.length).toBeGreaterThan(DAYS / 80);
    for (const { symbol, date, price } of recent)
      expect([symbol, date, announced.get(`${symbol} ${date}`)]).toEqual([symbol, date, price]);
  });

  test('has signals 21 sessions apart, most of them within a session', () => {
    expect(signals.length).toBeGreaterThan(100);
    for (const [index, signal] of signals.entries()) {
      const before = signals[index - 1];
      if (before?.symbol === signal.symbol) expect(signal.session - before.session).toBeGreaterThanOrEqual(21);
      const close = market.bars(signal.symbol)[signal.after]?.close ?? 0;
      if (signal.within === null) expect(signal.price).toBe(close);
      else expect(signal.within.minutes).toBeGreaterThanOrEqual(5);
    }
    expect(signals.filter(({ within }) => within !== null).length).toBeGreaterThan(signals.length / 2);
  });

  test('the replay does not look ahead: cutting off later prices changes no signal before', { tags: ['long'] }, () => {
    // Within the year: the history of a sandbox begins with a year.
    const cut = NOW - 200 * DAY_MS;
    const shorter = replayed(world(), cut).signals;
    const until = new Date(cut).toISOString().slice(0, 10);
    expect(shorter).toEqual(signals.filter(({ date }) => date < until));
    expect(shorter.length).toBeLessThan(signals.length);
  });

  test('leaves out only sessions without a High Risk', { tags: ['long'], timeout: 60_000 }, () => {
    const { lowestOn: _, ...blind } = createSyntheticMarket({ seed: 7, symbols: 1 });
    const quick = replayed(createSyntheticMarket({ seed: 7, symbols: 1 }), NOW).signals;
    expect(replayed(blind, NOW).signals).toEqual(quick);
    expect(quick.length).toBeGreaterThan(10);
  });

  test('has no symbol without intraday prices', () => {
    const closesOnly: MarketSource = { ...world(), decisions: () => [], forming: () => null };
    expect(replayed(closesOnly, NOW).replay.series.size).toBe(0);
  });
});

class Prices extends IntradayBars {
  constructor(bars: readonly IntradayBar[]) {
    super(false, true);
    for (const bar of bars) this.seriesOf('A').put(bar);
  }
}

/**
 * The last years of a symbol on a tape, with prices every six hours; before a later split they are four times
 * as high.
 */
function taped(splitOn: string | null): MarketSource {
  const source = world();
  const [{ symbol = '' } = {}] = source.instruments;
  const traded = (date: string): number => (splitOn !== null && date < splitOn ? 4 : 1);
  const at = (date: string, price: number): Omit<Bar, 'volume'> => {
    const level = traded(date) * price;
    return { date, open: level, high: level, low: level, close: level };
  };
  const daily = pastMarket(source, NOW)
    .bars(symbol)
    .slice(-2400)
    .map(({ date, close }): Bar => ({ ...at(date, close), volume: null }));
  const within = daily.slice(-1800).flatMap(({ date }) =>
    [6, 12, 18].map((hour): IntradayBar => {
      const end = Date.parse(date) + hour * HOUR_MS;
      return { ...at(date, source.formingClose?.(symbol, end) ?? Number.NaN), volume: null, start: end - HOUR_MS, end };
    }),
  );
  const instrument = { symbol: 'A', name: 'A', assetClass: 'equity', regimeOnly: false, inputOnly: false } as const;
  const listings = new Map<string, TapeListing>([['A', { instrument, calendar: 'always' }]]);
  const tape = openTape(null);
  const arrival = { feed: 'test', receivedAt: 0 };
  tape.record(new Map([['A', daily]]), arrival, false);
  if (splitOn !== null)
    tape.recordActions([{ kind: 'split', symbol: 'A', date: splitOn, factor: 1 / 4, note: null }], arrival);
  const market = createInspectedMarket(tape, listings);
  const prices = new Prices(within);
  const day = formingDay(listings, market, () => prices);
  return {
    instruments: [instrument],
    closedDays: market.closedDays,
    nextClose: market.nextClose,
    forming: day.forming,
    decisions: day.decisions,
    lastBar: (name, now) => market.daily(name, now).at(-1) ?? null,
  };
}

test('finds the same alerts before a split as without a split', () => {
  const plain = replayed(taped(null), NOW).signals;
  const split = replayed(taped('2025-11-03'), NOW).signals;
  const found = ({ date, after, within }: (typeof plain)[number]) => [date, after, within];
  expect(split.map(found)).toEqual(plain.map(found));
  for (const [index, { price }] of split.entries()) expect(price).toBeCloseTo(plain[index]?.price ?? 0, 6);
  expect(plain.filter(({ date, within }) => date < '2025-11-03' && within !== null).length).toBeGreaterThan(10);
});
