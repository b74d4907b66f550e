// Service, signals, test: closed days in columns.
import { expect, test } from 'vitest';
import { emptyPowers, FACTOR_CODES } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import type { Reading } from '../engine/types.ts';
import { type ClosedRow, type DayTrading, RowBuffer, tradingOf } from './closed-row.ts';

const known: Reading = {
  date: '2026-03-04',
  close: 101.25,
  state: 2,
  isWithheld: false,
  rule: 'exit_bounds',
  probability: 0.31,
  claim: 'further_fall',
  confidence: 31,
  baseRate: 11.9,
  regime: 'stress',
  regimeProbabilities: {
    calm_uptrend: 0.1,
    volatile_uptrend: 0,
    calm_downtrend: 0.2,
    volatile_downtrend: 0,
    stress: 0.7,
  },
  powers: Object.fromEntries(
    FACTOR_CODES.map((code, index) => [code, index === 3 ? null : index / 13]),
  ) as Reading['powers'],
  contributions: Object.fromEntries(FACTOR_CODES.map((code, index) => [code, -index / 66])) as Reading['contributions'],
  drawdownFraction: 0,
  breachLevel: 95.5,
};
const warming: Reading = {
  ...known,
  isWithheld: true,
  rule: null,
  probability: null,
  claim: 'event',
  confidence: null,
  baseRate: null,
  regime: null,
  regimeProbabilities: null,
  powers: emptyPowers(),
  contributions: emptyPowers(),
  drawdownFraction: null,
  breachLevel: null,
};

const whole = ({ reading }: { readonly reading: Reading }): unknown =>
  Object.fromEntries(Object.keys(known).map((name) => [name, reading[name as keyof Reading]]));

/** Every second day has closes alone, every third no volume. */
const tradingAt = (index: number): DayTrading => ({
  range: index % 2 === 0 ? null : { open: 99 + index, high: 102 + index, low: 98 + index },
  volume: index % 3 === 0 ? null : 1_000 + index,
});

test('a stored row equals its reading until `readable` newer rows are stored', () => {
  const rowBuffer = new RowBuffer(150);
  const days = Array.from({ length: 500 }, (_, index) => ({
    closedAt: 1_000 * index,
    trading: tradingAt(index),
    reading: { ...(index % 3 === 0 ? warming : known), close: 100 + index, regime: REGIMES[index % 6] ?? null },
  }));
  const rows: ClosedRow[] = [];
  for (const day of days) {
    rows.push(rowBuffer.keep(day));
    const readable = days.slice(Math.max(0, rows.length - 151), rows.length);
    const oldest = rows.length - readable.length;
    expect([rows[oldest], rows.at(-1)].map((row) => whole(row as ClosedRow))).toEqual([
      readable[0]?.reading,
      day.reading,
    ]);
  }
  for (const [index, day] of days.entries()) {
    if (index < days.length - 151) continue;
    expect(rows[index]?.closedAt).toBe(day.closedAt);
    expect(rows[index]?.trading).toEqual(day.trading);
    expect(whole(rows[index] as ClosedRow)).toEqual(day.reading);
  }
});

test('a bar with a single price has no range', () => {
  const bar = { date: '2026-03-02', open: 10, high: 12, low: 9, close: 11, volume: 500 };
  expect(tradingOf(bar)).toEqual({ range: { open: 10, high: 12, low: 9 }, volume: 500 });
  expect(tradingOf({ ...bar, open: 11, high: 11, low: 11, volume: null })).toEqual({ range: null, volume: null });
});

test('the memory of an expired row is reused', () => {
  const rowBuffer = new RowBuffer(63);
  const row = rowBuffer.keep({ closedAt: 0, reading: known, trading: tradingAt(1) });
  for (let index = 1; index <= 63; index += 1)
    rowBuffer.keep({ closedAt: index, reading: known, trading: tradingAt(1) });
  expect(row.closedAt).toBe(0);
  rowBuffer.keep({ closedAt: 64, reading: known, trading: tradingAt(1) });
  expect(row.closedAt).toBe(64);
});

test('the reading of a row is the same object at every access', () => {
  const row = new RowBuffer(1).keep({ closedAt: 1, reading: known, trading: tradingAt(1) });
  expect(row.reading).toBe(row.reading);
});
