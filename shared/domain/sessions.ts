// Pure: when markets are open, by rule: New York's shares with their holidays and half days, currencies by the week, crypto around the clock.
// Times are ms since the epoch; a zone's clock is read through Intl.
import type { AssetClass } from './instruments.ts';
import { isUsSession, usClosingHour } from './us-sessions.ts';

/** us: New York Stock Exchange. fx: Sunday 17:00 to Friday 17:00 in New York. always: never closed; its day begins at 00:00 UTC. */
export const SESSION_CALENDARS = ['us', 'fx', 'always'] as const;
export type SessionCalendar = (typeof SESSION_CALENDARS)[number];

/** A period during which a market is open; `close` is exclusive. */
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
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    minute: hour * 60 + minute,
  };
}

/** The moment at which a zone's clock shows that minute of that day; of two (autumn) the first, of none (spring) the one an hour on. */
export function instantIn(zone: string, year: number, month: number, day: number, minute: number): number {
  const target = Date.UTC(year, month - 1, day) + minute * MINUTE;
  const offsetAt = (at: number): number => {
    const seen = zonedTime(at, zone);
    return Date.UTC(seen.year, seen.month - 1, seen.day) + seen.minute * MINUTE - Math.floor(at / MINUTE) * MINUTE;
  };
  const first = target - offsetAt(target - DAY);
  const second = target - offsetAt(first);
  // By the clock of the day before; where that does not stand any more, by the one that has come. Neither: the hour was left out.
  return target - offsetAt(second) === second ? second : first;
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
  const days = Array.from(
    { length: last - first + 1 },
    (_, index) => Date.UTC(year, month - 1, day) + (first + index) * DAY,
  );
  return days.flatMap((midnight) => (calendar === 'us' ? shareSession(midnight) : currencySession(midnight)) ?? []);
}

/** @param midnight a New York day, as that date's 00:00 UTC */
function shareSession(midnight: number): Session | null {
  const date = new Date(midnight);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const name = date.toISOString().slice(0, 10);
  if (!isUsSession(name)) return null;
  return {
    open: instantIn(NEW_YORK, year, month, day, 9 * 60 + 30),
    close: instantIn(NEW_YORK, year, month, day, usClosingHour(name) * 60),
  };
}

/** The currency day that begins on this date: 17:00 to 17:00, Sunday to Thursday. */
function currencySession(midnight: number): Session | null {
  const [from, to] = [new Date(midnight), new Date(midnight + DAY)];
  if (from.getUTCDay() > 4) return null;
  const five = (date: Date): number =>
    instantIn(NEW_YORK, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), 17 * 60);
  return { open: five(from), close: five(to) };
}
