// Pure: when markets are open, by rule: New York's shares with their holidays and half days, currencies by the week, crypto around the clock.
// Times are ms since the epoch; a zone's clock is read through Intl.
import type { AssetClass } from './instruments.ts';

/** us: New York Stock Exchange. fx: Sunday 17:00 to Friday 17:00 in New York. always: never closed; its day begins at 00:00 UTC. */
export const SESSION_CALENDARS = ['us', 'fx', 'always'] as const;
export type SessionCalendar = (typeof SESSION_CALENDARS)[number];

/** A stretch during which a market is open; `close` is exclusive. */
export interface Session {
  readonly open: number;
  readonly close: number;
}

/** A moment on a zone's clock. `weekday`: 0 is Sunday. */
export interface ZonedTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
const NEW_YORK = 'America/New_York';
/** The longest a calendar stays closed is a long weekend; a search further than this has gone wrong. */
const LOOK_AHEAD_DAYS = 14;

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError when the zone has no such name */
export function zonedTime(at: number, zone: string): ZonedTime {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(), minute: hour * 60 + minute };
}

/** The moment at which a zone's clock shows that minute of that day; of two (autumn) the first, of none (spring) the one an hour on. */
export function momentIn(zone: string, year: number, month: number, day: number, minute: number): number {
  const wanted = Date.UTC(year, month - 1, day) + minute * MINUTE;
  const offsetAt = (at: number): number => {
    const seen = zonedTime(at, zone);
    return Date.UTC(seen.year, seen.month - 1, seen.day) + seen.minute * MINUTE - Math.floor(at / MINUTE) * MINUTE;
  };
  const first = wanted - offsetAt(wanted - DAY);
  if (wanted - offsetAt(first) === first) return first;
  return wanted - offsetAt(wanted);
}

/** Where an instrument of this class trades. The sandbox's world trades around the clock. */
export function sessionCalendarOf(assetClass: AssetClass, environment: 'sandbox' | 'production'): SessionCalendar {
  if (environment === 'sandbox' || assetClass === 'crypto') return 'always';
  return assetClass === 'fx' ? 'fx' : 'us';
}

export function isOpen(calendar: SessionCalendar, at: number): boolean {
  if (calendar === 'always') return true;
  return sessionsAround(calendar, at, -1, 1).some(({ open, close }) => open <= at && at < close);
}

/** The first opening after `at`. */
export function nextOpen(calendar: SessionCalendar, at: number): number {
  if (calendar === 'always') return Math.floor(at / DAY) * DAY + DAY;
  const next = sessionsAround(calendar, at, 0, LOOK_AHEAD_DAYS).find(({ open }) => open > at);
  if (next === undefined) throw new Error(`${calendar} opens on no day after ${new Date(at).toISOString()}`);
  return next.open;
}

/** How long the market was open between two moments, ms. */
export function openTime(calendar: SessionCalendar, from: number, to: number): number {
  if (to <= from) return 0;
  if (calendar === 'always') return to - from;
  const days = Math.ceil((to - from) / DAY) + 1;
  return sessionsAround(calendar, from, -1, days).reduce(
    (sum, { open, close }) => sum + Math.max(0, Math.min(close, to) - Math.max(open, from)),
    0,
  );
}

/** Sessions of the days from `first` to `last`, counted from New York's day at `at`. */
function sessionsAround(calendar: 'us' | 'fx', at: number, first: number, last: number): Session[] {
  const { year, month, day } = zonedTime(at, NEW_YORK);
  const days = Array.from({ length: last - first + 1 }, (_, index) => Date.UTC(year, month - 1, day) + (first + index) * DAY);
  return days.flatMap((midnight) => (calendar === 'us' ? shareSession(midnight) : currencySession(midnight)) ?? []);
}

/** @param midnight a New York day, as that date's 00:00 UTC */
function shareSession(midnight: number): Session | null {
  const date = new Date(midnight);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6 || holidays(year).has(midnight)) return null;
  const close = isHalfDay(year, midnight) ? 13 * 60 : 16 * 60;
  return { open: momentIn(NEW_YORK, year, month, day, 9 * 60 + 30), close: momentIn(NEW_YORK, year, month, day, close) };
}

/** The currency day that begins on this date: 17:00 to 17:00, Sunday to Thursday. */
function currencySession(midnight: number): Session | null {
  const [from, to] = [new Date(midnight), new Date(midnight + DAY)];
  if (from.getUTCDay() > 4) return null;
  const five = (date: Date): number => momentIn(NEW_YORK, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 17 * 60);
  return { open: five(from), close: five(to) };
}

const known = new Map<number, ReadonlySet<number>>();

/** Days on which the New York Stock Exchange is closed in a year, by its Rule 7.2, as those dates' 00:00 UTC. Days of mourning are not known. */
function holidays(year: number): ReadonlySet<number> {
  const found = known.get(year);
  if (found !== undefined) return found;
  const fixed = (month: number, day: number): number => {
    const at = Date.UTC(year, month - 1, day);
    const weekday = new Date(at).getUTCDay();
    if (weekday === 0) return at + DAY;
    return weekday === 6 ? at - DAY : at;
  };
  const newYear = Date.UTC(year, 0, 1);
  const days = new Set([
    // On a Saturday it is not made up for: that Friday ends the old year's books.
    ...(new Date(newYear).getUTCDay() === 6 ? [] : [fixed(1, 1)]),
    nthWeekday(year, 1, 1, 3),
    nthWeekday(year, 2, 1, 3),
    easterSunday(year) - 2 * DAY,
    lastMonday(year, 5),
    ...(year >= 2022 ? [fixed(6, 19)] : []),
    fixed(7, 4),
    nthWeekday(year, 9, 1, 1),
    thanksgiving(year),
    fixed(12, 25),
  ]);
  known.set(year, days);
  return days;
}

/** Closing at 13:00: the day before Independence Day, the day after Thanksgiving, Christmas Eve. */
function isHalfDay(year: number, midnight: number): boolean {
  return midnight === Date.UTC(year, 6, 3) || midnight === thanksgiving(year) + DAY || midnight === Date.UTC(year, 11, 24);
}

const thanksgiving = (year: number): number => nthWeekday(year, 11, 4, 4);

function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  return Date.UTC(year, month - 1, 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7);
}

function lastMonday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0));
  return last.getTime() - ((last.getUTCDay() + 6) % 7) * DAY;
}

/** The anonymous Gregorian computus (Nature, 1876). */
function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1);
}
