// Test: what counts as a whole number of a range, as people type it.
import { expect, it } from 'vitest';
import { wholeOf } from './section.tsx';

it.each([
  ['30', 30],
  [' 36500 ', 36_500],
  ['29', null],
  ['36501', null],
  ['', null],
  ['1e3', null],
  ['-40', null],
  ['40.5', null],
  ['4O', null],
])('"%s"', (text, value) => {
  expect(wholeOf(text, 30, 36_500)).toBe(value);
});
