// Test: times around a clock change, in every zone.
import { describe, expect, it } from 'vitest';
import { instantIn, zonedTime } from '../domain/sessions.ts';
import {
  axisTick,
  clockTime,
  datePartsIn,
  lasting,
  marketTime,
  shortTimestamp,
  startOfDay,
  weekdayTime,
  type Zone,
  zoneId,
  zoneOffset,
} from './format.ts';
import { formatField, parseTimestamp } from './timestamp-field.ts';

const HOUR = 3_600_000;
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const at = (iso: string): number => Date.parse(iso);

describe.each([
  ['2026-03-08', '2026-03-09', 23],
  ['2026-11-01', '2026-11-02', 25],
])('New York on %s', (day, next, hours) => {
  it('a day has its real length, and a session day is not longer', () => {
    expect((startOfDay(next, 'market') - startOfDay(day, 'market')) / HOUR).toBe(hours);
    expect((startOfDay(next, 'utc') - startOfDay(day, 'utc')) / HOUR).toBe(24);
  });
  it('the time axis labels the day where it begins, and every hour by the local clock', () => {
    const begin = startOfDay(day, 'market');
    const seen = Array.from({ length: hours }, (_, hour) => axisTick(begin + hour * HOUR, 'market', false, false));
    expect(seen[0]).toMatch(/^\d+ (Mar|Nov)$/);
    expect(seen.at(-1)).toBe('23:00');
    expect(seen.filter((label) => label === '01:00')).toHaveLength(hours === 25 ? 2 : 1);
    expect(seen.filter((label) => label === '02:00')).toHaveLength(hours === 23 ? 0 : 1);
  });
  it('a typed timestamp is the one that is shown, in every hour that occurs once', () => {
    const begin = startOfDay(day, 'market');
    for (const zone of ['market', 'utc', 'local'] satisfies Zone[])
      for (let half = 0; half < 2 * hours; half += 1) {
        const ms = begin + half * (HOUR / 2);
        const again = parseTimestamp(formatField(ms, zone), zone) ?? 0;
        expect(clockTime(again, zone)).toBe(clockTime(ms, zone));
        expect(Math.abs(again - ms)).toBeLessThanOrEqual(HOUR);
      }
  });
});

it('a time before the change is shown in the offset of then', () => {
  const [before, after] = [at('2026-03-06T20:30:00Z'), at('2026-03-09T19:30:00Z')];
  expect([weekdayTime(before, 'market'), weekdayTime(after, 'market')]).toEqual(['Fri 6 Mar 15:30', 'Mon 9 Mar 15:30']);
  expect(shortTimestamp(before, 'market', after)).toBe('Fri 15:30');
  expect([zoneOffset(before, 'market'), zoneOffset(after, 'market')]).toEqual(['UTC\u22125', 'UTC\u22124']);
});

it('a duration is the elapsed time, and the open hours in it', () => {
  const [from, to] = [at('2026-03-06T20:30:00Z'), at('2026-03-09T19:30:00Z')];
  expect(plain(lasting(to - from))).toBe('2 d 23 h');
  expect(plain(marketTime('us', from, to))).toBe('1 session');
  const [friday, monday] = [at('2026-10-30T19:30:00Z'), at('2026-11-02T20:30:00Z')];
  expect(plain(lasting(monday - friday))).toBe('3 d 1 h');
  expect(plain(marketTime('us', friday, monday))).toBe('1 session');
});

it('Europe changes three weeks later, with offsets of its own', () => {
  const [saturday, sunday] = [
    instantIn('Europe/Berlin', 2026, 3, 28, 12 * 60),
    instantIn('Europe/Berlin', 2026, 3, 29, 12 * 60),
  ];
  expect((sunday - saturday) / HOUR).toBe(23);
  expect(zonedTime(sunday, 'Europe/Berlin')).toMatchObject({ day: 29, minute: 12 * 60 });
  expect([clockTime(saturday, 'market'), clockTime(sunday, 'market')]).toEqual(['07:00', '06:00']);
});

it.each(['market', 'utc', 'local'] satisfies Zone[])(
  '%s: a time has the parts that the browser gives it, from the cache, too',
  (zone) => {
    const expected = (ms: number): string =>
      new Intl.DateTimeFormat('en-GB', { timeZone: zoneId(zone), dateStyle: 'short', timeStyle: 'medium' }).format(ms);
    const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
    const twoDigits = (value: number | string): string => String(value).padStart(2, '0');
    // Around a clock change, before the epoch, and when New York was 4:56:02 behind.
    for (const begin of [at('2026-11-01T05:58:57.400Z'), at('1969-07-20T20:17:39.900Z'), at('1883-11-18T16:00:00Z')])
      for (const ms of Array.from({ length: 300 }, (_, step) => begin + step * 700)) {
        const { day, month, year, hour, minute, second } = datePartsIn(ms, zone);
        expect(`${twoDigits(day)}/${twoDigits(months.indexOf(month) + 1)}/${year}, ${hour}:${minute}:${second}`).toBe(
          expected(ms),
        );
      }
  },
);
