// Test: the tables of exchanges whose holidays follow rules against these rules, which are computed here from the start.
import { expect, test } from 'vitest';
import { DAY_MS, dateOf } from '../../lib/time.ts';
import { sessionClose, zonedTime } from '../sessions.ts';
import { EXCHANGE_DAYS } from './days.ts';
import { EXCHANGES, type Exchange } from './exchanges.ts';

const YEARS = Array.from({ length: 13 }, (_, index) => 2016 + index);
const weekday = (at: number): number => new Date(at).getUTCDay();
const isWeekend = (at: number): boolean => weekday(at) % 6 === 0;

/** Easter Sunday, by the method of Meeus, Jones and Butcher. */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const h = (19 * a + b - (b >> 2) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * (c >> 2) - h - (c % 4)) % 7;
  const march = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 22;
  return Date.UTC(year, 2, march);
}

/** The day of `rule` in a year; `taken`: the days before it in the list. */
function dayOf(rule: string, year: number, taken: ReadonlySet<number>): number {
  const [, days] = /^E([+-]\d+)$/.exec(rule) ?? [];
  if (days !== undefined) return easter(year) + Number(days) * DAY_MS;
  const [, month, nth, named] = /^(\d+)\/(-?\d)\/(\d)$/.exec(rule) ?? [];
  if (month !== undefined) {
    const first = Date.UTC(year, Number(month) - 1 + (nth === '-1' ? 1 : 0), 1);
    return first + (((Number(named) - weekday(first) + 7) % 7) + (Number(nth) - (nth === '-1' ? 0 : 1)) * 7) * DAY_MS;
  }
  let at = Date.UTC(year, Number(rule.slice(0, 2)) - 1, Number(rule.slice(2, 4)));
  const [move, to] = [rule[4], Number(rule[5])];
  if (move === '<' || move === '>') while (weekday(at) !== to) at += move === '<' ? -DAY_MS : DAY_MS;
  if (move === '~' && isWeekend(at)) return weekday(at) === 6 ? at - DAY_MS : at + DAY_MS;
  if (move === '^' && weekday(at) === 0) at += DAY_MS;
  if (move === '+') while (isWeekend(at) || taken.has(at)) at += DAY_MS;
  return at;
}

function daysOf(rules: string, year: number): string {
  const taken = new Set<number>();
  for (const rule of rules.split(' ')) taken.add(dayOf(rule, year, taken));
  return [...taken]
    .filter((at) => !isWeekend(at))
    .map((at) => dateOf(at).slice(5).replace('-', ''))
    .sort()
    .join(' ');
}

const EURONEXT = '0101 E-2 E+1 0501 1225 1226';
// 0524<1: the last Monday up to then. 5/-1/1: the last Monday of May. E-2: Good Friday. If it is at a weekend, "+" is the
// next weekday that is free, "^" the Monday after a Sunday, "~" the nearest weekday. The list in the middle: exceptions.
test.each<[Exchange, number, string, string]>([
  [
    'us',
    2023,
    '1/3/1 2/3/1 E-2 5/-1/1 0619~ 0704~ 9/1/1 11/4/4 1225~',
    '2023+0102 2024+0101 2025+0101 2025+0109 2026+0101 2027+0101',
  ],
  ['toronto', 2016, '0101+ 2/3/1 E-2 0524<1 0701+ 8/1/1 9/1/1 10/2/1 1225+ 1226+', ''],
  [
    'london',
    2016,
    '0101+ E-2 E+1 5/1/1 5/-1/1 8/-1/1 1225+ 1226+',
    '2020-0504 2020+0508 2022-0530 2022+0602 2022+0603 2022+0919 2023+0508',
  ],
  ['frankfurt', 2022, `${EURONEXT} 1224 1231`, ''],
  ['paris', 2016, EURONEXT, ''],
  ['amsterdam', 2016, EURONEXT, ''],
  ['madrid', 2016, EURONEXT, '2021+1224 2021+1231'],
  ['milan', 2016, `${EURONEXT} 0815 1224 1231`, ''],
  ['zurich', 2016, `${EURONEXT} 0102 E+39 E+50 0801 1224 1231`, ''],
  ['stockholm', 2016, `${EURONEXT} 0106 E+39 0606 0619>5 1224 1231`, ''],
  ['sydney', 2016, '0101+ 0126+ E-2 E+1 0425 6/2/1 1225+ 1226+', '2022+0922'],
  ['sao_paulo', 2024, '0101 E-48 E-47 E-2 0421 0501 E+60 0907 1012 1102 1115 1120 1224 1225 1231', '2028+1229'],
  [
    'johannesburg',
    2016,
    '0101^ 0321^ E-2 E+1 0427^ 0501^ 0616^ 0809^ 0924^ 1216^ 1225 1226^',
    '2016+0803 2016+1227 2019+0508 2021+1101 2022+1227 2023+1215 2024+0529 2026+1104',
  ],
])('%s is closed since %i as its rules say', (id, since, rules, exceptions) => {
  const lines = (EXCHANGE_DAYS[id] ?? '').trim().split('\n');
  for (const year of YEARS.filter((one) => one >= since)) {
    const own = exceptions.split(' ').filter((one) => one.startsWith(String(year)));
    const ruled = daysOf(rules, year)
      .split(' ')
      .filter((day) => !own.includes(`${year}-${day}`));
    const added = own.filter((one) => one[4] === '+').map((one) => one.slice(5));
    const closed = (lines.find((line) => line.startsWith(String(year))) ?? '').split(' ').slice(1);
    expect([year, ...closed.filter((day) => /^\d{4}\??$/.test(day)).map((day) => day.slice(0, 4))]).toEqual([
      year,
      ...[...ruled, ...added].sort(),
    ]);
  }
});

// The last session up to 24 and 31 December, if that is how many days before it at most.
test.each<[Exchange, number, number, string]>([
  ['london', 2016, 2, '12:30'],
  ['johannesburg', 2016, 2, '12:00'],
  ['sydney', 2023, 2, '14:10'],
  ['paris', 2018, 0, '14:05'],
  ['amsterdam', 2018, 0, '14:05'],
  ['madrid', 2022, 0, '14:00'],
  ['hong_kong', 2018, 0, '12:00'],
  ['singapore', 2018, 0, '12:00'],
])('%s closes early before Christmas and at the end of the year since %i', (id, since, most, expected) => {
  for (const year of YEARS.filter((one) => one >= since))
    for (const day of [24, 31]) {
      let at = Date.UTC(year, 11, day);
      while (isWeekend(at)) at -= DAY_MS;
      if ((Date.UTC(year, 11, day) - at) / DAY_MS > most) continue;
      const { minute } = zonedTime(sessionClose(id, dateOf(at)), EXCHANGES[id].zone);
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
      expect([dateOf(at), time]).toEqual([dateOf(at), expected]);
    }
});
