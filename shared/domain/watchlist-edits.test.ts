// Test: edits keep a watchlist valid.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addSection,
  addSymbols,
  freeId,
  moveSection,
  moveSymbol,
  removeSection,
  removeSymbol,
  stepSymbol,
  undoneEdit,
  withList,
} from './watchlist-edits.ts';
import { symbolsOf, type Watchlist, WatchlistsSchema } from './watchlists.ts';

const list = (...sections: string[][]): Watchlist => ({
  id: 'l',
  name: 'L',
  sections: sections.map((symbols, index) => ({ name: `S${index}`, symbols })),
});
const shape = (given: Watchlist): string[][] => given.sections.map((section) => section.symbols);

describe('editing a watchlist', () => {
  it('adds each symbol once, and makes a section where there is none', () => {
    expect(shape(addSymbols(list(['A'], ['B']), ['B', 'C', 'C', 'D'], 0, 'First'))).toEqual([['A', 'C', 'D'], ['B']]);
    expect(addSymbols(list(), ['A'], 3, 'First').sections).toEqual([{ name: 'First', symbols: ['A'] }]);
  });

  it('moves to a position counted without the symbol, also into another section', () => {
    expect(shape(moveSymbol(list(['A', 'B', 'C']), 'A', { section: 0, index: 1 }))).toEqual([['B', 'A', 'C']]);
    expect(shape(moveSymbol(list(['A', 'B'], ['C']), 'A', { section: 1, index: 9 }))).toEqual([['B'], ['C', 'A']]);
    expect(shape(moveSymbol(list(['A']), 'Z', { section: 0, index: 0 }))).toEqual([['A']]);
  });

  it('steps over the edge of a section, and stops at the edge of the list', () => {
    expect(shape(stepSymbol(list(['A', 'B'], ['C']), 'B', 1))).toEqual([['A'], ['B', 'C']]);
    expect(shape(stepSymbol(list(['A'], [], ['C']), 'C', -1))).toEqual([['A'], ['C'], []]);
    expect(shape(stepSymbol(list(['A', 'B']), 'A', -1))).toEqual([['A', 'B']]);
  });

  it('a removed section leaves its symbols to its neighbour', () => {
    expect(shape(removeSection(list(['A'], ['B'], ['C']), 1))).toEqual([['A', 'B'], ['C']]);
    expect(shape(removeSection(list(['A'], ['B']), 0))).toEqual([['A', 'B']]);
    expect(shape(removeSection(list(['A']), 0))).toEqual([['A']]);
  });

  it('sections are added below one and move past each other', () => {
    expect(addSection(list(['A'], ['B']), 'New', 0).sections.map((section) => section.name)).toEqual([
      'S0',
      'New',
      'S1',
    ]);
    expect(shape(moveSection(list(['A'], ['B']), 1, -1))).toEqual([['B'], ['A']]);
    expect(shape(moveSection(list(['A'], ['B']), 1, 1))).toEqual([['A'], ['B']]);
  });

  it('no sequence of steps and moves loses or duplicates a symbol', () => {
    const step = fc.record({
      symbol: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
      by: fc.constantFrom<(-1 | 1)[]>(-1, 1),
      to: fc.option(fc.record({ section: fc.integer({ min: 0, max: 3 }), index: fc.integer({ min: -1, max: 6 }) })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const end = steps.reduce(
          (now, { symbol, by, to }) => (to === null ? stepSymbol(now, symbol, by) : moveSymbol(now, symbol, to)),
          list(['A', 'B'], ['C'], ['D', 'E']),
        );
        expect(symbolsOf(end).sort()).toEqual(['A', 'B', 'C', 'D', 'E']);
      }),
    );
  });

  it('an edit is undone alone: what was changed since stays, and refuses it where the edit was in the same list', () => {
    const named = (id: string, ...symbols: string[]): Watchlist => ({ ...list(symbols), id });
    const [desk, cut] = [named('desk', 'A', 'B'), named('desk', 'A')];
    const [world, more] = [named('world', 'C'), named('world', 'C', 'D')];
    const cutDesk = { before: [desk, world], after: [cut, world] };
    expect(undoneEdit([cut, world], cutDesk)).toEqual([desk, world]);
    expect(undoneEdit([cut, more], cutDesk)).toEqual([desk, more]);
    expect(undoneEdit([named('desk', 'A', 'Z'), world], cutDesk)).toBeNull();
    expect(undoneEdit([more], cutDesk)).toBeNull();
    // The edit is not back yet.
    expect(undoneEdit([desk, more], cutDesk)).toEqual([desk, more]);
    const deleted = { before: [desk, world], after: [world] };
    expect(undoneEdit([world], deleted)).toEqual([desk, world]);
    expect(undoneEdit([more], deleted)).toEqual([more, desk]);
    const added = { before: [desk], after: [desk, world] };
    expect(undoneEdit([cut, world], added)).toEqual([cut]);
    expect(undoneEdit([desk, more], added)).toBeNull();
  });

  it('lists are replaced by id or added, under unused ids', () => {
    const mine = list(['A']);
    expect(withList([mine], removeSymbol(mine, 'A'))).toEqual([list([])]);
    expect(freeId([{ ...mine, id: 'my-list' }], 'My list!')).toBe('my-list-2');
    expect(freeId([], '***')).toBe('list');
    expect(freeId([], 'Prices: replay')).toBe('list-prices-replay');
    expect(WatchlistsSchema.safeParse([mine, mine]).success).toBe(false);
    expect(WatchlistsSchema.safeParse([]).success).toBe(false);
  });
});
