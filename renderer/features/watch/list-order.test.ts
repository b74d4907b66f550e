// Test: the order of a watchlist's rows.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../shared/channels/state.ts';
import { riskOrder } from '../../../shared/domain/risk-order.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import { iso, row, signal, T0 } from '../../../test/fixtures/window-fixtures.ts';
import type { Grouping, Sort } from '../../store/preferences.ts';
import { symbolViewOf } from '../../store/select.ts';
import { listItems } from './list-order.ts';

const list: Watchlist = {
  id: 'l',
  name: 'L',
  sections: [
    { name: 'Core', symbols: ['SPY', 'BTC', 'QQQ'] },
    { name: 'Shares', symbols: ['AAPL'] },
    { name: 'Empty', symbols: [] },
  ],
};
const of = (symbol: string, state: 0 | 1 | 2, change: number | null, hours: number, fall = 0): Row =>
  row(symbol, state, {
    signal: signal(symbol, state, {
      ...{ change_pct: change, since: iso(T0 - hours * 3_600_000), breach_progress: fall },
    }),
  });
const rows: Record<string, Row> = {
  SPY: of('SPY', 0, 1, 3),
  QQQ: of('QQQ', 2, -2, 1, 1.2),
  AAPL: of('AAPL', 2, null, 9, 3.4),
  BTC: row('BTC', 0, { coverage: 'regime_only', signal: null }),
};
const lines = (grouping: Grouping, sort: Sort | null = null): string[] =>
  listItems(list, {
    grouping,
    sort,
    rows,
    viewOf: (symbol) => symbolViewOf(rows[symbol], false),
    order: riskOrder([], (symbol) => rows[symbol]),
    offlineHeading: 'Not seen',
  }).map((item) => (item.kind === 'head' ? `# ${item.name}` : item.symbol));

describe('the order of a watchlist', () => {
  it('is the trader’s own, including an empty section', () => {
    expect(lines('sections')).toEqual(['# Core', 'SPY', 'BTC', 'QQQ', '# Shares', 'AAPL', '# Empty']);
  });
  it('sorts within each section; rows without a value come last both ways', () => {
    const sort = { column: 'change', descending: false } as const;
    expect(lines('sections', sort).slice(0, 4)).toEqual(['# Core', 'QQQ', 'SPY', 'BTC']);
    expect(lines('sections', { ...sort, descending: true }).slice(0, 4)).toEqual(['# Core', 'SPY', 'QQQ', 'BTC']);
  });
  it('sorts a symbol with regimes alone by its quote', () => {
    const quote = { price: 52_000, change_pct: 0.5, at: null, old: false };
    const quoted: Record<string, Row> = {
      ...rows,
      BTC: row('BTC', 0, { coverage: 'regime_only', signal: null, quote }),
    };
    const sorted = (column: 'price' | 'change') =>
      listItems(list, {
        grouping: 'none',
        sort: { column, descending: true },
        rows: quoted,
        viewOf: (symbol) => symbolViewOf(quoted[symbol], false),
        order: riskOrder([], (symbol) => quoted[symbol]),
        offlineHeading: 'Not seen',
      }).flatMap((item) => (item.kind === 'head' ? [] : [item.symbol]));
    expect(sorted('price')[0]).toBe('BTC');
    expect(sorted('change')).toEqual(['SPY', 'BTC', 'QQQ', 'AAPL']);
  });
  it('groups by state, and within it the deepest fall comes first, as everywhere; empty states are left out', () => {
    expect(lines('state')).toEqual(['# High Risk', 'AAPL', 'QQQ', '# Normal', 'SPY', '# Not seen', 'BTC']);
    const byState = { column: 'state', descending: true } as const;
    expect(lines('none', byState)).toEqual(['AAPL', 'QQQ', 'SPY', 'BTC']);
    expect(lines('none', { ...byState, descending: false })).toEqual(['SPY', 'QQQ', 'AAPL', 'BTC']);
  });
  it('is one group by duration of the state, or by name', () => {
    expect(lines('none', { column: 'since', descending: true })).toEqual(['AAPL', 'SPY', 'QQQ', 'BTC']);
    expect(lines('none', { column: 'symbol', descending: false })).toEqual(['AAPL', 'BTC', 'QQQ', 'SPY']);
  });
  it('sorts by the chance of the warned fall, which a Normal row has too', () => {
    const sort = { column: 'confidence', descending: true } as const;
    expect(lines('none', sort)).toEqual(['SPY', 'QQQ', 'AAPL', 'BTC']);
  });
});
