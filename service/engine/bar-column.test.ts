// Service, engine, test: bars in columns.
import { expect, test } from 'vitest';
import { BarColumn } from './bar-column.ts';
import type { Bar } from './types.ts';

const bars: Bar[] = Array.from({ length: 1_000 }, (_, index) => ({
  date: new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10),
  open: 100 + index / 3,
  high: 101 + index / 3,
  low: 99 + index / 7,
  close: 100.5 + index / 3,
  volume: index % 5 === 0 ? null : 1e6 + index,
}));

test('a column returns all bars pushed into it', () => {
  const grown = new BarColumn(0);
  for (const bar of bars) grown.push(bar);
  for (const column of [grown, BarColumn.of(bars)]) {
    expect(column.length).toBe(bars.length);
    expect(column.bars()).toEqual(bars);
    for (const index of [0, 255, 256, 383, 384, 999]) expect(column.at(index)).toEqual(bars[index]);
  }
});

test('an empty column has no bars', () => {
  expect(new BarColumn().bars()).toEqual([]);
});
