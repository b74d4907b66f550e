// Service, market: a series of bars holds what a sorted list of objects would.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Bar } from '../engine/types.ts';
import { BarSeries, dayOf } from './bar-series.ts';

const price = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const barOn = (day: number) =>
  fc
    .record({ open: price, high: price, low: price, close: price, volume: fc.option(price) })
    .map((prices): Bar => ({ date: dateOf(day * DAY_MS), ...prices }));
const days = fc.uniqueArray(fc.integer({ min: -400, max: 25_000 }), { maxLength: 300, size: 'max' });
/** In random order, as files are written, and with the newest first. */
const orders = fc.oneof(
  days,
  days.map((list) => list.toSorted((a, b) => a - b)),
  days.map((list) => list.toSorted((a, b) => b - a)),
);

test('bars that come in any order are read by date, to the last digit', () => {
  fc.assert(
    fc.property(
      orders.chain((list) => fc.tuple(...list.map(barOn))),
      (bars) => {
        const series = new BarSeries();
        for (const bar of bars) series.insert(series.countTo(bar.date), bar);
        const expected = bars.toSorted((a, b) => dayOf(a.date) - dayOf(b.date));
        expect([...series]).toEqual(expected);
        expect([...BarSeries.of(expected)]).toEqual(expected);
        expect([...series.days()].map((day) => dateOf(day * DAY_MS))).toEqual(expected.map(({ date }) => date));
        expect([series.at(-1), series.at(0), series.at(bars.length)]).toEqual([
          expected.at(-1),
          expected[0],
          undefined,
        ]);
        expect(series.countTo('')).toBe(0);
      },
    ),
  );
});
