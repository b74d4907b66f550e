// Test: the ranges of the last days, and a range with a point.
import { describe, expect, it } from 'vitest';
import { lastDays, rangeWith } from './chart-range.ts';

describe('the last days', () => {
  const day = 86_400_000;
  it('the days of a range are counted by the calendar, not by points', () => {
    const weekdays = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].map((index) => index * day);
    expect(lastDays(weekdays, 8)).toEqual({ from: 4, to: 9 });
  });
  it('a range is never narrower than can be shown', () => {
    expect(lastDays([0, day, 2 * day, 3 * day, 4 * day, 5 * day], 1)).toEqual({ from: 1, to: 5 });
    expect(lastDays([], 30)).toEqual({ from: 0, to: 0 });
  });
});

describe('the range with a point', () => {
  const range = { from: 60, to: 89 };
  it('the shown range is the same object while the point is within', () => {
    for (const index of [60, 75, 89]) expect(rangeWith(range, index)).toBe(range);
  });
  it('moves as far as it must, and keeps its width', () => {
    expect(rangeWith(range, 59)).toEqual({ from: 59, to: 88 });
    expect(rangeWith(range, 0)).toEqual({ from: 0, to: 29 });
    expect(rangeWith({ from: 0, to: 29 }, 89)).toEqual({ from: 60, to: 89 });
    expect(rangeWith({ from: 10.5, to: 20.25 }, 10)).toEqual({ from: 10, to: 19.75 });
  });
});
