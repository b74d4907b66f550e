// Test: when markets are open: holidays, half days, weekends, both changes of the clock.

import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../lib/time.ts';
import {
  instantIn,
  isOpen,
  isSession,
  nextClose,
  nextOpen,
  openTime,
  sessionCalendarOf,
  sessionClose,
  zonedTime,
} from './sessions.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (ms: number): string => new Date(ms).toISOString().replace(':00.000Z', 'Z');

describe("New York's shares", () => {
  // https://www.nyse.com/trade/hours-calendars
  test.each([
    ['2025-01-01', 'New Year'],
    ['2025-01-20', 'Martin Luther King'],
    ['2025-02-17', "Washington's Birthday"],
    ['2025-04-18', 'Good Friday'],
    ['2025-05-26', 'Memorial Day'],
    ['2025-06-19', 'Juneteenth'],
    ['2025-07-04', 'Independence Day'],
    ['2025-09-01', 'Labor Day'],
    ['2025-11-27', 'Thanksgiving'],
    ['2025-12-25', 'Christmas'],
    ['2026-04-03', 'Good Friday'],
    ['2026-07-03', 'Independence Day on a Saturday'],
    ['2027-12-24', 'Christmas on a Saturday'],
    ['2027-07-05', 'Independence Day on a Sunday'],
    ['2027-06-18', 'Juneteenth on a Saturday'],
  ])('%s is closed: %s', (date) => expect(isOpen('us', at(`${date}T15:00:00Z`))).toBe(false));

  test.each(['2021-12-31', '2021-06-18', '2025-07-03', '2025-11-28', '2025-12-24', '2026-11-20'])(
    '%s is open',
    (date) => expect(isOpen('us', at(`${date}T15:00:00Z`))).toBe(true),
  );
  test.each(['2025-07-03', '2025-11-28', '2025-12-24'])('%s is half a day', (date) => {
    const close = instantIn('America/New_York', ...(date.split('-').map(Number) as [number, number, number]), 13 * 60);
    expect([isOpen('us', close - 1), isOpen('us', close)]).toEqual([true, false]);
  });

  test.each([
    ['an evening', '2026-03-03T22:00:00Z', '2026-03-04T14:30Z'],
    ['a morning', '2026-03-04T12:00:00Z', '2026-03-04T14:30Z'],
    ['the opening itself', '2026-03-04T14:30:00Z', '2026-03-05T14:30Z'],
    ['over the weekend into summer time', '2026-03-06T22:00:00Z', '2026-03-09T13:30Z'],
    ['over a long weekend', '2026-04-02T21:00:00Z', '2026-04-06T13:30Z'],
    ['after midnight in UTC, still that evening in New York', '2026-03-04T02:00:00Z', '2026-03-04T14:30Z'],
  ])('next opening: %s', (_, from, to) => expect(iso(nextOpen('us', at(from)))).toBe(to));
});

test('the week of currencies: from Sunday evening to Friday evening in New York', () => {
  expect(isOpen('fx', at('2026-03-06T21:59:00Z'))).toBe(true);
  expect(isOpen('fx', at('2026-03-06T22:00:00Z'))).toBe(false);
  expect(isOpen('fx', at('2026-03-08T20:59:00Z'))).toBe(false);
  expect(isOpen('fx', at('2026-03-08T21:00:00Z'))).toBe(true);
  expect(iso(nextOpen('fx', at('2026-03-06T23:00:00Z')))).toBe('2026-03-08T21:00Z');
});

