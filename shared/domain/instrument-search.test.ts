// Test: instruments are found by symbol, name and class.
import { expect, test } from 'vitest';
import { type FindableInstrument, findInstruments } from './instrument-search.ts';

const INSTRUMENTS: readonly FindableInstrument[] = [
  { symbol: 'TSLA', name: 'Tesla, Inc.', asset_class: 'equity' },
  { symbol: 'MSFT', name: 'Microsoft Corp.', asset_class: 'equity' },
  { symbol: 'AMD', name: 'Advanced Micro Devices', asset_class: 'equity' },
  { symbol: 'XLK', name: 'Technology Sector ETF', asset_class: 'etf' },
  { symbol: 'XL', name: 'XL Fleet', asset_class: 'equity' },
  { symbol: 'AXL', name: 'American Axle', asset_class: 'equity' },
  { symbol: 'BTC', name: null, asset_class: null },
];
const found = (text: string, most = 9, preferred: readonly string[] = []) =>
  findInstruments(INSTRUMENTS, text, most, (symbol) => preferred.includes(symbol)).map(({ symbol }) => symbol);

test('by a word of the name, whole words before their beginnings', () => {
  expect(found('tesla')).toEqual(['TSLA']);
  expect(found('micro')).toEqual(['AMD', 'MSFT']);
  expect(found('micro dev')).toEqual(['AMD']);
});

test('by the symbol: itself, its beginning, its inside', () => {
  expect(found('xl')).toEqual(['XL', 'XLK', 'AXL']);
  expect(found('XLK')).toEqual(['XLK']);
  expect(found('btc')).toEqual(['BTC']);
  expect(found('xl', 2)).toEqual(['XL', 'XLK']);
});

test('by class, alone or with a word', () => {
  expect(found('etf')).toEqual(['XLK']);
  expect(found('stock tes')).toEqual(['TSLA']);
  expect(found('technology etf')).toEqual(['XLK']);
});

test('every word has to match, and no word matches nothing', () => {
  expect(found('tesla motors')).toEqual([]);
  expect(found('  ')).toEqual([]);
  expect(found('.*')).toEqual([]);
});

test('among equal matches the preferred ones come first', () => {
  expect(found('equity', 2)).toEqual(['AMD', 'AXL']);
  expect(found('equity', 2, ['TSLA'])).toEqual(['TSLA', 'AMD']);
});
