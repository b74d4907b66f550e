// Service, briefings, test: numbers, days, lists and tables.
import { expect, test } from 'vitest';
import { createChoice } from './choice.ts';
import {
  capital,
  count,
  dayName,
  list,
  listUpTo,
  many,
  moved,
  percent,
  readingMinutes,
  signed,
  table,
} from './format.ts';

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
  expect([count(0), count(12), count(13), many(1, 'fund'), many(2, 'fund'), capital(many(0, 'fund'))]).toEqual([
    'no',
    'twelve',
    '13',
    'one fund',
    'two funds',
    'No funds',
  ]);
});

test('lists and days', () => {
  expect([list([]), list(['A']), list(['A', 'B']), list(['A', 'B', 'C'])]).toEqual(['', 'A', 'A and B', 'A, B and C']);
  expect(listUpTo(['A', 'B', 'C', 'D', 'E'], 3)).toBe('A, B, C and two more');
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

test('a draw is the same for the same names and differs for others', () => {
  const items = Array.from({ length: 20 }, (_, index) => index);
  const draw = (...names: string[]): number[] => createChoice(...names).shuffle(items);
  expect(draw('sandbox:7', 'a')).toEqual(draw('sandbox:7', 'a'));
  expect(draw('sandbox:7', 'a')).not.toEqual(draw('sandbox:8', 'a'));
  expect(draw('x').toSorted((a, b) => a - b)).toEqual(items);
  const picks = new Set(
    Array.from({ length: 200 }, (_, index) => createChoice('p', String(index)).pick(['a', 'b', 'c'])),
  );
  expect(picks.size).toBe(3);
});