describe('closes', () => {
  test.each([
    ['winter', '2026-03-02', '2026-03-02T21:00Z'],
    ['summer', '2026-07-06', '2026-07-06T20:00Z'],
    ['a half day in winter', '2026-11-27', '2026-11-27T18:00Z'],
    ['a half day in summer', '2025-07-03', '2025-07-03T17:00Z'],
  ])('of New York, %s', (_, date, close) => expect(iso(sessionClose('us', date))).toBe(close));

  test.each([
    ['us', '2026-11-25T21:00:00Z', '2026-11-27T18:00Z'],
    ['us', '2026-04-02T20:00:00Z', '2026-04-06T20:00Z'],
    ['us', '2026-11-25T20:59:59.999Z', '2026-11-25T21:00Z'],
    ['fx', '2026-12-24T22:00:00Z', '2026-12-28T22:00Z'],
    ['always', '2026-12-25T00:00:00Z', '2026-12-26T00:00Z'],
  ] as const)('the next one of %s after %s', (calendar, after, close) =>
    expect(iso(nextClose(calendar, at(after)))).toBe(close),
  );
});

test('currencies rest on Christmas Day and New Year’s Day: from 17:00 of the day before to 17:00 in New York', () => {
  // Wednesday 24 to Friday 26 December 2025.
  expect(isOpen('fx', at('2025-12-24T21:59:00Z'))).toBe(true);
  expect(isOpen('fx', at('2025-12-24T22:00:00Z'))).toBe(false);
  expect(isOpen('fx', at('2025-12-25T15:00:00Z'))).toBe(false);
  expect(isOpen('fx', at('2025-12-25T22:00:00Z'))).toBe(true);
  expect(iso(nextOpen('fx', at('2025-12-25T03:00:00Z')))).toBe('2025-12-25T22:00Z');
  expect(openTime('fx', at('2025-12-24T22:00:00Z'), at('2025-12-25T23:00:00Z'))).toBe(HOUR_MS);
  expect(['2025-12-25', '2026-01-01', '2025-12-26'].map((date) => isSession('fx', date))).toEqual([false, false, true]);
  expect(isOpen('fx', at('2026-01-01T15:00:00Z'))).toBe(false);
});

test('around the clock: always open, a day begins at 00:00 UTC', () => {
  expect(isOpen('always', at('2026-12-25T03:00:00Z'))).toBe(true);
  expect(iso(nextOpen('always', at('2026-12-25T03:00:00Z')))).toBe('2026-12-26T00:00Z');
});

test('the calendar of an asset class and an environment', () => {
  expect(sessionCalendarOf('etf', 'production', null)).toBe('us');
  expect(sessionCalendarOf('fx', 'production', null)).toBe('fx');
  expect(sessionCalendarOf('crypto', 'production', null)).toBe('always');
  expect(sessionCalendarOf('etf', 'sandbox', null)).toBe('always');
});

test('instants of a zone, there and back', () => {
  for (let hour = 0; hour < 24 * 400; hour += 1) {
    const instant = at('2025-12-30T00:30:00Z') + hour * HOUR_MS;
    const { year, month, day, minute } = zonedTime(instant, 'Europe/Berlin');
    const back = instantIn('Europe/Berlin', year, month, day, minute);
    // The ambiguous hour in autumn returns as the first of both.
    expect([instant, instant - HOUR_MS]).toContain(back);
  }
  expect(() => zonedTime(0, 'Nowhere/Land')).toThrow(RangeError);
});

test.each([
  ['before the change', 3, 1 * 60, '2026-03-08T06:00Z'],
  ['in the hour that is left out: an hour on', 3, 2 * 60 + 30, '2026-03-08T07:30Z'],
  ['right after it', 3, 3 * 60, '2026-03-08T07:00Z'],
  ['that morning', 3, 6 * 60, '2026-03-08T10:00Z'],
  ['in the hour that is twice: the first', 11, 1 * 60 + 30, '2026-11-01T05:30Z'],
  ['right after both', 11, 2 * 60, '2026-11-01T07:00Z'],
])('an instant of a day on which the clocks of New York change: %s', (_, month, minute, expected) => {
  expect(iso(instantIn('America/New_York', 2026, month, month === 3 ? 8 : 1, minute))).toBe(expected);
});
