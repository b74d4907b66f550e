// Service, signals, test: closed days in columns.
import { expect, test } from 'vitest';
import { emptyPowers, FACTOR_CODES } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import type { Reading } from '../engine/types.ts';
import { type ClosedRow, RowBuffer } from './closed-row.ts';

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

test('a stored row equals its reading until `readable` newer rows are stored', () => {
  const rowBuffer = new RowBuffer(150);
  const days = Array.from({ length: 500 }, (_, index) => ({
    closedAt: 1_000 * index,
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
    expect(whole(rows[index] as ClosedRow)).toEqual(day.reading);
  }
});

test('the memory of an expired row is reused', () => {
  const rowBuffer = new RowBuffer(63);
  const row = rowBuffer.keep({ closedAt: 0, reading: known });
  for (let index = 1; index <= 63; index += 1) rowBuffer.keep({ closedAt: index, reading: known });
  expect(row.closedAt).toBe(0);
  rowBuffer.keep({ closedAt: 64, reading: known });
  expect(row.closedAt).toBe(64);
});

test('the reading of a row is the same object at every access', () => {
  const row = new RowBuffer(1).keep({ closedAt: 1, reading: known });
  expect(row.reading).toBe(row.reading);
});
