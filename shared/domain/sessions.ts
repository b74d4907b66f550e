// Pure: the one calendar of sessions: New York's shares, currencies, crypto.
// Times are ms since the epoch.
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../lib/time.ts';
import type { AssetClass } from './instruments.ts';
import { isFxSession, isUsSession, usClosingHour } from './us-sessions.ts';

/**
 * A session is named by the date on which it closes. us: New York Stock Exchange, 9:30 to 16:00, to 13:00 on
 * half days. fx: 17:00 of the day before to 17:00 in New York, Monday to Friday. always: the UTC day, never
 * closed.
 */
export const SESSION_CALENDARS = ['us', 'fx', 'always'] as const;
export type SessionCalendar = (typeof SESSION_CALENDARS)[number];

/** A period during which a market is open; `close` is exclusive. */
export interface Session {
  readonly open: number;
  readonly close: number;
}

/** An instant on a zone's clock. `weekday`: 0 is Sunday. */
export interface ZonedTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

const NEW_YORK = 'America/New_York';
/** The longest closure is a long weekend; a search further than this is a bug. */
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
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    minute: hour * 60 + minute,
  };
}

/**
 * The instant at which a zone's clock shows that minute of that day: in autumn the first of two, in spring an
 * hour later for a skipped minute.
 */
export function instantIn(zone: string, year: number, month: number, day: number, minute: number): number {
  const target = Date.UTC(year, month - 1, day) + minute * MINUTE_MS;
  const offsetAt = (at: number): number => {
    const seen = zonedTime(at, zone);
    return (
      Date.UTC(seen.year, seen.month - 1, seen.day) + seen.minute * MINUTE_MS - Math.floor(at / MINUTE_MS) * MINUTE_MS
    );
  };
  const first = target - offsetAt(target - DAY_MS);
  const second = target - offsetAt(first);
  // Tries the offset of the day before, then the new offset. Neither fits if the clock skipped that hour.
  return target - offsetAt(second) === second ? second : first;
}

/** Where an instrument of this class trades. The sandbox's world trades around the clock. */
export function sessionCalendarOf(assetClass: AssetClass, environment: 'sandbox' | 'production'): SessionCalendar {
  if (environment === 'sandbox' || assetClass === 'crypto') return 'always';
  return assetClass === 'fx' ? 'fx' : 'us';
}

/** Whether there is a session on a date ("2020-02-24"). */
export function isSession(calendar: SessionCalendar, date: string): boolean {
  if (calendar === 'always') return true;
  return calendar === 'us' ? isUsSession(date) : isFxSession(date);
}

const closes: Readonly<Record<SessionCalendar, Map<string, number>>> = {
  us: new Map(),
  fx: new Map(),
  always: new Map(),
};

/** Close of the session of a date; for a date without a session, the hypothetical close. */
export function sessionClose(calendar: SessionCalendar, date: string): number {
  const known = closes[calendar].get(date);
  if (known !== undefined) return known;
  const midnight = Date.parse(date);
  const at =
    calendar === 'always'
      ? midnight + DAY_MS
      : newYorkInstant(midnight, calendar === 'us' ? usClosingHour(date) * 60 : 17 * 60);
  closes[calendar].set(date, at);
  return at;
}

const noons = new Map<string, number>();

/** 12:00 in New York on a date: hours of the day are relative to it, in every season. */
export function newYorkNoon(date: string): number {
  const at = noons.get(date) ?? newYorkInstant(Date.parse(date), 12 * 60);
  noons.set(date, at);
  return at;
}

/** The date on New York's clock. */
export function newYorkDate(at: number): string {
  const { year, month, day } = zonedTime(at, NEW_YORK);
  return dateOf(Date.UTC(year, month - 1, day));
}

