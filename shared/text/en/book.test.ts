// Test: the one sentence about what is at stake, and its figure.
import { expect, test } from 'vitest';
import type { Stake } from '../../domain/holdings.ts';
import { book } from './book.ts';

const FALL: Stake = {
  ...{ of: 'fall', isFurther: false, quantity: 40, money: 867, currency: 'USD', share: 1.26, part: 'book' },
};

test.each<[string, Partial<Stake>, string, string]>([
  ['a fall', {}, 'It would cost me 867 USD, 1.2 % of my book.', '867 · 1.2 %'],
  ['a further fall', { isFurther: true }, 'It would cost me 867 USD more, 1.2 % of my book.', '867 · 1.2 %'],
  ['a whole position', { of: 'position' }, 'I hold 867 USD of it, 1.2 % of my book.', '867 · 1.2 %'],
  ['no currency', { currency: null }, 'It would cost me 867, 1.2 % of my book.', '867 · 1.2 %'],
  [
    'several currencies',
    { part: 'currency' },
    'It would cost me 867 USD, 1.2 % of my USD positions.',
    '867 USD · 1.2 %',
  ],
  [
    'a book of which not all has a price',
    { part: 'priced' },
    'It would cost me 867 USD, 1.2 % of the part of my book that has a price.',
    '867 · 1.2 %',
  ],
  ['weights', { money: null, currency: null }, 'It would cost me 1.2 % of my book.', '1.2 %'],
  ['a weight', { of: 'position', money: null, currency: null }, 'It is 1.2 % of my book.', '1.2 %'],
  ['little', { money: 4.256, share: 0.01 }, 'It would cost me 4.26 USD, less than 0.1 % of my book.', '4.26 · < 0.1 %'],
  ['no price', { money: null, share: null }, 'I hold 40 of it; what it is worth is not known.', 'no price'],
  [
    'a small quantity without a price',
    { quantity: 0.00412349, money: null, share: null },
    'I hold 0.004123 of it; what it is worth is not known.',
    'no price',
  ],
])('what is at stake, of %s', (_, more, sentence, figure) => {
  const stake = { ...FALL, ...more };
  expect([book.stake(stake), book.stakeFigure(stake)].map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    sentence,
    figure,
  ]);
});

test('a quantity never vanishes', () => {
  expect([1234.5, 1, 0.99996, 0.0042, 0.0000085].map(book.quantity)).toEqual([
    '1,234.5',
    '1',
    '1',
    '0.0042',
    '0.0000085',
  ]);
});
