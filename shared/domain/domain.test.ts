// Test: states, regimes, symbols, dimensions and bands.

import { expect, test } from 'vitest';
import { FACTOR_CODES, FACTOR_DIMENSIONS } from './factors.ts';
import { isSymbol, normalizeSymbol } from './instruments.ts';
import { regimeLabel } from './regimes.ts';
import { nextCrashAt } from './scenarios.ts';
import { stateFromQuery, stateFromText } from './states.ts';
import { stateBands } from './timeline.ts';
import { DEFAULT_WATCHLIST, WatchlistSchema, watchedSymbols } from './watchlists.ts';

test.each(['High Risk', 'HIGH_RISK', 'high-risk', ' highrisk ', 'high  risk'])('%j is High Risk', (text) => {
  expect(stateFromText(text)).toBe(2);
});
test.each(['', 'high', 'risk', '3', 'none'])('%j names no state', (text) => {
  expect(stateFromQuery(text)).toBeNull();
});
test('a query takes the integer too', () => {
  expect(['0', '1', '2'].map(stateFromQuery)).toEqual([0, 1, 2]);
});

test('an unknown regime is still readable', () => {
  expect(regimeLabel('volatile_uptrend')).toBe('Volatile Uptrend');
  expect(regimeLabel('late-cycle_melt-up')).toBe('Late Cycle Melt Up');
  expect(regimeLabel('constructor')).toBe('Constructor');
});

test('symbols are upper case, at most 15 of letters, digits and . ^ = -', () => {
  expect(['SPY', '^GSPC', 'BRK.B', 'ES=F', 'BTC-USD'].every(isSymbol)).toBe(true);
  expect(['', 'spy', 'A B', 'ABCDEFGHIJKLMNOP', 'ÄÖ', 'A/B'].some(isSymbol)).toBe(false);
  expect(normalizeSymbol(' spy ')).toBe('SPY');
});

test('there are twelve dimensions, in D-order, each with its own lowercase key', () => {
  expect(FACTOR_DIMENSIONS.map((row) => row.code)).toEqual([...FACTOR_CODES]);
  expect(new Set(FACTOR_DIMENSIONS.map((row) => row.key)).size).toBe(12);
  expect(FACTOR_DIMENSIONS[4]?.key).toBe('risk premium');
});

test('the default watchlist is valid, starts with SPY and names no symbol twice', () => {
  expect(WatchlistSchema.safeParse(DEFAULT_WATCHLIST).success).toBe(true);
  const symbols = DEFAULT_WATCHLIST.sections.flatMap((section) => section.symbols);
  expect(symbols[0]).toBe('SPY');
  expect(watchedSymbols([DEFAULT_WATCHLIST])).toEqual(symbols);
});

test('equal neighbours merge into one band and the last one reaches the end', () => {
  const changes = [
    { at: 30, state: 2 as const },
    { at: 0, state: 0 as const },
    { at: 10, state: 0 as const },
    { at: 20, state: 1 as const },
  ];
  expect(stateBands(changes, 50)).toEqual([
    { state: 0, from: 0, to: 20 },
    { state: 1, from: 20, to: 30 },
    { state: 2, from: 30, to: 50 },
  ]);
});

test('no band runs through a gap, and none reaches past the end', () => {
  const changes = [
    { at: 0, state: 2 as const },
    { at: 60, state: 0 as const },
  ];
  expect(
    stateBands(changes, 50, [
      { from: 10, to: 20 },
      { from: 40, to: 80 },
    ]),
  ).toEqual([
    { state: 2, from: 0, to: 10 },
    { state: 2, from: 20, to: 40 },
  ]);
});

test('of two changes at one instant the later one counts', () => {
  expect(
    stateBands(
      [
        { at: 0, state: 1 },
        { at: 0, state: 2 },
      ],
      5,
    ),
  ).toEqual([{ state: 2, from: 0, to: 5 }]);
});

test.each([
  ['14:00:00', '14:02:00'],
  ['14:01:59', '14:02:00'],
  ['14:02:00', '14:22:00'],
  ['14:41:30', '14:42:00'],
  ['14:42:30', '15:02:00'],
])('at %s the next rehearsed crash begins at %s', (now, begins) => {
  expect(nextCrashAt(Date.parse(`2026-03-02T${now}Z`))).toBe(Date.parse(`2026-03-02T${begins}Z`));
});