/** The session of a date; hypothetical for a date without a session. */
export function sessionOn(calendar: SessionCalendar, date: string): Session {
  const close = sessionClose(calendar, date);
  if (calendar === 'always') return { open: close - DAY_MS, close };
  // Clocks change at night, so noon has the offset of the day.
  if (calendar === 'us') return { open: newYorkNoon(date) - 2.5 * HOUR_MS, close };
  return { open: newYorkNoon(dateOf(Date.parse(date) - DAY_MS)) + 5 * HOUR_MS, close };
}

/** The first close after `at`. */
export function nextClose(calendar: SessionCalendar, at: number): number {
  for (let midnight = Math.floor(at / DAY_MS) * DAY_MS - DAY_MS; ; midnight += DAY_MS) {
    const date = dateOf(midnight);
    if (isSession(calendar, date) && sessionClose(calendar, date) > at) return sessionClose(calendar, date);
  }
}

export function isOpen(calendar: SessionCalendar, at: number): boolean {
  if (calendar === 'always') return true;
  return sessionsAround(calendar, at, 0, 1).some(({ open, close }) => open <= at && at < close);
}

/** The first opening after `at`. */
export function nextOpen(calendar: SessionCalendar, at: number): number {
  if (calendar === 'always') return Math.floor(at / DAY_MS) * DAY_MS + DAY_MS;
  const next = sessionsAround(calendar, at, 0, LOOK_AHEAD_DAYS).find(({ open }) => open > at);
  if (next === undefined) throw new Error(`${calendar} opens on no day after ${new Date(at).toISOString()}`);
  return next.open;
}

/** How long the market was open between two instants, ms. */
export function openTime(calendar: SessionCalendar, from: number, to: number): number {
  if (calendar === 'always') return Math.max(0, to - from);
  return parts(calendar, from, to).reduce((sum, { part }) => sum + part, 0);
}

/** How many sessions were between two instants, with the fractions of those that were so in part. */
export const openSessions = (calendar: 'us' | 'fx', from: number, to: number): number =>
  parts(calendar, from, to).reduce((sum, { part, whole }) => sum + part / whole, 0);

/** The part of each session that is between two instants, and the whole session, ms. */
function parts(calendar: 'us' | 'fx', from: number, to: number): { readonly part: number; readonly whole: number }[] {
  if (to <= from) return [];
  return sessionsAround(calendar, from, 0, Math.ceil((to - from) / DAY_MS) + 1).map(({ open, close }) => ({
    part: Math.max(0, Math.min(close, to) - Math.max(open, from)),
    whole: close - open,
  }));
}

/** Sessions of the dates from `first` to `last`, counted from New York's date at `at`. */
function sessionsAround(calendar: 'us' | 'fx', at: number, first: number, last: number): Session[] {
  const { year, month, day } = zonedTime(at, NEW_YORK);
  const today = Date.UTC(year, month - 1, day);
  const sessions: Session[] = [];
  for (let midnight = today + first * DAY_MS; midnight <= today + last * DAY_MS; midnight += DAY_MS) {
    const date = dateOf(midnight);
    if (!isSession(calendar, date)) continue;
    sessions.push(sessionOn(calendar, date));
  }
  return sessions;
}

/**
 * The last `count` sessions that opened up to `at`, oldest first, by date. The time between a close and the
 * next opening belongs to the closed session.
 */
export function lastSessions(calendar: SessionCalendar, at: number, count: number): (Session & { date: string })[] {
  const sessions: (Session & { date: string })[] = [];
  // A currency session opens on the day before.
  for (let midnight = Math.floor(at / DAY_MS) * DAY_MS + DAY_MS; sessions.length < count; midnight -= DAY_MS) {
    const date = dateOf(midnight);
    if (!isSession(calendar, date)) continue;
    const session = sessionOn(calendar, date);
    if (session.open <= at) sessions.unshift({ date, ...session });
  }
  return sessions;
}

/** The clocks of New York are four hours behind UTC in summer and five in winter; they change at night. */
function newYorkInstant(midnight: number, minute: number): number {
  const winter = midnight + minute * MINUTE_MS + 5 * HOUR_MS;
  return zonedTime(winter, NEW_YORK).minute === minute ? winter : winter - HOUR_MS;
}
