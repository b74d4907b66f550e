// Test: formats of numbers, spans, times and days.
import { afterEach, describe, expect, it } from 'vitest';
import { instantText } from './en/notification-times.ts';
import {
  change,
  clockTime,
  count,
  distance,
  fullTime,
  fullTimestamp,
  lasting,
  marketTime,
  percent,
  price,
  sessionDay,
  shortTimestamp,
  span,
  spokenSpan,
  startOfDay,
  times,
  wholePercent,
  zoneName,
  zoneOffset,
} from './format.ts';
import { texts } from './texts.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const at = Date.parse('2026-11-19T19:37:08.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('numbers', () => {
  it('are formatted as the browser does', () => {
    const digits = (text: string): string => plain(text).replace(' %', '');
    const expected = (value: number, decimals: number): string =>
      new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
        value,
      );
    const values = [
      0,
      0.5,
      1.5,
      2.5,
      10.005,
      16.45,
      618.555,
      999.995,
      1_234.5,
      48_213,
      999_999.5,
      1_234_567.891,
      0.1 + 0.2 + 10,
    ];
    for (const value of values) {
      expect(price(value + 10)).toBe(expected(value + 10, 2));
      expect(price(1 + value / 1_000_000)).toBe(expected(1 + value / 1_000_000, 4));
      expect(digits(change(value))).toBe(value === 0 ? '0.00' : `+${expected(value, 2)}`);
      expect(digits(change(-value))).toBe(value === 0 ? '0.00' : `\u2212${expected(value, 2)}`);
      expect(count(Math.round(value))).toBe(expected(Math.round(value), 0));
    }
    expect([count(-1_234), count(Number.POSITIVE_INFINITY)]).toEqual(['-1,234', '\u221e']);
  });
  it('writes prices with as many decimals as their size needs', () => {
    expect([price(571.239), price(1.0712), price(48213.5)]).toEqual(['571.24', '1.0712', '48,213.50']);
    expect([0.1, 0.05432, 0.00012345, 0.0000085, 8.5e-7, 0].map((value) => price(value))).toEqual([
      '0.1000',
      '0.05432',
      '0.0001235',
      '0.000008500',
      '0.0000008500',
      '0.0000',
    ]);
  });
  it('signs a change with U+2212 or plus, and gives zero no sign', () => {
    expect([-1.84, 0.42, -0.001, null].map((value) => plain(change(value)))).toEqual([
      '\u22121.84 %',
      '+0.42 %',
      '0.00 %',
      '\u2013',
    ]);
  });
  it('rounds the size of a distance, on either side of its level', () => {
    expect([1.17, -1.17, 0.04, 8.14].map((value) => plain(distance(value)))).toEqual([
      '1.2 %',
      '1.2 %',
      '0.0 %',
      '8.1 %',
    ]);
    expect(plain(texts.watchlist.toBreach(-1.17))).toBe('past 1.2 %');
    expect(plain(texts.header.toBreach(-1.17))).toBe('1.2 % past its breach');
  });
  it('never rounds a probability up', () => {
    expect([plain(percent(36.49)), plain(percent(99.99)), wholePercent(36.9), wholePercent(null)]).toEqual([
      '36.4 %',
      '99.9 %',
      '36',
      '\u2013',
    ]);
    expect(times(36.4 / 12.1)).toBe('3.0');
    expect(plain(percent(0.3 * 100))).toBe('30.0 %');
  });
});

describe('spans', () => {
  it.each([
    [-5, '0.0 s'],
    [440, '0.4 s'],
    [42_900, '42 s'],
    [14 * MINUTE, '14 min'],
    [4 * HOUR + 7 * MINUTE, '4 h 07'],
    [12 * HOUR, '12 h 00'],
    [26 * HOUR + 59 * MINUTE, '1 d 2 h'],
    [7 * DAY, '7 d'],
    [9 * DAY + 23 * HOUR, '9 d 23 h'],
    [10 * DAY + 12 * HOUR, '10 d'],
    [31 * DAY + 5, '31 d'],
    [1_000 * DAY - 1, '999 d'],
    [1_000 * DAY, '2.7 y'],
    [2_246 * DAY, '6.1 y'],
  ])('%d ms is %s', (ms, text) => expect(plain(span(ms))).toBe(text));
  it('has a spoken form', () => {
    const lengths = [HOUR + MINUTE, 2 * HOUR, 3 * DAY, 26 * HOUR, 31 * DAY + HOUR, 2_246 * DAY];
    expect(lengths.map(spokenSpan)).toEqual([
      '1 hour 1 minute',
      '2 hours',
      '3 days',
      '1 day 2 hours',
      '31 days',
      '6.1 years',
    ]);
  });
});

