// Test: the times of all delivery attempts.

import { expect, test } from 'vitest';
import { FAILING_LIMIT_MS, MAX_ATTEMPTS, retryWait } from './retry-ladder.ts';

/** Offsets of all attempts from the first one, ms. */
function offsets(random: () => number): number[] {
  const all = [0];
  for (let attempts = 1; ; attempts++) {
    const wait = retryWait(attempts, random);
    if (wait === null) return all;
    all.push((all.at(-1) ?? 0) + wait);
  }
}

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

test('without jitter the attempts are at 0, 5 s, 35 s, 2:35, 12:35, 1:12:35, and hourly up to 23:12:35', () => {
  const all = offsets(() => 0);
  expect(all).toHaveLength(MAX_ATTEMPTS);
  expect(all.slice(0, 7).map(clock)).toEqual([
    '00:00:00',
    '00:00:05',
    '00:00:35',
    '00:02:35',
    '00:12:35',
    '01:12:35',
    '02:12:35',
  ]);
  expect(clock(all.at(-1) ?? 0)).toBe('23:12:35');
});

test('jitter adds at most a tenth, and the maximum leaves room for 28 attempts of ten seconds in 24 h', () => {
  const least = offsets(() => 0);
  const most = offsets(() => 0.999_999);
  for (let attempt = 1; attempt < least.length; attempt++) {
    const low = (least[attempt] ?? 0) - (least[attempt - 1] ?? 0);
    const high = (most[attempt] ?? 0) - (most[attempt - 1] ?? 0);
    expect(high).toBeGreaterThan(low);
    expect(high).toBeLessThanOrEqual(low * 1.1);
  }
  expect((most.at(-1) ?? 0) + MAX_ATTEMPTS * 10_000).toBeLessThan(FAILING_LIMIT_MS);
});
