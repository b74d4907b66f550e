// Test: outcomes after alerts, on a constructed price: a fall of a third after two quiet years.
import { expect, test } from 'vitest';
import { outcomesOfAlerts, poolOutcomes, quartilesOf } from './alert-outcomes.ts';
import { frameOf, YEAR } from './frame.ts';

/**
 * A saw of one percent, so that there is a threshold; from bar 600 a fall of 3 % a bar for ten bars, then the
 * saw.
 */
const closes = Float64Array.from({ length: 700 }, (_, t) => {
  const saw = t % 2 === 0 ? 100 : 101;
  return saw * 0.97 ** Math.min(10, Math.max(0, t - 600));
});
const frame = frameOf(closes);
const window = { from: 504, to: 699 };
const alertsAt = (...bars: number[]): Uint8Array => {
  const alerts = new Uint8Array(closes.length);
  for (const t of bars) alerts[t] = 1;
  return alerts;
};

test('an early alert has its lead, and comes before half of the fall', () => {
  const [event] = frame.events;
  if (event === undefined || frame.events.length !== 1) throw new Error('one event is expected');
  const at = event.first - 1;
  const found = outcomesOfAlerts(frame, alertsAt(540, 541, at), window);
  expect(found).toMatchObject({ time: 196 * 365, signals: 2, falseAlarms: 1, events: 1, beforeHalf: 1, onEve: 1 });
  expect(found.lengths).toEqual([2, 1]);
  expect(found.toBreach).toEqual([1]);
  // The tenth bar of the fall is the lowest close.
  expect(found.toTrough).toEqual([610 - at]);
  expect(found.alert.bars).toBe(3);
  expect(found.alert.losses).toBe(1);
  expect(found.other.bars).toBe(699 - 21 - 504 + 1 - 3);
});

test('an alert at the bottom comes after half of the fall, and after the breach', () => {
  const [event] = frame.events;
  const found = outcomesOfAlerts(frame, alertsAt(event?.last ?? 0), window);
  expect(found).toMatchObject({ events: 1, beforeHalf: 0, onEve: 0, toBreach: [], toTrough: [] });
});

test('the length of an alert that began before the window does not count', () => {
  expect(outcomesOfAlerts(frame, alertsAt(502, 503, 504, 505, 540), window).lengths).toEqual([1]);
  expect(outcomesOfAlerts(frame, alertsAt(504, 505, 540), window).lengths).toEqual([2, 1]);
});

test('a year of a coin has 365 bars, one of a share 252', () => {
  const coin = frameOf(closes, new Map(), 'crypto');
  const yearsOf = (of: typeof frame): number => outcomesOfAlerts(of, alertsAt(540), window).time / YEAR;
  expect([yearsOf(frame) * 252, yearsOf(coin) * 365]).toEqual([196, 196]);
});

test('outcomes of several series add up', () => {
  const one = outcomesOfAlerts(frame, alertsAt(540, 541, 609), window);
  const two = poolOutcomes([one, one]);
  expect(two.signals).toBe(2 * one.signals);
  expect(two.lengths).toEqual([...one.lengths, ...one.lengths]);
  expect(two.alert.returns).toBeCloseTo(2 * one.alert.returns, 12);
  expect(poolOutcomes([]).time).toBe(0);
});

test('quartiles are interpolated', () => {
  expect(quartilesOf([])).toBeNull();
  expect(quartilesOf([3])).toEqual({ median: 3, lower: 3, upper: 3 });
  expect(quartilesOf([4, 1, 3, 2])).toEqual({ median: 2.5, lower: 1.75, upper: 3.25 });
});
