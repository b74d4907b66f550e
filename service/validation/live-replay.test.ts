// Service, validation, test: the replay finds what the service announces, and never looks ahead.
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../shared/lib/time.ts';
import { createEngine } from '../engine/engine.ts';
import type { LiveAlert } from '../engine/scoring/live.ts';
import { createSyntheticMarket, type SyntheticMarket } from '../market/synthetic/market.ts';
import type { MarketSource } from '../market/types.ts';
import { createEventIds } from '../signals/event-id.ts';
import { StateDetector } from '../signals/state-detector.ts';
import { LiveReplay } from './live-replay.ts';
import { type DatedMarket, pastMarket } from './past-market.ts';

const NOW = Date.parse('2026-03-02T14:30:00Z');
const DAYS = 40;
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
  test('finds the first High Risk of a session where the service announces it, at its price', () => {
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
    expect(recent.length).toBeGreaterThan(1);
    for (const { symbol, date, price } of recent)
      expect([symbol, date, announced.get(`${symbol} ${date}`)]).toEqual([symbol, date, price]);
  });

  test('has signals 21 sessions apart, most of them within the day and brief', () => {
    expect(signals.length).toBeGreaterThan(200);
    for (const [index, signal] of signals.entries()) {
      const before = signals[index - 1];
      if (before?.symbol === signal.symbol) expect(signal.session - before.session).toBeGreaterThanOrEqual(21);
      const close = market.bars(signal.symbol)[signal.after]?.close ?? 0;
      if (signal.within === null) expect(signal.price).toBe(close);
      else expect(signal.within.minutes).toBeGreaterThanOrEqual(5);
    }
    expect(signals.filter(({ within }) => within !== null).length).toBeGreaterThan(signals.length / 2);
  });

  test('does not look ahead: cutting off later prices changes no signal before', () => {
    // Within the year: the history of a sandbox begins with a year.
    const cut = NOW - 55 * DAY_MS;
    const shorter = replayed(world(), cut).signals;
    const until = new Date(cut).toISOString().slice(0, 10);
    expect(shorter).toEqual(signals.filter(({ date }) => date < until));
    expect(shorter.length).toBeLessThan(signals.length);
  });

  test('leaves out only sessions without a High Risk', { tags: ['long'], timeout: 60_000 }, () => {
    const { lowestOn: _, ...blind } = createSyntheticMarket({ seed: 7, symbols: 1, scenario: 'calm' });
    const quick = replayed(createSyntheticMarket({ seed: 7, symbols: 1, scenario: 'calm' }), NOW).signals;
    expect(replayed(blind, NOW).signals).toEqual(quick);
    expect(quick.length).toBeGreaterThan(10);
  });

  test('has no symbol where there are no prices within the day', () => {
    const closesOnly: MarketSource = { ...world(), decisions: () => [], forming: () => null };
    expect(replayed(closesOnly, NOW).replay.series.size).toBe(0);
  });
});
