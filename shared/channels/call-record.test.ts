// Test: beside an alert stands the record of its own kind.
import { expect, test } from 'vitest';
import { recordOf } from './call-record.ts';
import type { ValidationRecord } from './queries.ts';

const row = (symbol: string, precision: number) => ({ symbol, holdout: { precision } });
const record = (live: object | null): ValidationRecord =>
  ({
    computed_at: '2026-11-20T21:00:00.000Z',
    symbols: [row('SPY', 0.4), row('QQQ', 0.5)],
    live,
  }) as unknown as ValidationRecord;
const liveTo = (to: string) =>
  record({ symbols: [row('SPY', 0.1)], windows: [{ symbol: 'SPY', from: '2024-01-02', to }] });
const found = (of: ValidationRecord, symbol: string, day?: string) => {
  const one = recordOf(of, symbol, day === undefined ? undefined : Date.parse(day));
  return one === null ? null : [one.kind, one.row.holdout.precision];
};

test('a symbol with prices within the day is judged within the day, another one at closes', () => {
  expect(found(liveTo('2026-11-20'), 'SPY')).toEqual(['live', 0.1]);
  expect(found(liveTo('2026-11-20'), 'QQQ')).toEqual(['closes', 0.5]);
  expect(found(liveTo('2026-11-20'), 'IWM')).toBeNull();
});

test('an alert of before or after those prices came at a close', () => {
  expect(found(liveTo('2026-11-20'), 'SPY', '2023-12-29')).toEqual(['closes', 0.4]);
  expect(found(liveTo('2026-11-20'), 'SPY', '2024-01-02')).toEqual(['live', 0.1]);
  expect(found(liveTo('2025-06-30'), 'SPY', '2025-06-30')).toEqual(['live', 0.1]);
  expect(found(liveTo('2025-06-30'), 'SPY', '2026-11-20')).toEqual(['closes', 0.4]);
  expect(found(liveTo('2025-06-30'), 'SPY')).toEqual(['closes', 0.4]);
});

test('an alert that is newer than the record belongs to the prices that still come', () => {
  expect(found(liveTo('2026-11-19'), 'SPY', '2027-03-01')).toEqual(['live', 0.1]);
});

test('a service with one record does not say which alerts it belongs to', () => {
  expect(found(record(null), 'SPY')).toEqual([null, 0.4]);
});
