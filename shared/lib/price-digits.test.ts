// Test: decimals of prices, from indices to coins far below a cent.
import { expect, test } from 'vitest';
import { priceDigits, roundedPrice } from './price-digits.ts';

test('small prices keep four digits that are not zero', () => {
  expect([48_213.5, 10, 9.99, 1.07, 0.1, 0.0999, 0.01, 0.0000085, 0, 1e-300].map(priceDigits)).toEqual([
    2, 2, 4, 4, 4, 5, 5, 9, 4, 12,
  ]);
  expect([524.40234, 1.07123, 0.000008512345].map((price) => roundedPrice(price))).toEqual([
    524.4, 1.0712, 0.000008512,
  ]);
  expect([524.40234, 0.000008512345].map((price) => roundedPrice(price, 4))).toEqual([524.4023, 0.000008512]);
});
