// Test: the one order by risk, by present prices, and what it falls back to.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Holdings, RiskRow } from './holdings.ts';
import { type RankedAlert, riskOrder } from './risk-order.ts';
import type { State } from './states.ts';
import type { Watchlist } from './watchlists.ts';

const alert = (symbol: string, to_state: State = 2, confidence: number | null = 30): RankedAlert => ({
  ...{ symbol, to_state, confidence },
});
const rowsOf =
  (falls: Readonly<Record<string, number | null>>) =>
  (symbol: string): RiskRow | undefined => {
    const breach_progress = falls[symbol];
    const priced = { price: 100, breach_progress, updated_at: null, decided_at: null };
    const signal = { state: 2 as const, confidence: 1, base_rate: 1, ...priced };
    return breach_progress === undefined ? undefined : { stale: false, signal };
  };
const listOf = (unit: Holdings['unit'], amounts: Readonly<Record<string, number>>): Watchlist => ({
  id: 'desk',
  name: 'Desk',
  sections: [],
  holdings: { unit, rows: Object.entries(amounts).map(([symbol, amount]) => ({ symbol, amount })) },
});
const ranked = (alerts: readonly RankedAlert[], ...order: Parameters<typeof riskOrder>): string[] =>
  alerts.toSorted(riskOrder(...order).compare).map(({ symbol }) => symbol);

test('state first, then how far the price has fallen in thresholds of the symbol; never the confidence', () => {
  const alerts = [alert('SO', 2, 60), alert('NVDA', 2, 22), alert('SPY', 1, 99), alert('GE', 0)];
  expect(ranked(alerts, [], rowsOf({ SO: 1.1, NVDA: 4.2, SPY: 6, GE: 0 }))).toEqual(['NVDA', 'SO', 'SPY', 'GE']);
  expect(riskOrder([], rowsOf({ NVDA: 4.2 })).progressOf('NVDA')).toBe(4.2);
});

test('what is held comes first, by what is at stake: the fall in money, all of it where its size is unknown, or the quantity', () => {
  const falls = rowsOf({ SO: 1, NVDA: 4, GE: 9, SPY: 3.9 });
  const levels: Readonly<Record<string, number>> = { SO: 99, NVDA: 90, SPY: 95 };
  const rows = (symbol: string): RiskRow | undefined => {
    const row = falls(symbol);
    const level = levels[symbol];
    if (row?.signal == null || level === undefined) return row;
    return { ...row, signal: { ...row.signal, breach_level: level, breach_progress: undefined } };
  };
  const alerts = [alert('GE'), alert('SO'), alert('NVDA'), alert('SPY'), alert('HYG')];
  const book = listOf('quantity', { SO: 100, NVDA: 30, SPY: 30 });
  expect(ranked(alerts, [book], rows)).toEqual(['NVDA', 'SPY', 'SO', 'HYG', 'GE']);
  expect(ranked(alerts, [listOf('quantity', { SO: 100, GE: 4, HYG: 1 })], rows)).toEqual([
    'HYG',
    'GE',
    'SO',
    'NVDA',
    'SPY',
  ]);
});

test('a service that says nothing about a breach: by confidence', () => {
  expect(ranked([alert('A', 2, 20), alert('B', 2, null), alert('C', 2, 40)], [], rowsOf({}))).toEqual(['C', 'A', 'B']);
  expect(riskOrder([], rowsOf({})).progressOf('A')).toBeNull();
});

test('a fall that is unknown among known ones counts as the deepest', () => {
  expect(ranked([alert('A'), alert('B')], [], rowsOf({ A: 5, B: null }))).toEqual(['B', 'A']);
});

const alertArbitrary = fc.record({
  symbol: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
  to_state: fc.constantFrom<State>(0, 1, 2),
  confidence: fc.option(fc.integer({ min: 0, max: 100 })),
});
const amountsArbitrary = fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 1, max: 9 }), { maxKeys: 3 });

test('every two alerts are ordered alike from both sides, and every three without a circle', () => {
  fc.assert(
    fc.property(
      fc.tuple(alertArbitrary, alertArbitrary, alertArbitrary),
      fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D'), fc.option(fc.integer({ min: 0, max: 5 }))),
      amountsArbitrary,
      ([a, b, c], falls, amounts) => {
        const { compare } = riskOrder([listOf('weight', amounts)], rowsOf(falls));
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
      },
    ),
  );
});
