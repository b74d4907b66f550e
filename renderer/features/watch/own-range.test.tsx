// Test: parsing a range of days.
import { expect, it } from 'vitest';
import { indexRangeOf, type TimeRange, timeAt } from '../../charts/chart-range.ts';
import { dayOf, ownInterval } from './timeline-tools.tsx';

const at = (iso: string): number => Date.parse(iso);
const whole = { from: at('2026-01-05T21:00:00Z'), to: at('2026-03-10T15:30:00Z') };

it('an own range is whole days, in either order, within the known range', () => {
  expect(ownInterval('2026-01-10', '2026-01-12', whole)).toEqual({ from: at('2026-01-10') + 1, to: at('2026-01-13') });
  expect(ownInterval(' 2026-1-12', '2026/01/10 ', whole)).toEqual({ from: at('2026-01-10') + 1, to: at('2026-01-13') });
  expect(ownInterval('2020-01-01', '2030-01-01', whole)).toEqual(whole);
  expect(ownInterval(dayOf(whole.to), dayOf(whole.to), whole)).toEqual({ from: at('2026-03-10') + 1, to: whole.to });
});

it('an own range has the closes at midnight of its days, and none of the day before', () => {
  const closes = { from: at('2026-01-06'), to: at('2026-03-11') };
  expect([dayOf(closes.from), dayOf(closes.to)]).toEqual(['2026-01-05', '2026-03-10']);
  const interval = ownInterval('2026-01-10', '2026-01-12', closes) as TimeRange;
  expect([interval.from > at('2026-01-10'), interval.to]).toEqual([true, at('2026-01-13')]);
  expect([interval.from, interval.to].map(dayOf)).toEqual(['2026-01-10', '2026-01-12']);
  // The handles of the brush use this format.
  const times = Array.from({ length: 65 }, (_, index) => closes.from + index * 86_400_000);
  const { from, to } = indexRangeOf(times, interval);
  expect([from, to].map((index) => dayOf(timeAt(times, index)))).toEqual(['2026-01-10', '2026-01-12']);
  expect(ownInterval('2026-03-11', '2026-03-12', closes)).toBe('outside');
});

it.each([
  ['', '2026-01-10', 'no_day'],
  ['2026-02-30', '2026-03-01', 'no_day'],
  ['soon', '2026-03-01', 'no_day'],
  ['2025-01-01', '2025-12-31', 'outside'],
  ['2026-04-01', '2026-04-02', 'outside'],
] as const)('%j to %j is refused: %s', (from, to, why) => expect(ownInterval(from, to, whole)).toBe(why));
