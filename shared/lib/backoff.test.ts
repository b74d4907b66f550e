// Test: back-off stays below its ceiling and respects Retry-After.

import { expect, test } from 'vitest';
import { backoffDelay, retryAfter } from './backoff.ts';

const options = { base: 1000, cap: 30_000 };

test('the ceiling doubles up to the cap and the wait is anywhere below it', () => {
  const almostOne = () => 0.999_999;
  expect([0, 1, 2, 5, 10, 4000].map((attempt) => backoffDelay(attempt, options, almostOne))).toEqual([
    999, 1999, 3999, 29_999, 29_999, 29_999,
  ]);
  expect(backoffDelay(5, options, () => 0)).toBe(0);
});

test('Retry-After is a floor', () => {
  expect(backoffDelay(0, options, () => 0.5, 7000)).toBe(7000);
  expect(backoffDelay(10, options, () => 0.5, 7000)).toBe(15_000);
});

test.each([
  ['120', 120_000],
  [' 3 ', 3000],
  ['Sat, 21 Nov 2026 12:00:10 GMT', 10_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['', null],
  [null, null],
])('Retry-After %j is %j ms', (header, wait) => {
  expect(retryAfter(header, Date.parse('2026-11-21T12:00:00Z'))).toBe(wait);
});
