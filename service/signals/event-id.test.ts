// Service, signals, test: ids of events.
import { expect, test } from 'vitest';
import { createEventIds, ordinalOf, timeOf } from './event-id.ts';

const ids = createEventIds('sandbox:7');

test('equal content always has the same id', () => {
  expect(ids.of(1_772_461_800_000, 0, 'signal.high_risk', 'SPY', '0')).toBe('evt_01KJQF9EJ00002DSSH4G2VD1');
});

test('another world, instant, ordinal or content has another id', () => {
  const all = [
    ids.of(1000, 0, 'signal.high_risk', 'SPY', '0'),
    ids.of(1001, 0, 'signal.high_risk', 'SPY', '0'),
    ids.of(1000, 1, 'signal.high_risk', 'SPY', '0'),
    ids.of(1000, 0, 'signal.high_risk', 'SPY', '1'),
    ids.of(1000, 0, 'signal.high_risk', 'QQQ', '0'),
    createEventIds('sandbox:8').of(1000, 0, 'signal.high_risk', 'SPY', '0'),
    createEventIds('production').of(1000, 0, 'signal.high_risk', 'SPY', '0'),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('ids sort by time, then by ordinal within the millisecond', () => {
  const sorted = [
    ids.of(999, 40, 'x'),
    ids.of(1000, 0, 'x'),
    ids.of(1000, 1, 'x'),
    ids.of(1000, 33, 'x'),
    ids.of(1_772_461_800_000, 0, 'x'),
  ];
  expect(sorted.toSorted()).toEqual(sorted);
});

test('an id contains its time, and its ordinal within the millisecond', () => {
  expect(timeOf(ids.of(1_772_461_800_000, 33, 'x'))).toBe(1_772_461_800_000);
  expect([0, 1, 33, 31_999].map((ordinal) => ordinalOf(ids.of(1000, ordinal, 'x')))).toEqual([0, 1, 33, 31_999]);
});