describe('times', () => {
  it('names the zone and its offset', () => {
    expect([zoneName('market'), zoneOffset(at, 'market'), zoneName('utc')]).toEqual(['New York', 'UTC\u22125', 'UTC']);
  });
  it('is as short as is clear', () => {
    expect(clockTime(at, 'market')).toBe('14:37');
    expect(shortTimestamp(at - HOUR, 'market', at)).toBe('13:37');
    expect(shortTimestamp(at - 2 * DAY, 'market', at)).toBe('Tue 14:37');
    expect(shortTimestamp(at - 45 * DAY, 'market', at)).toBe('5 Oct 15:37');
    expect(shortTimestamp(at - 400 * DAY, 'market', at)).toBe('15 Oct 2025');
  });
  it('names the year only when it is another', () => {
    expect(fullTime(at, 'market', at)).toBe('Thu 19 Nov 14:37:08');
    expect(fullTime(Date.parse('2020-02-14T12:00:00Z'), 'utc', at)).toBe('Fri 14 Feb 2020 12:00:00');
  });
  it('writes session days without a zone', () => {
    expect(sessionDay(Date.parse('2026-11-19T00:00:00Z'))).toBe('Thu 19 Nov');
  });
});

describe('durations', () => {
  it('goes from minutes to days, by the rule of every length', () => {
    for (const ms of [14 * MINUTE, 12 * HOUR, 26 * HOUR, 10 * DAY + 12 * HOUR]) expect(lasting(ms)).toBe(span(ms));
    const spans = [0, 30 * MINUTE, 3 * HOUR + 7 * MINUTE, 23 * HOUR + 59 * MINUTE, 8 * DAY + 2 * HOUR + 40 * MINUTE];
    expect(spans.map((ms) => plain(lasting(ms)))).toEqual(['0 min', '30 min', '3 h 07', '23 h 59', '8 d 2 h']);
  });
  it('of a market is in sessions, whose days have no 24 hours', () => {
    const opens = Date.parse('2026-03-02T14:30:00Z');
    const after = (ms: number) => plain(marketTime('us', opens, opens + ms));
    expect([30 * MINUTE, 3 * HOUR, DAY, 2 * DAY + 3 * HOUR, 8 * DAY + 7 * HOUR].map(after)).toEqual([
      '30 min',
      '3 h 00',
      '1 session',
      '2.4 sessions',
      '7 sessions',
    ]);
    expect(plain(marketTime('always', opens, opens + 2 * DAY))).toBe('2 d');
  });
});

describe('days', () => {
  it('begin by the clock of the zone, also on the day of a clock change', () => {
    const iso = (date: string, zone: 'market' | 'utc') => new Date(startOfDay(date, zone)).toISOString();
    expect(iso('2026-11-19', 'utc')).toBe('2026-11-19T00:00:00.000Z');
    expect(iso('2026-11-19', 'market')).toBe('2026-11-19T05:00:00.000Z');
    expect([iso('2026-03-08', 'market'), iso('2026-03-09', 'market')]).toEqual([
      '2026-03-08T05:00:00.000Z',
      '2026-03-09T04:00:00.000Z',
    ]);
    expect([iso('2026-11-01', 'market'), iso('2026-11-02', 'market')]).toEqual([
      '2026-11-01T04:00:00.000Z',
      '2026-11-02T05:00:00.000Z',
    ]);
  });
  it('are written in full, with the zone', () =>
    expect(fullTimestamp(at, 'market')).toBe('Thu 19 Nov 2026, 14:37 New York'));
});

describe('local times', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('follow the zone of this computer when it changes', () => {
    process.env.TZ = 'Europe/Berlin';
    expect([fullTime(at, 'local', at), instantText(at, at, 'local'), zoneName('local')]).toEqual([
      'Thu 19 Nov 20:37:08',
      'at 20:37 Berlin',
      'Berlin',
    ]);
    process.env.TZ = 'Asia/Kolkata';
    expect([fullTime(at, 'local', at), instantText(at, at, 'local'), zoneName('local')]).toEqual([
      'Fri 20 Nov 01:07:08',
      'at 01:07 Calcutta',
      'Calcutta',
    ]);
  });

  it('have the clock of their own date', () => {
    process.env.TZ = 'Europe/Berlin';
    expect(clockTime(Date.parse('2026-07-01T12:00:00.000Z'), 'local')).toBe('14:00');
    expect(startOfDay('2026-03-29', 'local')).toBe(Date.parse('2026-03-28T23:00:00.000Z'));
    expect(startOfDay('2026-03-30', 'local')).toBe(Date.parse('2026-03-29T22:00:00.000Z'));
  });
});
