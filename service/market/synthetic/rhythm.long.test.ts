// Service, sandbox world, test: about one state change a minute, one High Risk in five minutes.
// At its default size, evaluated as the service does: the engine's rule on the forming day, and a state falls
// after five minutes at the earliest.
import { describe, expect, it } from 'vitest';
import type { State } from '../../../shared/domain/states.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { createEngine } from '../../engine/engine.ts';
import { dateOf, dayOf } from './days.ts';
import { createSyntheticMarket } from './market.ts';

const DWELL_MS = 5 * MINUTE_MS;
/** Enough for every window that a state depends on: turbulence and its rank need some 1,260 days. */
const WARM_DAYS = 1400;

interface Change {
  readonly at: number;
  readonly to: State;
}

/** All changes of state within some days from midnight `start` on. */
function changes(seed: number, start: number, days: number): Change[] {
  const market = createSyntheticMarket({ seed });
  const engine = createEngine({ instruments: market.instruments, factorsFrom: '9999' });
  const warm = dateOf(dayOf(start) - WARM_DAYS);
  const close = (now: number): void => {
    for (const day of market.closedDays((symbol) => engine.lastDate(symbol) ?? warm, now))
      engine.closeDay(day.date, day.bars);
  };
  close(start);
  const currentStates = new Map<string, { state: State; since: number }>();
  for (const { symbol, regimeOnly, inputOnly } of market.instruments) {
    if (!regimeOnly && !inputOnly)
      currentStates.set(symbol, { state: engine.last(symbol)?.state ?? 0, since: start - DWELL_MS });
  }
  const found: Change[] = [];
  for (let day = start; day < start + days * DAY_MS; day += DAY_MS) {
    close(day);
    for (const [symbol, current] of currentStates) {
      for (const at of market.decisions(symbol, day - 1, day + DAY_MS - 1)) {
        const to = engine.peekState(symbol, market.price(symbol, at), current.state);
        if (to === current.state || (to < current.state && at - current.since < DWELL_MS)) continue;
        current.state = to;
        current.since = at;
        found.push({ at, to });
      }
    }
  }
  return found;
}

describe('the rhythm of the sandbox', () => {
  // A Sunday and a Monday each: the world has no weekends.
  const weekends = [Date.UTC(2024, 2, 10), Date.UTC(2026, 8, 6), Date.UTC(2030, 6, 21)];
  const cases = [1, 7, 42].flatMap((seed) => weekends.map((start) => ({ seed, start, date: dateOf(dayOf(start)) })));

  const rates: { rate: number; highRisks: number }[] = [];
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  it.each(cases)('seed $seed from $date: a change a minute, a High Risk in five', ({ seed, start }) => {
    const days = 2;
    const found = changes(seed, start, days);
    const perDay = Array.from({ length: days }, (_, day) => {
      const within = found.filter(({ at }) => dayOf(at) === dayOf(start) + day);
      return { changes: within.length / 1440, highRisks: within.filter(({ to }) => to === 2).length / 288 };
    });
    for (const { changes: rate, highRisks } of perDay) {
      expect(rate).toBeGreaterThan(0.4);
      expect(rate).toBeLessThan(1.5);
      expect(highRisks).toBeGreaterThan(0.7);
      expect(highRisks).toBeLessThan(2.5);
      rates.push({ rate, highRisks });
    }

    // Spread over the minutes, with an occasional joint fall; midnight is like any other minute.
    const minutes = new Map<number, number>();
    for (const { at } of found) {
      const minute = Math.floor(at / MINUTE_MS);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    const busy = [...minutes.values()].filter((count) => count >= 6).length;
    expect(busy).toBeLessThan(0.01 * days * 1440);
    for (let day = 1; day < days; day++) {
      const midnight = (start + day * DAY_MS) / MINUTE_MS;
      // A close that makes the market turbulent lets every likely symbol into High Risk at once.
      for (let minute = midnight; minute < midnight + 5; minute++) expect(minutes.get(minute) ?? 0).toBeLessThan(25);
    }
  });

  it('is the average over calm and volatile days', () => {
    expect(rates).toHaveLength(2 * cases.length);
    expect(mean(rates.map((row) => row.rate))).toBeGreaterThan(0.75);
    expect(mean(rates.map((row) => row.rate))).toBeLessThan(1.25);
    expect(mean(rates.map((row) => row.highRisks))).toBeGreaterThan(0.8);
    expect(mean(rates.map((row) => row.highRisks))).toBeLessThan(1.3);
  });
});
