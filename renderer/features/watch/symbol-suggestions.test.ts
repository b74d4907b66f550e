// Test: the suggestions of the field that adds symbols.
import { expect, test } from 'vitest';
import type { FindableInstrument } from '../../../shared/domain/instrument-search.ts';
import { suggestionsFor } from './add-symbols.tsx';

const ALL: readonly FindableInstrument[] = [
  { symbol: 'SPY', name: 'S&P 500 ETF', asset_class: 'etf' },
  { symbol: 'TSLA', name: 'Tesla, Inc.', asset_class: 'equity' },
  { symbol: 'BRK.B', name: 'Berkshire Hathaway', asset_class: 'equity' },
];
const get = (symbol: string) => ALL.find((one) => one.symbol === symbol);
const all = { all: ALL, get, isCovered: (symbol: string) => get(symbol) !== undefined };
const suggested = (text: string, instruments = all as Parameters<typeof suggestionsFor>[1]) => {
  const { head, options, isFirstChosen } = suggestionsFor(text, instruments);
  const names = options.map(({ symbol, instrument }) => (instrument === null ? `${symbol}?` : symbol));
  return [head, names.join(' '), isFirstChosen];
};

test('a name suggests its symbol, chosen by Enter; what is not covered comes last', () => {
  expect(suggested('tesla')).toEqual(['', 'TSLA TESLA?', true]);
  expect(suggested('berkshire hat')).toEqual(['', 'BRK.B', true]);
});

test('a symbol of the service is taken as typed', () => {
  expect(suggested('spy')).toEqual(['', 'SPY', false]);
  expect(suggested('brk.b')).toEqual(['', 'BRK.B', false]);
});

test('after other symbols, only the end is replaced', () => {
  expect(suggested('SPY, berkshire hath')).toEqual(['SPY, ', 'BRK.B', true]);
  expect(suggested('SPY tes')).toEqual(['SPY ', 'TSLA TES?', true]);
  expect(suggested('SPY, ')).toEqual(['SPY, ', '', false]);
});

test('an unknown symbol alone is not chosen by Enter before it was typed to its end', () => {
  expect(suggested('zzzz')).toEqual(['', 'ZZZZ?', false]);
});

test('while the service has not listed its instruments nothing is called uncovered', () => {
  expect(suggested('zzzz', { all: [], get: () => undefined, isCovered: () => null })).toEqual(['', '', false]);
});
