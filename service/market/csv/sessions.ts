// Service, market: when a session day closes. Rows of the files say which days there were; this says at what instant each one ended.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import { isUsSession, usClosingHour } from '../../../shared/domain/us-sessions.ts';

/** us: 16:00 in New York, 13:00 on half days. fx: 17:00 in New York. crypto: the end of the UTC day. */
export const CALENDARS = ['us', 'fx', 'crypto'] as const;
export type Calendar = (typeof CALENDARS)[number];

const DAY = 86_400_000;
const HOUR = 3_600_000;

export function calendarOf(assetClass: AssetClass): Calendar {
  if (assetClass === 'crypto' || assetClass === 'fx') return assetClass;
  return 'us';
}

const newYorkHour = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});
const closes: Readonly<Record<Calendar, Map<string, number>>> = { us: new Map(), fx: new Map(), crypto: new Map() };

/** World time, ms, at which the session day `date` ("2020-02-24") closes. */
export function sessionClose(calendar: Calendar, date: string): number {
  const known = closes[calendar].get(date);
  if (known !== undefined) return known;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const at =
    calendar === 'crypto' ? midnight + DAY : newYorkInstant(midnight, calendar === 'us' ? usClosingHour(date) : 17);
  closes[calendar].set(date, at);
  return at;
}

const noons = new Map<string, number>();

/** World time, ms, of 12:00 in New York on a date: from there the hours of the day count, whatever the season. */
export function newYorkNoon(date: string): number {
  let at = noons.get(date);
  if (at === undefined) {
    at = newYorkInstant(Date.parse(date), 12);
    noons.set(date, at);
  }
  return at;
}

/** New York is four hours behind UTC in summer and five in winter. */
function newYorkInstant(midnight: number, hour: number): number {
  const winter = midnight + (hour + 5) * HOUR;
  return Number(newYorkHour.format(winter)) === hour ? winter : winter - HOUR;
}

/** Whether there is a session on a date. Currencies rest on weekends, Christmas and New Year's Day; coins never. */
export function isSession(calendar: Calendar, date: string): boolean {
  if (calendar === 'us') return isUsSession(date);
  if (calendar === 'crypto') return true;
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !date.endsWith('-12-25') && !date.endsWith('-01-01');
}

/** The first close after `now` (world ms) by the calendar alone. */
export function expectedClose(calendar: Calendar, now: number): number {
  for (let midnight = Math.floor(now / DAY) * DAY - DAY; ; midnight += DAY) {
    const date = new Date(midnight).toISOString().slice(0, 10);
    if (!isSession(calendar, date)) continue;
    const at = sessionClose(calendar, date);
    if (at > now) return at;
  }
}
