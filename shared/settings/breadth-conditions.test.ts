// Test: the share of a list that is in a state, and when it counts as crossed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { State } from '../domain/states.ts';
import { END_SHARE, isBreadthReached, isMeasured, measureBreadth, shareOf } from './breadth-conditions.ts';

const row = (state: State, more: { stale?: boolean; state_word?: string } = {}) => {
  const { stale = false, state_word } = more;
  return { signal: { state, ...(state_word === undefined ? {} : { state_word }) }, stale };
};
const of = (
  rows: Readonly<Record<string, ReturnType<typeof row> | { signal: null; stale: boolean }>>,
  least: State = 2,
) => measureBreadth(Object.keys(rows), (symbol) => rows[symbol], least);

test('symbols whose state is stale, a word that is not known, or not covered are in neither side of the share', () => {
  const measured = of({
    A: row(2),
    B: row(0),
    C: row(2, { stale: true }),
    D: row(2, { state_word: 'storm' }),
    E: { signal: null, stale: false },
  });
  expect(measured).toEqual({ symbols: ['A'], known: 2, of: 5 });
  expect(shareOf(measured)).toBe(50);
});

test('a symbol in two sections of a list counts once', () => {
  expect(measureBreadth(['A', 'B', 'A'], () => row(2), 2)).toEqual({ symbols: ['A', 'B'], known: 2, of: 2 });
});

test('Elevated or more counts Elevated and High Risk', () => {
  expect(of({ A: row(0), B: row(1), C: row(2) }, 1).symbols).toEqual(['B', 'C']);
});

test('nothing is concluded where fewer than half of the states are known', () => {
  const few = { symbols: ['A'], known: 1, of: 3 };
  expect([isMeasured(few), isMeasured({ ...few, of: 2 }), isMeasured({ known: 0, of: 0 })]).toEqual([
    false,
    true,
    false,
  ]);
  expect(isBreadthReached(false, 30, few)).toBe(false);
  expect(isBreadthReached(true, 100, few)).toBe(true);
});

test('a share of exactly the percentage is reached, and ends below four fifths of it', () => {
  const at = (high: number) => ({
    symbols: Array.from({ length: high }, (_, index) => `S${index}`),
    known: 100,
    of: 100,
  });
  expect([29, 30].map((high) => isBreadthReached(false, 30, at(high)))).toEqual([false, true]);
  expect([24, 23].map((high) => isBreadthReached(true, 30, at(high)))).toEqual([true, false]);
});

test('over any changes of state it rises only at its percentage, and falls only below four fifths of it', () => {
  const symbol = fc.record({ index: fc.nat(19), state: fc.constantFrom(0, 1, 2), stale: fc.boolean() });
  const run = fc.property(
    fc.integer({ min: 1, max: 100 }),
    fc.array(symbol, { maxLength: 120 }),
    (percent, changes) => {
      const rows = Array.from({ length: 20 }, () => row(0));
      let isReached = false;
      for (const { index, state, stale } of changes) {
        rows[index] = row(state as State, { stale });
        const measured = measureBreadth(
          rows.map((_, at) => `S${at}`),
          (name) => rows[Number(name.slice(1))],
          2,
        );
        const before = isReached;
        isReached = isBreadthReached(before, percent, measured);
        const known = rows.filter((one) => !one.stale);
        const share = (known.filter(({ signal }) => signal.state === 2).length / known.length) * 100;
        const isKnown = known.length >= 10;
        expect(isReached).toBe(
          !isKnown ? before : before ? share + 1e-9 >= percent * END_SHARE : share + 1e-9 >= percent,
        );
      }
    },
  );
  fc.assert(run, { numRuns: 300 });
});
