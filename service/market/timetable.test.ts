// Service, market, test: due briefings and the ends of evaluation steps.
import { expect, test } from 'vitest';
import { createTimetable } from './timetable.ts';

const at = (text: string): number => Date.parse(text);
const dueBetween = (environment: 'sandbox' | 'production', from: string, to: string): string[] =>
  createTimetable(environment)
    .dueWithin(at(from), at(to))
    .map((due) => `${new Date(due.at).toISOString().slice(0, 16)} ${due.type} ${due.date}`);

test('a week of the sandbox has three briefings a working day, a deep one on Wednesday, a weekly one on Saturday', () => {
  const week = dueBetween('sandbox', '2026-03-02T00:15:00Z', '2026-03-09T00:15:00Z');
  expect(week).toHaveLength(17);
  expect(week.slice(0, 3)).toEqual([
    '2026-03-02T08:00 pre-market 2026-03-02',
    '2026-03-02T12:00 midday 2026-03-02',
    '2026-03-03T00:15 after-hours 2026-03-02',
  ]);
  expect(week.filter((line) => /deep|weekly/.test(line))).toEqual([
    '2026-03-04T15:00 deep 2026-03-04',
    '2026-03-07T09:00 weekly 2026-03-07',
  ]);
});

test('in New York the hours move with summer time, and a holiday has no briefing', () => {
  expect(dueBetween('production', '2020-03-06T00:00:00Z', '2020-03-06T23:00:00Z')[0]).toBe(
    '2020-03-06T13:30 pre-market 2020-03-06',
  );
  expect(dueBetween('production', '2020-03-09T00:00:00Z', '2020-03-09T23:00:00Z')).toEqual([
    '2020-03-09T12:30 pre-market 2020-03-09',
    '2020-03-09T16:30 midday 2020-03-09',
    '2020-03-09T20:30 after-hours 2020-03-09',
  ]);
  expect(dueBetween('production', '2020-02-17T00:00:00Z', '2020-02-17T23:59:00Z')).toEqual([]);
});

test('on a half day of New York the hours are the same, and after-hours follows the early close', () => {
  // The day after Thanksgiving, and a Wednesday before Christmas Day: both close at 13:00.
  expect(dueBetween('production', '2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z')).toEqual([
    '2026-11-27T13:30 pre-market 2026-11-27',
    '2026-11-27T17:30 midday 2026-11-27',
    '2026-11-27T18:30 after-hours 2026-11-27',
  ]);
  expect(dueBetween('production', '2025-12-24T00:00:00Z', '2025-12-25T00:00:00Z')).toEqual([
    '2025-12-24T13:30 pre-market 2025-12-24',
    '2025-12-24T17:30 midday 2025-12-24',
    '2025-12-24T18:30 after-hours 2025-12-24',
    '2025-12-24T19:00 deep 2025-12-24',
  ]);
  const stops: string[] = [];
  for (let instant = at('2026-11-27T05:00:00Z'); stops.length < 4; ) {
    instant = createTimetable('production').stepEnd(instant);
    stops.push(new Date(instant).toISOString());
  }
  expect(stops).toEqual([
    '2026-11-27T13:30:00.000Z',
    '2026-11-27T17:30:00.000Z',
    '2026-11-27T17:59:59.999Z',
    '2026-11-27T18:30:00.000Z',
  ]);
});

test('on Saturday the weekly briefing has its hour in winter and in summer', () => {
  expect(dueBetween('production', '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z')).toEqual([
    '2026-11-28T14:00 weekly 2026-11-28',
  ]);
  expect(dueBetween('production', '2026-07-04T00:00:00Z', '2026-07-05T00:00:00Z')).toEqual([
    '2026-07-04T13:00 weekly 2026-07-04',
  ]);
});

test('an interval excludes its beginning and includes its end', () => {
  expect(dueBetween('sandbox', '2026-03-02T08:00:00Z', '2026-03-02T12:00:00Z')).toEqual([
    '2026-03-02T12:00 midday 2026-03-02',
  ]);
});

test('a step of the evaluation ends at every due time and just before each close', () => {
  const stops: string[] = [];
  for (let instant = at('2026-03-06T07:00:00Z'); stops.length < 8; ) {
    instant = createTimetable('sandbox').stepEnd(instant);
    stops.push(new Date(instant).toISOString());
  }
  expect(stops).toEqual([
    '2026-03-06T08:00:00.000Z',
    '2026-03-06T12:00:00.000Z',
    '2026-03-06T23:59:59.999Z',
    '2026-03-07T00:15:00.000Z',
    '2026-03-07T09:00:00.000Z',
    '2026-03-07T23:59:59.999Z',
    '2026-03-08T23:59:59.999Z',
    '2026-03-09T08:00:00.000Z',
  ]);
});
