// Test: which notification an event joins: the newest of its group within the interval, or one of the same instant.
import { expect, test } from 'vitest';
import { DEFAULT_GROUPING, type Grouping } from '../../../shared/settings/alert-rules.ts';
import type { RecentNotification } from '../ledger/notification-growth.ts';
import { type Groups, groupOf, joinedBy } from './groups.ts';

const NOW = 1_000_000_000;
const SECOND = 1_000;
const recent = (id: string, ago: number, more: Partial<RecentNotification> = {}): RecentNotification => ({
  id,
  at: NOW - ago,
  revision: 1,
  occurredAt: null,
  isAcknowledged: false,
  symbol: 'SPY',
  class: 'etf',
  ...more,
});
const EVENT = { labels: { symbol: 'SPY', class: 'etf' as const }, occurredAt: 77 };
const LISTS: Readonly<Record<string, string[]>> = { SPY: ['desk'], QQQ: ['own', 'desk'] };
const groups = (grouping: Partial<Grouping> = {}): Groups => ({
  grouping: { ...DEFAULT_GROUPING, ...grouping },
  listsOf: (symbol) => LISTS[symbol] ?? [],
});
const joined = (...all: RecentNotification[]): string | null => joinedBy(all, EVENT, NOW, groups());

test('an event joins the newest notification of its group within the interval, and has its own after it', () => {
  expect(joined()).toBeNull();
  expect(joined(recent('b', SECOND), recent('a', 59 * SECOND))).toBe('b');
  expect(joined(recent('a', 59 * SECOND))).toBe('a');
  expect(joined(recent('a', 60 * SECOND))).toBeNull();
});

test('a notification that grew keeps growing until a minute passes without an event', () => {
  const grown = { revision: 9 };
  expect(joined(recent('a', 59 * SECOND, grown))).toBe('a');
  expect(joined(recent('a', 60 * SECOND, grown))).toBeNull();
});

test('events of the same instant always share a notification', () => {
  const same = recent('same', 300 * SECOND, { occurredAt: 77 });
  expect(joined(recent('other', SECOND), same)).toBe('same');
});

test('in a replay, a notification has the events of ten minutes of the world, not of several days', () => {
  const DAY = 86_400;
  const grown = { revision: 9 };
  expect(joined(recent('yesterday', SECOND, { ...grown, occurredAt: 77 - DAY }))).toBeNull();
  const days = [1, 2].map((ago) => recent(`day${ago}`, ago * SECOND, { occurredAt: 77 - ago * DAY }));
  expect(joined(...days)).toBeNull();
  expect(joined(recent('today', SECOND, { ...grown, occurredAt: 77 - 600 }), ...days)).toBe('today');
});

test('no event joins an acknowledged notification, a full one, or one from before the clock was set back', () => {
  expect(joined(recent('b', SECOND, { isAcknowledged: true, occurredAt: 77 }))).toBeNull();
  expect(joined(recent('b', SECOND, { isAcknowledged: true }), recent('a', 2 * SECOND))).toBe('a');
  expect(joined(recent('a', SECOND, { revision: 1_000, occurredAt: 77 }))).toBeNull();
  expect(joined(recent('a', -SECOND))).toBeNull();
});

test.each<[Grouping['by'], (string | null)[]]>([
  ['all', ['', '', '']],
  ['symbol', ['SPY', 'QQQ', '']],
  ['class', ['etf', 'equity', '']],
  ['list', ['desk', 'own', '']],
  ['none', [null, null, null]],
])('groups %s', (by, expected) => {
  const events = [
    { symbol: 'SPY', class: 'etf' },
    { symbol: 'QQQ', class: 'equity' },
    { symbol: null, class: null },
  ] as const;
  expect(events.map((event) => groupOf(event, groups({ by })))).toEqual(expected);
});

test('an alert of another group is not joined, and the interval is as set', () => {
  const grown = { revision: 3 };
  const other = recent('other', SECOND, { ...grown, symbol: 'QQQ', occurredAt: 77 });
  const by = (grouping: Partial<Grouping>, ...all: RecentNotification[]) => joinedBy(all, EVENT, NOW, groups(grouping));
  expect(by({ by: 'symbol' }, other)).toBeNull();
  expect(by({ by: 'symbol' }, other, recent('a', SECOND))).toBe('a');
  expect(by({ by: 'none' }, recent('b', SECOND, { occurredAt: 77 }))).toBeNull();
  expect(by({ interval_seconds: 20 }, recent('a', 20 * SECOND, grown))).toBeNull();
  expect(by({ interval_seconds: 120 }, recent('a', 119 * SECOND, grown))).toBe('a');
});
