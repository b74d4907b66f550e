// Test: the date of an instant.
import { expect, test } from 'vitest';
import { DAY_MS, dateOf } from './time.ts';

test('the first and the last millisecond of a day have its date, however often they are asked for', () => {
  for (const midnight of [Date.parse('1969-12-31'), Date.parse('2000-02-29'), Date.parse('2026-03-02')]) {
    const date = new Date(midnight).toISOString().slice(0, 10);
    for (const at of [midnight, midnight + DAY_MS - 1, midnight])
      expect([dateOf(at), dateOf(at - DAY_MS), dateOf(at + DAY_MS)]).toEqual([
        date,
        new Date(midnight - DAY_MS).toISOString().slice(0, 10),
        new Date(midnight + DAY_MS).toISOString().slice(0, 10),
      ]);
  }
});

test('more days than are kept', () => {
  for (let day = 0; day < 60_000; day += 1) dateOf(day * DAY_MS);
  expect(dateOf(0)).toBe('1970-01-01');
});

test('what is no date is refused', () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 9e15]) expect(() => dateOf(at)).toThrow(RangeError);
});
