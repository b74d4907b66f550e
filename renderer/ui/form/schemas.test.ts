// Test: schemas of typed numbers, symbols and drafts.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { err, ok } from '../../../shared/lib/result.ts';
import { optionalSymbols, readDraft, readOptional, symbolsIn, typedNumber, wholeNumber } from './schemas.ts';

const messagesOf = (result: z.ZodSafeParseResult<unknown>) => result.error?.issues.map(({ message }) => message);

test('a whole number within the range is parsed; anything else is refused', () => {
  const days = wholeNumber(z.number().int().min(1).max(36_500), 'Whole days.');
  expect(days.parse('365')).toBe(365);
  expect(days.parse(' 30 ')).toBe(30);
  for (const text of ['', '0', '36501', '1.5', '1e3', '-1', 'one', '0x10', '1234567'])
    expect(messagesOf(days.safeParse(text)), text).toEqual(['Whole days.']);
});

test('an optional field is null if empty, and refused like the other', () => {
  const even = readOptional((text) => (Number(text) % 2 === 0 ? Number(text) : null), 'Even numbers.');
  expect([even.parse(' '), even.parse('4')]).toEqual([null, 4]);
  expect(messagesOf(even.safeParse('3'))).toEqual(['Even numbers.']);
});

test('symbols are parsed with any separator', () => {
  expect(symbolsIn('spy, QQQ;brk.b\n spy ?')).toEqual({ good: ['SPY', 'QQQ', 'BRK.B'], wrong: ['?'] });
  expect(optionalSymbols(() => 'No symbol.').parse(' ')).toBeNull();
});

test('a draft is refused at every path with an error', () => {
  const draft = readDraft<{ readonly fails: boolean }, string>(({ fails }) =>
    fails ? err({ name: 'A name.', 'hours.days': 'A day.' }) : ok('read'),
  );
  expect(draft.parse({ fails: false })).toBe('read');
  expect(draft.safeParse({ fails: true }).error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['name', 'A name.'],
    ['hours.days', 'A day.'],
  ]);
});

test.each([
  ['1,234', 1234],
  ['12,345', 12345],
  ['1,234,567', 1234567],
  ['1,234.5', 1234.5],
  ['100,000.25', 100000.25],
  ['0,985', 0.985],
  ['0,001', 0.001],
  ['00,985', 0.985],
  ['1,0845', 1.0845],
  ['1,5', 1.5],
  ['0.5', 0.5],
  ['.5', 0.5],
  [',5', 0.5],
  ['0', 0],
  ['0.985', 0.985],
  [' 1000 ', 1000],
  [' 1,234 ', 1234],
])('"%s" is the number %d', (text, value) => {
  expect(typedNumber(text)).toBe(value);
});

test.each([
  '',
  ' ',
  '1,234.5,6',
  '1.234,5',
  '1,23,456',
  '0,985,000',
  '012,345,678',
  ' 1 000 ',
  '-1',
  '+1',
  '1.',
  '1,',
  '1e3',
  '0x10',
  'one',
  'Infinity',
])('"%s" is no number', (text) => {
  expect(typedNumber(text)).toBeNaN();
});
