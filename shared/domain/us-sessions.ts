// Pure: the dates on which New York and the currency market trade, and New York's early closes.
// Sources: NYSE Rule 7.2 and the exchange's yearly notices of holidays and early closings
// (nyse.com/markets/hours-calendars). The rules are those since 1971, early closings those since 1993;
// docs/decisions/service.md explains the choice.
import { DAY_MS } from '../lib/time.ts';

/** Closures that no rule covers: elections, storms, mourning, an attack. */
const CLOSED_ONCE: ReadonlySet<string> = new Set([
  '1972-11-07',
  '1972-12-28',
  '1973-01-25',
  '1976-11-02',
  '1977-07-14',
  '1980-11-04',
  '1985-09-27',
  '1994-04-27',
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '2004-06-11',
  '2007-01-02',
  '2012-10-29',
  '2012-10-30',
  '2018-12-05',
  '2025-01-09',
]);
/** Early closes that no rule covers. */
const EXTRA_EARLY_CLOSES: ReadonlySet<string> = new Set(['1997-12-26', '1999-12-31', '2003-12-26']);

const MONDAY = 1;
const THURSDAY = 4;
const FRIDAY = 5;
const [JANUARY, FEBRUARY, MAY, JUNE, JULY, SEPTEMBER, NOVEMBER, DECEMBER] = [0, 1, 4, 5, 6, 8, 10, 11] as const;

const at = (year: number, month: number, day: number): number => Date.UTC(year, month, day);
const weekdayOf = (instant: number): number => new Date(instant).getUTCDay();

/** The n-th `weekday` of a month; n = 1 is the first. */
function nth(n: number, weekday: number, year: number, month: number): number {
  const first = at(year, month, 1);
  return first + (((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1)) * DAY_MS;
}

/** The last Monday of a month. */
function lastMonday(year: number, month: number): number {
  const last = at(year, month + 1, 0);
  return last - ((weekdayOf(last) - MONDAY + 7) % 7) * DAY_MS;
}

/** A holiday on a Sunday is observed on Monday, one on a Saturday on Friday. */
function observed(holiday: number): number {
  const weekday = weekdayOf(holiday);
  return weekday === 0 ? holiday + DAY_MS : weekday === 6 ? holiday - DAY_MS : holiday;
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const day = h + l - 7 * m + 114;
  return at(year, Math.floor(day / 31) - 1, (day % 31) + 1);
}

function holidaysOf(year: number): number[] {
  const newYear = at(year, JANUARY, 1);
  const days = [
    at(year, JULY, 4),
    at(year, DECEMBER, 25),
    ...(year >= 2022 ? [at(year, JUNE, 19)] : []),
    // A New Year's Day on a Saturday is not observed on the last day of the year before.
    ...(weekdayOf(newYear) === 6 ? [] : [newYear]),
  ].map(observed);
  days.push(
    easter(year) - 2 * DAY_MS,
    nth(3, MONDAY, year, FEBRUARY),
    lastMonday(year, MAY),
    nth(1, MONDAY, year, SEPTEMBER),
  );
  days.push(nth(4, THURSDAY, year, NOVEMBER));
  if (year >= 1998) days.push(nth(3, MONDAY, year, JANUARY));
  return days;
}

function earlyClosesOf(year: number): number[] {
  if (year < 1993) return [];
  const days = [nth(4, THURSDAY, year, NOVEMBER) + DAY_MS];
  const eve = at(year, DECEMBER, 24);
  if (weekdayOf(eve) >= MONDAY && weekdayOf(eve) <= THURSDAY) days.push(eve);
  // Until 2012 the Friday after a Thursday, since then the Wednesday before it.
  const fourth = weekdayOf(at(year, JULY, 4));
  if (fourth === THURSDAY && year < 2013) days.push(at(year, JULY, 5));
  else if (fourth > MONDAY && fourth <= FRIDAY) days.push(at(year, JULY, 3));
  return days;
}

interface Year {
  readonly closed: ReadonlySet<number>;
  readonly earlyCloses: ReadonlySet<number>;
}
const years = new Map<number, Year>();

function yearOf(date: string): Year {
  const year = Number(date.slice(0, 4));
  let known = years.get(year);
  if (known === undefined) {
    known = { closed: new Set(holidaysOf(year)), earlyCloses: new Set(earlyClosesOf(year)) };
    years.set(year, known);
  }
  return known;
}

const isWeekday = (instant: number): boolean => weekdayOf(instant) % 6 !== 0;

/** Whether New York trades on a date ("2020-02-24"). */
export function isUsSession(date: string): boolean {
  const instant = Date.parse(date);
  return isWeekday(instant) && !CLOSED_ONCE.has(date) && !yearOf(date).closed.has(instant);
}

/** Whether a weekday is one on which New York does not trade. */
export const isUsHoliday = (date: string): boolean => isWeekday(Date.parse(date)) && !isUsSession(date);

/**
 * Whether a currency session closes on a date. Weekends, Christmas Day and New Year's Day have none.
 */
export const isFxSession = (date: string): boolean =>
  isWeekday(Date.parse(date)) && !date.endsWith('-12-25') && !date.endsWith('-01-01');

/** The hour in New York at which the session of a date closes: 16, or 13 on a half day. */
export const usClosingHour = (date: string): 13 | 16 =>
  EXTRA_EARLY_CLOSES.has(date) || yearOf(date).earlyCloses.has(Date.parse(date)) ? 13 : 16;
