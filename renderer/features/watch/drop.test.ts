// Test: the position of a dropped row.
import { describe, expect, it } from 'vitest';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { type Drop, landed } from './use-drag.ts';

const list: Watchlist = {
  id: 'l',
  name: 'L',
  sections: [
    { name: 'One', symbols: ['A', 'B', 'C'] },
    { name: 'Two', symbols: ['D'] },
    { name: 'Empty', symbols: [] },
  ],
};
const after = (symbol: string, at: Drop): string =>
  landed(list, symbol, at)
    .sections.map((section) => section.symbols.join(''))
    .join('|');

describe('a dropped row', () => {
  it.each<[symbol: string, at: Drop, result: string]>([
    ['A', { symbol: 'C', below: true }, 'BCA|D|'],
    ['A', { symbol: 'C', below: false }, 'BAC|D|'],
    ['C', { symbol: 'A', below: false }, 'CAB|D|'],
    ['C', { symbol: 'A', below: true }, 'ACB|D|'],
    ['B', { symbol: 'D', below: false }, 'AC|BD|'],
    ['D', { symbol: 'B', below: true }, 'ABDC||'],
    ['B', { section: 2 }, 'AC|D|B'],
    ['B', { section: 0 }, 'BAC|D|'],
    ['B', { symbol: 'B', below: true }, 'ABC|D|'],
    ['Z', { symbol: 'B', below: true }, 'ABC|D|'],
  ])('%s at %o', (symbol, at, result) => {
    expect(after(symbol, at)).toBe(result);
  });
});
