// Test: the order of a watchlist's rows, and its columns with a value.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../shared/channels/state.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { row, signal } from '../../../test/fixtures/window-fixtures.ts';
import type { Sort } from '../../store/preferences.ts';
import { symbolViewOf } from '../../store/select.ts';
import { filledColumns, listItems } from './list-order.ts';

const list: Watchlist = {
  id: 'l',
  name: 'L',
  sections: [
    { name: 'Core', symbols: ['SPY', 'BTC', 'QQQ'] },
    { name: 'Shares', symbols: ['AAPL'] },
    { name: 'Empty', symbols: [] },
  ],
};
/** 2 % above its breach level by default. */
const of = (symbol: string, state: 0 | 1 | 2, change: number | null, level = 98, fall = 0): Row =>
  row(symbol, state, {
    signal: signal(symbol, state, { change_pct: change, price: 100, breach_level: level, breach_progress: fall }),
  });
const rows: Record<string, Row> = {
  SPY: of('SPY', 0, 1),
  QQQ: of('QQQ', 2, -2, 101, 1.2),
  AAPL: of('AAPL', 2, null, 108, 3.4),
  BTC: row('BTC', 0, { coverage: 'regime_only', signal: null }),
};
const optionsOf = (sort: Sort | null, view = 'all', known = rows, lists: Watchlist[] = []) => ({
  ...{ sort, view, rows: known, lists },
  viewOf: (symbol: string) => symbolViewOf(known[symbol], false),
  order: riskOrder([], (symbol) => known[symbol]),
});
const lines = (...options: Parameters<typeof optionsOf>): string[] =>
  listItems(list, optionsOf(...options)).map((item) => (item.kind === 'head' ? `# ${item.name}` : item.symbol));
const by = (column: Sort['column'], descending = false): Sort => ({ column, descending });

describe('the order of a watchlist', () => {
  it('is the trader’s own, including an empty section', () => {
    expect(lines(null)).toEqual(['# Core', 'SPY', 'BTC', 'QQQ', '# Shares', 'AAPL', '# Empty']);
  });
  it('keeps the sections of a view that have a row', () => {
    expect(lines(null, 'state 2')).toEqual(['# Core', 'QQQ', '# Shares', 'AAPL']);
    expect(lines(null, 'class crypto')).toEqual([]);
  });
  it('by a column is one list; rows without a value come last both ways', () => {
    expect(lines(by('change'))).toEqual(['QQQ', 'SPY', 'BTC', 'AAPL']);
    expect(lines(by('change', true))).toEqual(['SPY', 'QQQ', 'BTC', 'AAPL']);
  });
  it('by distance begins with the one that is furthest past its breach level', () => {
    expect(lines(by('toBreach'))).toEqual(['AAPL', 'QQQ', 'SPY', 'BTC']);
  });
  it('by price or change has a symbol with regimes alone by its quote', () => {
    const quote = { price: 52_000, change_pct: 0.5, at: null, old: false };
    const quoted = { ...rows, BTC: row('BTC', 0, { coverage: 'regime_only', signal: null, quote }) };
    expect(lines(by('price', true), 'all', quoted)[0]).toBe('BTC');
    expect(lines(by('change', true), 'all', quoted)).toEqual(['SPY', 'BTC', 'QQQ', 'AAPL']);
  });
  it('by state begins with the deepest fall of the worst, as everywhere', () => {
    expect(lines(by('state', true))).toEqual(['AAPL', 'QQQ', 'SPY', 'BTC']);
    expect(lines(by('state'))).toEqual(['SPY', 'QQQ', 'AAPL', 'BTC']);
  });
  it('by name is that of the alphabet', () => {
    expect(lines(by('symbol'))).toEqual(['AAPL', 'BTC', 'QQQ', 'SPY']);
  });
  it('by the chance of a fall has a Normal row among the others', () => {
    expect(lines(by('chance', true))).toEqual(['SPY', 'QQQ', 'AAPL', 'BTC']);
  });
  it('by my risk begins with what costs most', () => {
    const holdings = { unit: 'quantity' as const, rows: [{ symbol: 'SPY', amount: 1 }] };
    expect(lines(by('risk', true), 'all', rows, [{ ...list, holdings }])[0]).toBe('SPY');
  });
  it('by my risk compares money with money of one currency; shares come after it, both ways', () => {
    const known = { ...rows, QQQ: of('QQQ', 1, 1), AAPL: of('AAPL', 1, 1), BTC: of('BTC', 1, 1) };
    const money = (symbol: string, amount: number, currency: string) => ({ symbol, amount, currency });
    const held = [money('SPY', 1, 'EUR'), money('QQQ', 2, 'EUR'), money('AAPL', 900, 'USD')];
    const lists: Watchlist[] = [
      { ...list, holdings: { unit: 'quantity', rows: held } },
      { ...list, holdings: { unit: 'weight', rows: [{ symbol: 'BTC', amount: 5000 }] } },
    ];
    expect(lines(by('risk', true), 'all', known, lists)).toEqual(['QQQ', 'SPY', 'AAPL', 'BTC']);
    expect(lines(by('risk'), 'all', known, lists)).toEqual(['SPY', 'QQQ', 'AAPL', 'BTC']);
  });
});

it('a column without a value in any row of the list is left out', () => {
  expect(filledColumns(list, optionsOf(null))).toEqual(['toBreach', 'chance', 'price', 'change']);
  const coins = { ...list, sections: [{ name: 'Coins', symbols: ['BTC'] }] };
  expect(filledColumns(coins, optionsOf(null))).toEqual([]);
  const holdings = { unit: 'weight' as const, rows: [{ symbol: 'SPY', amount: 40 }] };
  expect(filledColumns(list, optionsOf(null, 'all', rows, [{ ...list, holdings }]))).toContain('risk');
});
