// Service, briefings, test: numbers, days, lists and tables.
import { expect, test } from 'vitest';
import { dayName, list, listUpTo, moved, percent, readingMinutes, signed, table, tally } from './format.ts';

test('numbers and counts', () => {
  expect([signed(0.0123), signed(-0.0123, 2), signed(0.0001), signed(-0.0004)]).toEqual([
    '+1.2 %',
    '−1.23 %',
    '0.0 %',
    '0.0 %',
  ]);
  expect([percent(-0.05), moved(-0.05), moved(0.004), moved(0.0001)]).toEqual([
    '5.0 %',
    'fell 5.0 %',
    'rose 0.4 %',
    'was little changed',
  ]);
  expect([tally(0, 'fund'), tally(1, 'fund'), tally(2, 'fund')]).toEqual(['0 funds', '1 fund', '2 funds']);
});

test('lists and days', () => {
  expect([list([]), list(['A']), list(['A', 'B']), list(['A', 'B', 'C'])]).toEqual(['', 'A', 'A and B', 'A, B and C']);
  expect(listUpTo(['A', 'B', 'C', 'D', 'E'], 3)).toBe('A, B, C and 2 more');
  expect(listUpTo(['A', 'B', 'C', 'D'], 3)).toBe('A, B, C and D');
  expect(dayName('2026-03-02')).toBe('Monday 2 March');
});

test('a table is Markdown with numbers aligned to the right', () => {
  expect(
    table(
      [
        ['Symbol', (symbol) => symbol],
        ['>Price', () => '1.00'],
      ],
      ['SPY'],
    ),
  ).toBe('| Symbol | Price |\n| --- | ---: |\n| SPY | 1.00 |');
  expect([readingMinutes('word'), readingMinutes('word '.repeat(700))]).toEqual([1, 3]);
});
