// Test: the figures of a record: published intervals, a stable order, self-describing lines.
import { describe, expect, it } from 'vitest';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import { interval } from '../../../shared/domain/record-plots.ts';
import { inOrder, nextSort, precisionInterval, recallInterval, recordCsv } from './score.ts';

const metrics = {
  recall: 0.875,
  precision: 0.4,
  f1: 0.549,
  n_signals: 25,
  events: 8,
  calls: { right: 8, wrong: 12, late: 5 },
};
const row = (symbol: string, more: Partial<typeof metrics> = {}) => ({
  symbol,
  full: { ...metrics, n_signals: 100 },
  holdout: { ...metrics, ...more },
  holdout_from: '2022-02-01',
});

describe('intervals', () => {
  it('are Wilson’s', () => {
    const found = interval(8, 20);
    expect(found?.low).toBeCloseTo(0.242, 3);
    expect(found?.high).toBeCloseTo(0.581, 3);
    expect(interval(0, 5)?.low).toBe(0);
    expect(interval(5, 5)?.high).toBeCloseTo(1, 9);
    expect(interval(0, 0)).toBeNull();
  });
  it('use the scored calls for precision, and the events for recall', () => {
    expect(precisionInterval(metrics)).toEqual(interval(8, 20));
    expect(precisionInterval({ ...metrics, calls: null })).toEqual(interval(10, 25));
    expect(recallInterval(metrics)).toEqual(interval(7, 8));
    expect(recallInterval({ ...metrics, events: null })).toBeNull();
  });
});

describe('order', () => {
  const rows = [row('QQQ', { f1: 0.6 }), row('IWM'), row('SPY')];
  const symbols = (sorted: typeof rows | ReturnType<typeof inOrder>): string[] => sorted.map(({ symbol }) => symbol);
  it('is by the hold-out figure, equal ones by symbol', () => {
    expect(symbols(inOrder(rows, { column: 'f1', descending: true }))).toEqual(['QQQ', 'IWM', 'SPY']);
    expect(symbols(inOrder(rows, { column: 'f1', descending: false }))).toEqual(['IWM', 'SPY', 'QQQ']);
    expect(symbols(inOrder(rows, { column: 'symbol', descending: true }))).toEqual(['SPY', 'QQQ', 'IWM']);
  });
  it('is reversed when a column is chosen again', () => {
    expect(nextSort({ column: 'f1', descending: true }, 'f1')).toEqual({ column: 'f1', descending: false });
    expect(nextSort({ column: 'f1', descending: true }, 'symbol')).toEqual({ column: 'symbol', descending: false });
  });
});

it('a line of the file names its window, its model and its day', () => {
  const record = {
    computed_at: '2026-11-01T06:00:00.000Z',
    model_version: '=cmd',
    symbols: [row('SPY')],
  } as unknown as ValidationRecord;
  const [head, full, holdout] = recordCsv(record).split('\n');
  expect(head).toBe(
    'symbol,window,recall,precision,f1,n_signals,events,right,wrong,late,holdout_from,model_version,computed_at,alerts',
  );
  expect(full).toMatch(/^SPY,full,0\.875,0\.4,0\.549,100,8,8,12,5,2022-02-01,/);
  expect(holdout).toContain("'=cmd");
});
