// Test: the names that the sandbox's headlines give to companies.
import { expect, test } from 'vitest';
import { shortName } from './sandbox.ts';

test('a headline names a company as people do, without its legal form and article', () => {
  expect(
    ['The Coca-Cola Company', 'Apple Inc.', 'Merck & Co.', 'SPDR S&P 500 ETF Trust', 'Exxon Mobil'].map(shortName),
  ).toEqual(['Coca-Cola', 'Apple', 'Merck', 'SPDR S&P 500', 'Exxon Mobil']);
});
