// Test: which notification an event joins: the third within a minute, of one instant, never an acknowledged one.
import { expect, test } from 'vitest';
import type { RecentNotification } from '../ledger/notification-growth.ts';
import { joinedBy } from './growth.ts';

const NOW = 1_000_000_000;
const SECOND = 1_000;
const recent = (id: string, ago: number, more: Partial<RecentNotification> = {}): RecentNotification => ({
  id,
  at: NOW - ago,
  isDigest: false,
  revision: 1,
  occurredAt: null,
  isAcknowledged: false,
  ...more,
});
const joined = (...all: RecentNotification[]): string | null => joinedBy(all, 77, NOW);

test('the first two within a minute have their own; the third joins the second', () => {
  expect(joined()).toBeNull();
  expect(joined(recent('a', SECOND))).toBeNull();
  expect(joined(recent('b', SECOND), recent('a', 59 * SECOND))).toBe('b');
  expect(joined(recent('b', SECOND), recent('a', 60 * SECOND))).toBeNull();
});

test('one that grew goes on growing until a minute passes without an event', () => {
  const grown = { isDigest: true, revision: 9 };
  expect(joined(recent('a', 59 * SECOND, grown))).toBe('a');
  expect(joined(recent('a', 60 * SECOND, grown))).toBeNull();
});

test('of one instant it is always one, whatever came between', () => {
  const same = recent('same', 300 * SECOND, { occurredAt: 77 });
  expect(joined(recent('other', SECOND, { isDigest: true }), same)).toBe('same');
});

test('none joins an acknowledged one, one that names a thousand, or one of a clock that was set back', () => {
  expect(joined(recent('b', SECOND, { isAcknowledged: true, occurredAt: 77 }))).toBeNull();
  expect(joined(recent('b', SECOND, { isAcknowledged: true }), recent('a', 2 * SECOND))).toBe('a');
  expect(joined(recent('a', SECOND, { isDigest: true, revision: 1_000, occurredAt: 77 }))).toBeNull();
  expect(joined(recent('a', -SECOND, { isDigest: true }))).toBeNull();
});
