// Test: the age of prices in days.
import { expect, test } from 'vitest';
import { daysOld, isOld, newestOldPrice } from './price-age.ts';

test('whole days since the session day', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect([daysOld('2026-11-23', now), daysOld('2026-07-24', now), daysOld('2014-01-03', now)]).toEqual([0, 122, 4707]);
  expect(daysOld('2026-11-24', now)).toBe(0);
});

test('a long weekend is not old', () => {
  expect([isOld(4), isOld(7), isOld(8)]).toEqual([false, false, true]);
});

test('prices are old where the service says so of each', () => {
  const row = (data_health: string | undefined, decided_at: string | null, coverage = 'full') => ({
    coverage,
    signal: { data_health, decided_at },
  });
  const old = [row('stale', '2026-07-24T20:00:00.000Z'), row('stale', '2014-01-03T21:00:00.000Z')];
  expect(newestOldPrice(old)).toBe('2026-07-24T20:00:00.000Z');
  expect(newestOldPrice([...old, { coverage: 'none', signal: null }])).toBe('2026-07-24T20:00:00.000Z');
  expect(newestOldPrice([...old, row('current', '2026-11-20T21:00:00.000Z')])).toBeNull();
  expect(newestOldPrice([...old, row(undefined, '2026-11-20T21:00:00.000Z')])).toBeNull();
  expect(newestOldPrice([])).toBeNull();
});
