// Test: the range of the chart; where only closes are known, another step does not change it.
import { expect, test } from 'vitest';
import type { ChartModel } from '../../charts/model.ts';
import { intervalFor } from './shown-range.ts';

const DAY = 86_400_000;
/** Closes of 80 days at 21:00, without weekends; the last is of Friday 21 February 2025. */
const END = Date.parse('2025-02-21T21:00:00.000Z');
const closes = Array.from({ length: 80 }, (_, back) => END - (79 - back) * DAY).filter(
  (ms) => ![0, 6].includes(new Date(ms).getUTCDay()),
);
const base = { points: closes.map((ms) => ({ ms })) } as unknown as ChartModel;

test('the range by hours begins the chosen number of days before its end', () => {
  expect(intervalFor(base, { days: 30 }, 'hour')).toEqual({ from: END - 30 * DAY, to: END });
});

test('of closes alone it is that of days, whatever step is chosen', () => {
  const byDay = intervalFor(base, { days: 30 }, 'day');
  expect(byDay.from).toBeGreaterThan(END - 30 * DAY);
  expect(intervalFor(base, { days: 30 }, 'minute', 'day')).toEqual(byDay);
  expect(intervalFor(base, { days: 30 }, 'hour', 'day')).toEqual(byDay);
});

test('a custom range stays', () => {
  const interval = { from: END - DAY, to: END };
  expect(intervalFor(base, { interval }, 'hour', 'day')).toBe(interval);
});
