// Service, sandbox world, test: how often states change within the day, and how long they last.
// Evaluated as the service does: the engine's rule on the forming day, and a state falls after five minutes at
// the earliest.
import { describe, expect, it } from 'vitest';
import type { State } from '../../../shared/domain/states.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { createEngine } from '../../engine/engine.ts';
import { DWELL_MS } from '../../signals/dwell.ts';
import { dateOf, dayOf } from './days.ts';
import { createSyntheticMarket } from './market.ts';

/** Enough for every window that a state depends on: turbulence and its rank need some 1,260 days. */
const WARM_DAYS = 1400;
const DAYS = 30;

/** Starts and durations of High Risk within some days from midnight `start` on, ms. */
function highRisks(seed: number, start: number): { readonly symbols: number; readonly durations: number[] } {
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
  const durations: number[] = [];
  for (let day = start; day < start + DAYS * DAY_MS; day += DAY_MS) {
    close(day);
    for (const [symbol, current] of currentStates) {
      for (const at of market.decisions(symbol, day - 1, day + DAY_MS - 1)) {
        const to = engine.peekState(symbol, market.price(symbol, at), current.state);
        if (to === current.state || (to < current.state && at - current.since < DWELL_MS)) continue;
        if (current.state === 2 && current.since >= start) durations.push(at - current.since);
        current.state = to;
        current.since = at;
      }
    }
  }
  const last = [...currentStates.values()].filter(({ state, since }) => state === 2 && since >= start);
  return {
    symbols: currentStates.size,
    durations: [...durations, ...last.map(({ since }) => start + DAYS * DAY_MS - since)],
  };
}

describe('the sandbox', () => {
  const found = [
    [1, Date.UTC(2024, 2, 10)],
    [7, Date.UTC(2026, 8, 6)],
    [42, Date.UTC(2026, 2, 2)],
  ].map(([seed = 0, start = 0]) => highRisks(seed, start));

  it('turns a symbol High Risk .3 times a day at most, and .05 to .15 times on average', () => {
    const rates = found.map(({ symbols, durations }) => durations.length / symbols / DAYS);
    for (const rate of rates) expect(rate).toBeLessThan(0.3);
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    expect(mean).toBeGreaterThan(0.05);
    expect(mean).toBeLessThan(0.15);
  });

  it('keeps half of the High Risks for most of a day', () => {
    const durations = found.flatMap((one) => one.durations).sort((a, b) => a - b);
    expect(durations[durations.length >> 1]).toBeGreaterThan(12 * HOUR_MS);
  });
});
