// Service, limits, test: a month under a clock that is set back, and a minute with many callers.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { IN_MEMORY, openStore } from '../store/store.ts';
import { createQuota, monthOf } from './quota.ts';
import { createWindows } from './windows.ts';

const MARCH = Date.parse('2026-03-01T00:00:00.000Z');
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('a clock that is set back into the previous month and forward again loses no call and counts none twice', async () => {
  const store = openStore(IN_MEMORY, { environment: 'production', seed: null, clock: 'real' });
  try {
    store.keys.addAccount({ id: 'acct', plan: null, hardCap: false, contract: null, ownerEmail: null }, MARCH);
    const clock = createManualClock(MARCH);
    const quota = createQuota(store, clock, silent);
    quota.count('acct', MARCH);
    quota.count('acct', MARCH + 1);
    expect(quota.used('acct', MARCH - 1)).toBe(0);
    quota.count('acct', MARCH - 1);
    // None of this is written yet.
    expect(store.usage.calls('acct', '2026-03')).toBe(0);
    quota.count('acct', MARCH + 2);
    expect(quota.used('acct', MARCH + 2)).toBe(3);
    quota.flush();
    expect(['2026-02', '2026-03'].map((month) => store.usage.calls('acct', month))).toEqual([1, 3]);
    expect([quota.used('acct', MARCH - 1), quota.used('acct', MARCH)]).toEqual([1, 3]);
  } finally {
    store.close();
  }
});

test('a month begins and ends in UTC, also at the end of a year', () => {
  expect(monthOf(MARCH - 1)).toEqual({ name: '2026-02', begin: Date.UTC(2026, 1, 1), end: MARCH });
  expect(monthOf(MARCH).name).toBe('2026-03');
  expect(monthOf(Date.UTC(2026, 11, 31, 23, 59)).end).toBe(Date.UTC(2027, 0, 1));
});

test('a month of the first century is no month of the twentieth', () => {
  const instant = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  expect(monthOf(instant('0099-12-05'))).toEqual({
    name: '0099-12',
    begin: instant('0099-12-01'),
    end: instant('0100-01-01'),
  });
});

test('beyond the limit of separate callers in a minute, known ones have their own count and the rest share one', () => {
  const windows = createWindows();
  const endpoint = { path: '/signal' };
  for (let who = 0; who < 10_000; who += 1) windows.count(endpoint, `ip_${who}`, MARCH);
  windows.count(endpoint, 'ip_0', MARCH);
  windows.count(endpoint, 'late_1', MARCH);
  windows.count(endpoint, 'late_2', MARCH);
  const used = (who: string, now = MARCH): number => windows.used(endpoint, who, now);
  expect([used('ip_0'), used('ip_9999'), used('late_1'), used('late_3')]).toEqual([2, 1, 2, 2]);
  expect(used('ip_0', MARCH + 60_000)).toBe(0);
});
