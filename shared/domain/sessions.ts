// Pure: the one calendar of sessions: twenty exchanges, currencies, crypto, and what has no known exchange. Times are ms since the epoch.
import { DAY_MS, dateOf, MINUTE_MS } from '../lib/time.ts';
import { EXCHANGE_DAYS } from './exchanges/days.ts';
import { type DayStatus, type ExchangeTable, type Span, tradingDay } from './exchanges/exchange-table.ts';
import {
  ALL_CALENDARS,
  EXCHANGES,
  exchangeOf,
  FX,
  isOfNewYork,
  SESSION_CALENDARS,
  type SessionCalendar,
  UNKNOWN,
} from './exchanges/exchanges.ts';
import type { AssetClass } from './instruments.ts';

export { ALL_CALENDARS, SESSION_CALENDARS, type SessionCalendar };

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

const NEW_YORK_ZONE = 'America/New_York';
/** Longer than any closure of an exchange; a search further than this is a bug. */
const LOOK_AHEAD_DAYS = 21;

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

/** How far a zone's clock is ahead of UTC, ms. */
function offsetAt(zone: string, at: number): number {
  const { year, month, day, minute } = zonedTime(at, zone);
  return Date.UTC(year, month - 1, day) + minute * MINUTE_MS - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * The instant at which a zone's clock shows that minute of that day: in autumn the first of two, in spring an
 * hour later for a skipped minute.
 */
export function instantIn(zone: string, year: number, month: number, day: number, minute: number): number {
  const target = Date.UTC(year, month - 1, day) + minute * MINUTE_MS;
  const first = target - offsetAt(zone, target - DAY_MS);
  const second = target - offsetAt(zone, first);
  // Tries the offset of the day before, then the new offset. Neither fits if the clock skipped that hour.
  return target - offsetAt(zone, second) === second ? second : first;
}

/**
 * Where an instrument trades: on the exchange that is named, else by its class, and by the name of its symbol. The
 * sandbox's world never closes. A share without a suffix trades in New York.
 * @param named by its service, or by instruments.csv
 */
export function sessionCalendarOf(
  assetClass: AssetClass,
  environment: 'sandbox' | 'production',
  symbol: string | null,
  named?: SessionCalendar,
): SessionCalendar {
  if (environment === 'sandbox') return 'always';
  if (named !== undefined) return named;
  if (assetClass === 'crypto') return 'always';
  // GC=F and JPY=X, as Yahoo writes futures and currencies.
  if (assetClass === 'fx' || symbol?.match(/=[FX]$/)) return 'fx';
  if (symbol === null) return 'us';
  return exchangeOf(symbol, assetClass) ?? (isOfNewYork(symbol, assetClass) ? 'us' : 'unknown');
}

/**
 * The calendar of a symbol's market. `assetClass`: that of an event, for a symbol without a signal. The market of
 * null is New York.
 */
export type CalendarOf = (symbol: string | null, assetClass?: AssetClass | null) => SessionCalendar;

/** Where the symbols of a service trade. @param signalOf its signal, whose exchange the symbol alone may not tell */
export const calendarsOf =
  (
    environment: 'sandbox' | 'production',
    signalOf: (
      symbol: string,
    ) =>
      | { readonly asset_class: AssetClass | null; readonly exchange?: SessionCalendar | undefined }
      | null
      | undefined,
  ): CalendarOf =>
  (symbol, assetClass) => {
    const signal = symbol === null ? null : signalOf(symbol);
    return sessionCalendarOf(signal?.asset_class ?? assetClass ?? 'etf', environment, symbol, signal?.exchange);
  };

/** Empty: nothing is known of its days. */
const daysOf = (calendar: SessionCalendar): string =>
  (EXCHANGE_DAYS as Readonly<Partial<Record<SessionCalendar, string>>>)[calendar] ?? '';

function tableOf(calendar: Exclude<SessionCalendar, 'always'>): ExchangeTable {
  if (calendar === 'fx') return FX;
  return calendar === 'unknown' ? UNKNOWN : { ...EXCHANGES[calendar], days: daysOf(calendar) };
}

/** The clock by which a calendar's dates are counted. */
export function zoneOf(calendar: SessionCalendar): string {
  if (calendar === 'always') return 'UTC';
  return calendar === 'fx' || calendar === 'unknown' ? FX.zone : EXCHANGES[calendar].zone;
}

interface CalendarDay extends Session {
  readonly status: DayStatus;
  /** The session without its breaks. */
  readonly spans: readonly Session[];
}

interface KnownDays {
  /** Of what they were read: the page loads it late. */
  readonly source: string;
  readonly days: Map<string, CalendarDay>;
}
const calendars = new Map<SessionCalendar, KnownDays>();

function dayOf(calendar: SessionCalendar, date: string): CalendarDay {
  const source = daysOf(calendar);
  let known = calendars.get(calendar);
  if (known?.source !== source) {
    known = { source, days: new Map() };
    calendars.set(calendar, known);
  }
  const day = known.days.get(date) ?? readDay(calendar, date);
  known.days.set(date, day);
  return day;
}

function readDay(calendar: SessionCalendar, date: string): CalendarDay {
  const midnight = Date.parse(date);
  if (calendar === 'always') {
    const whole = { open: midnight, close: midnight + DAY_MS };
    return { ...whole, status: 'open', spans: [whole] };
  }
  const table = tableOf(calendar);
  const { status, spans } = tradingDay(table, date);
  const start = midnightIn(table.zone, date);
  const instants = spans.map(({ open, close, closeZone }: Span) => {
    const from = closeZone === null ? start : midnightIn(closeZone, date);
    return { open: start + open * MINUTE_MS, close: from + close * MINUTE_MS };
  });
  return {
    open: instants[0]?.open ?? 0,
    close: instants.at(-1)?.close ?? 0,
    // Some exchanges trade on Sundays: a weekend brings no session that is missed, and may be one.
    status: calendar === 'unknown' && status === 'closed' ? 'expected_closed' : status,
    spans: instants,
  };
}

/**
 * Whether a session is expected on a date ("2020-02-24"): also on a weekday of a year that no table has, not on an
 * expected holiday.
 */
export function isSession(calendar: SessionCalendar, date: string): boolean {
  const { status } = dayOf(calendar, date);
  return status === 'open' || status === 'unknown';
}

export const dayStatus = (calendar: SessionCalendar, date: string): DayStatus => dayOf(calendar, date).status;

/** Whether a weekday is one on which New York does not trade. */
export const isUsHoliday = (date: string): boolean =>
  new Date(Date.parse(date)).getUTCDay() % 6 !== 0 && !isSession('us', date);

/** Close of the session of a date; for a date without a session, the hypothetical close. */
export const sessionClose = (calendar: SessionCalendar, date: string): number => dayOf(calendar, date).close;

const midnights = new Map<string, number>();

/** 00:00 on a zone's clock, by the offset of its noon, as clocks change at night: hours of the day count from it. */
export function midnightIn(zone: string, date: string): number {
  const key = `${zone} ${date}`;
  const at = midnights.get(key) ?? Date.parse(date) - offsetAt(zone, Date.parse(date) + DAY_MS / 2);
  midnights.set(key, at);
  return at;
}

/** 12:00 in New York on a date. */
export const newYorkNoon = (date: string): number => midnightIn(NEW_YORK_ZONE, date) + DAY_MS / 2;

/** The date on a calendar's clock. */
export function calendarDate(calendar: SessionCalendar, at: number): string {
  const { year, month, day } = zonedTime(at, zoneOf(calendar));
  return dateOf(Date.UTC(year, month - 1, day));
}

/** The date on New York's clock. */
export const newYorkDate = (at: number): string => calendarDate('us', at);

/** The session of a date; hypothetical for a date without a session. */
export function sessionOn(calendar: SessionCalendar, date: string): Session {
  const { open, close } = dayOf(calendar, date);
  return { open, close };
}

/** The first close after `at`. */
export function nextClose(calendar: SessionCalendar, at: number): number {
  for (let midnight = Math.floor(at / DAY_MS) * DAY_MS - DAY_MS; ; midnight += DAY_MS) {
    const date = dateOf(midnight);
    if (isSession(calendar, date) && sessionClose(calendar, date) > at) return sessionClose(calendar, date);
  }
}

/** Whether a market trades, or may: a holiday that was not announced may be none. */
export function isOpen(calendar: SessionCalendar, at: number): boolean {
  if (calendar === 'always' || calendar === 'unknown') return true;
  return daysAround(calendar, at, 1).some(
    ({ status, spans }) => status !== 'closed' && spans.some(({ open, close }) => open <= at && at < close),
  );
}

/** The first opening after `at`; a break has none. */
export function nextOpen(calendar: SessionCalendar, at: number): number {
  if (calendar === 'always') return Math.floor(at / DAY_MS) * DAY_MS + DAY_MS;
  const next = sessionsAround(calendar, at, LOOK_AHEAD_DAYS).find(({ open }) => open > at);
  if (next === undefined) throw new Error(`${calendar} opens on no day after ${new Date(at).toISOString()}`);
  return next.open;
}

/** How long the market was open between two instants, ms. */
export function openTime(calendar: SessionCalendar, from: number, to: number): number {
  if (calendar === 'always') return Math.max(0, to - from);
  return parts(calendar, from, to).reduce((sum, { part }) => sum + part, 0);
}

/** How many sessions were between two instants, with the fractions of those that were so in part. */
export const openSessions = (calendar: SessionCalendar, from: number, to: number): number =>
  parts(calendar, from, to).reduce((sum, { part, whole }) => sum + part / whole, 0);

/** The part of each session that is between two instants, and the whole session, ms. */
function parts(
  calendar: SessionCalendar,
  from: number,
  to: number,
): { readonly part: number; readonly whole: number }[] {
  if (to <= from) return [];
  return sessionsAround(calendar, from, Math.ceil((to - from) / DAY_MS) + 1).map(({ spans }) => ({
    part: spans.reduce((sum, { open, close }) => sum + Math.max(0, Math.min(close, to) - Math.max(open, from)), 0),
    whole: spans.reduce((sum, { open, close }) => sum + close - open, 0),
  }));
}

const sessionsAround = (calendar: SessionCalendar, at: number, last: number): CalendarDay[] =>
  daysAround(calendar, at, last).filter(({ status }) => status === 'open' || status === 'unknown');

/** The days from the calendar's date at `at` to that many days later. */
function daysAround(calendar: SessionCalendar, at: number, last: number): CalendarDay[] {
  const today = Date.parse(calendarDate(calendar, at));
  return Array.from({ length: last + 1 }, (_, index) => dayOf(calendar, dateOf(today + index * DAY_MS)));
}

/**
 * The last `count` sessions that opened up to `at`, oldest first, by date. The time between a close and the
 * next opening belongs to the closed session.
 */
export function lastSessions(calendar: SessionCalendar, at: number, count: number): (Session & { date: string })[] {
  const sessions: (Session & { date: string })[] = [];
  // A session of currencies or of Sydney opens on the day before in UTC.
  for (let midnight = Math.floor(at / DAY_MS) * DAY_MS + DAY_MS; sessions.length < count; midnight -= DAY_MS) {
    const date = dateOf(midnight);
    if (!isSession(calendar, date)) continue;
    const session = sessionOn(calendar, date);
    if (session.open <= at) sessions.unshift({ date, ...session });
  }
  return sessions;
}
