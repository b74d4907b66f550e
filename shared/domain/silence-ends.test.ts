// Test: the suggested ends of a silence.
import { expect, test } from 'vitest';
import type { SessionCalendar } from './sessions.ts';
import { silenceEnds } from './silence-ends.ts';

const ends = (calendar: SessionCalendar, now: string) =>
  silenceEnds(calendar, Date.parse(now)).map(({ end, at }) => `${end} ${new Date(at).toISOString().slice(0, 16)}`);

test('a silence that begins while New York trades may end at its close or the next opening, over a weekend', () => {
  expect(ends('us', '2026-11-20T15:00:00Z')).toEqual([
    'hour 2026-11-20T16:00',
    'close 2026-11-20T21:00',
    'next_open 2026-11-23T14:30',
  ]);
});

test('a silence that begins while New York is closed may end at the opening first, then at the close', () => {
  expect(ends('us', '2026-11-20T23:00:00Z')).toEqual([
    'hour 2026-11-21T00:00',
    'close 2026-11-23T21:00',
    'next_open 2026-11-23T14:30',
  ]);
});

test('a half day closes at 13:00', () => {
  expect(ends('us', '2026-11-27T15:00:00Z')[1]).toBe('close 2026-11-27T18:00');
});

test('a market around the clock has the next day alone', () => {
  expect(ends('always', '2026-11-20T15:00:00Z')).toEqual(['hour 2026-11-20T16:00', 'next_open 2026-11-21T00:00']);
});

test('a silence that begins in the break of Tokyo may end at the close of the day, or the opening after a holiday', () => {
  expect(ends('tokyo', '2026-04-28T03:00:00Z').slice(1)).toEqual([
    'close 2026-04-28T06:30',
    'next_open 2026-04-30T00:00',
  ]);
});
