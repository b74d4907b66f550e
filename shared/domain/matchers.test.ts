// Test: the matchers of a silence.
import { expect, test } from 'vitest';
import {
  type AlertLabels,
  type Matcher,
  MatchersSchema,
  matches,
  onlySymbol,
  placementIn,
  placementsOf,
  sectionKey,
  symbolMatchers,
  symbolsAlone,
} from './matchers.ts';
import type { Watchlist } from './watchlists.ts';

const LISTS: Watchlist[] = [
  {
    id: 'desk',
    name: 'Desk list',
    sections: [
      { name: 'Core', symbols: ['SPY'] },
      { name: 'Sectors', symbols: ['XLF'] },
    ],
  },
  { id: 'own', name: 'Own', sections: [{ name: 'Core', symbols: ['SPY', 'BTC'] }] },
];
const placementOf = (symbol: string) => placementIn(placementsOf(LISTS), symbol);
const labels = (symbol: string | null, more: Partial<AlertLabels> = {}): AlertLabels => ({
  symbol,
  ...(symbol === null ? { lists: [], sections: [] } : placementOf(symbol)),
  class: symbol === null ? null : symbol === 'BTC' ? 'crypto' : 'etf',
  state: symbol === null ? null : 2,
  ...more,
});
const covered = (...matchers: Matcher[]): string =>
  ['SPY', 'XLF', 'BTC', 'ZZZ', null].filter((symbol) => matches(matchers, labels(symbol))).join(' ');

test('a symbol is in lists and in sections of lists', () => {
  expect(placementOf('SPY')).toEqual({ lists: ['desk', 'own'], sections: ['desk/Core', 'own/Core'] });
  expect(placementOf('ZZZ')).toEqual({ lists: [], sections: [] });
});

test.each<[string, Matcher[], string]>([
  ['a symbol', [{ name: 'symbol', operator: 'is', values: ['SPY'] }], 'SPY'],
  ['any of several', [{ name: 'symbol', operator: 'is', values: ['SPY', 'BTC'] }], 'SPY BTC'],
  ['all but one', [{ name: 'symbol', operator: 'is_not', values: ['SPY'] }], 'XLF BTC ZZZ'],
  ['a list', [{ name: 'list', operator: 'is', values: ['desk'] }], 'SPY XLF'],
  ['outside of a list, but in one', [{ name: 'list', operator: 'is_not', values: ['own'] }], 'XLF'],
  [
    'a section of that list alone',
    [{ name: 'section', operator: 'is', values: [sectionKey('own', 'Core')] }],
    'SPY BTC',
  ],
  ['a class', [{ name: 'class', operator: 'is', values: ['crypto'] }], 'BTC'],
  ['a state', [{ name: 'state', operator: 'is', values: [1] }], ''],
  [
    'all matchers',
    [
      { name: 'list', operator: 'is', values: ['own'] },
      { name: 'class', operator: 'is_not', values: ['crypto'] },
    ],
    'SPY',
  ],
])('matches %s', (_, matchers, expected) => {
  expect(covered(...matchers)).toBe(expected);
});

test('without matchers every alert is covered, also an event without a symbol', () => {
  expect(matches([], labels(null))).toBe(true);
});

test('an event that lacks the label is covered by neither operator', () => {
  for (const operator of ['is', 'is_not'] as const) {
    expect(matches([{ name: 'symbol', operator, values: ['SPY'] }], labels(null))).toBe(false);
    expect(matches([{ name: 'class', operator, values: ['fx'] }], labels('SPY', { class: null }))).toBe(false);
  }
});

test('matchers of symbols alone are read back', () => {
  expect([symbolMatchers(null), symbolsAlone([]), onlySymbol([])]).toEqual([[], null, null]);
  expect(symbolsAlone(symbolMatchers(['SPY', 'BTC']))).toEqual(['SPY', 'BTC']);
  expect([onlySymbol(symbolMatchers(['SPY', 'BTC'])), onlySymbol(symbolMatchers(['SPY']))]).toEqual([null, 'SPY']);
  expect(onlySymbol([{ name: 'symbol', operator: 'is_not', values: ['SPY'] }])).toBeNull();
});

test('values belong to their name', () => {
  const parse = (matcher: unknown) => MatchersSchema.safeParse([matcher]).success;
  expect(parse({ name: 'state', operator: 'is', values: [2] })).toBe(true);
  expect(parse({ name: 'state', operator: 'is', values: ['2'] })).toBe(false);
  expect(parse({ name: 'class', operator: 'is', values: ['bond'] })).toBe(false);
  expect(parse({ name: 'symbol', operator: 'is', values: [] })).toBe(false);
  expect(parse({ name: 'symbol', operator: '!=', values: ['SPY'] })).toBe(false);
});
