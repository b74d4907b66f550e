// Service, signals, test: closed days in columns.
import { expect, test } from 'vitest';
import { emptyPowers, FACTOR_CODES } from '../../shared/domain/factors.ts';
import { REGIMES } from '../../shared/domain/regimes.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Reading } from '../engine/types.ts';
import { type ClosedRow, ClosedRows, type DayTrading, type RowStore, tradingOf } from './closed-row.ts';

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

const dayAt = (index: number): ClosedRow => ({
  closedAt: 1_000 * index,
  trading: tradingAt(index),
  reading: {
    ...(index % 3 === 0 ? warming : known),
    date: new Date(index * DAY_MS).toISOString().slice(0, 10),
    close: 100 + index,
    regime: REGIMES[index % 6] ?? null,
  },
});

function memoryStore(): RowStore & { readonly blocks: Map<number, Float64Array> } {
  const blocks = new Map<number, Float64Array>();
  let id = 0;
  return {
    blocks,
    write(numbers, over) {
      const at = over ?? ++id;
      blocks.set(at, numbers.slice());
      return at;
    },
    read: (wanted) => blocks.get(wanted) ?? expect.fail(`block ${wanted}`),
  };
}

test.each([
  ['in memory', null],
  ['in a store', memoryStore()],
])('the newest two years of rows equal their readings: %s, after any number, and after a restart', (_, store) => {
  let rows = new ClosedRows(store);
  for (let index = 0; index < 2_000; index++) {
    rows.push(dayAt(index));
    if (index % 97 === 0) rows = new ClosedRows(store, structuredClone(rows.save()));
    if (index % 61 !== 0) continue;
    const count = rows.all.length;
    expect(count === index + 1 || (count > 740 && count <= 832)).toBe(true);
    for (const [at, row] of rows.all.entries()) {
      const day = dayAt(index + 1 - count + at);
      expect([row.closedAt, row.trading, whole(row)]).toEqual([day.closedAt, day.trading, whole(day)]);
    }
  }
  if (store !== null) expect(rows.storedBlocks().toSorted()).toEqual([...store.blocks.keys()].toSorted());
});

test('a bar with a single price has no range', () => {
  const bar = { date: '2026-03-02', open: 10, high: 12, low: 9, close: 11, volume: 500 };
  expect(tradingOf(bar)).toEqual({ range: { open: 10, high: 12, low: 9 }, volume: 500 });
  expect(tradingOf({ ...bar, open: 11, high: 11, low: 11, volume: null })).toEqual({ range: null, volume: null });
});

test('rows stay in memory while the store takes none', () => {
  const rows = new ClosedRows({ ...memoryStore(), write: () => null });
  for (let index = 0; index < 200; index++) rows.push(dayAt(index));
  expect(rows.all.map(({ closedAt }) => closedAt)).toEqual(Array.from({ length: 200 }, (_, index) => 1_000 * index));
  expect(whole(rows.all[0] as ClosedRow)).toEqual(whole(dayAt(0)));
});

test('the reading of a row is the same object at every access', () => {
  const rows = new ClosedRows();
  rows.push(dayAt(0));
  expect(rows.all[0]?.reading).toBe(rows.all[0]?.reading);
});

test('rows of the symbols that one answer compares are made once, also after each of them has a new close', () => {
  const symbols = Array.from({ length: 45 }, () => new ClosedRows());
  for (let index = 0; index < 3; index++) {
    for (const rows of symbols) rows.push(dayAt(index));
    const made = symbols.map((rows) => rows.all);
    expect(symbols.every((rows, symbol) => rows.all === made[symbol])).toBe(true);
  }
});
