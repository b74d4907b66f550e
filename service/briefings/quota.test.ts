// Service, briefings, test: the limits on transition briefings.
import { expect, test } from 'vitest';
import { createQuota } from './quota.ts';

const at = (hour: number, day = 2): number => Date.UTC(2026, 2, day, hour);
const of = (...symbols: string[]): { symbol: string }[] => symbols.map((symbol) => ({ symbol }));

test('at most one in four hours, one a day per symbol, and six a day', () => {
  const quota = createQuota();
  expect(quota.take(at(1), of('SPY'))).toBe(true);
  expect(quota.take(at(2), of('QQQ'))).toBe(false);
  expect(quota.take(at(5), of('SPY'))).toBe(false);
  expect(quota.take(at(6), of('SPY', 'IWM'))).toBe(true);
  expect(quota.take(at(9), of('IWM'))).toBe(false);
  expect(quota.take(at(0, 3), of('SPY'))).toBe(true);
  let taken = 0;
  for (let hour = 0; hour < 24; hour++) if (quota.take(at(hour, 4), of(`S${hour}`))) taken += 1;
  expect(taken).toBe(6);
});

test('existing briefings count', () => {
  const quota = createQuota();
  quota.count(at(1), ['SPY']);
  expect(quota.take(at(3), of('QQQ'))).toBe(false);
  expect(quota.take(at(4), of('SPY'))).toBe(false);
  expect(quota.take(at(4), of('QQQ'))).toBe(true);
});
