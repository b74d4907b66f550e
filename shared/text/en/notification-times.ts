// Pure: the English of times and durations in notifications.
import { datePartsIn, type Zone, zoneName } from '../format.ts';

/** "9 seconds", "35 minutes", "2 hours 5 minutes", "3 days 2 hours": rounded down, at least one second. ms. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return count(Math.max(1, Math.floor(ms / 1_000)), 'second');
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts =
    days > 0 ? [count(days, 'day'), count(hours, 'hour')] : [count(hours, 'hour'), count(minutes % 60, 'minute')];
  return parts.filter((part) => part !== '').join(' ');
}

const count = (many: number, what: string): string => (many === 0 ? '' : `${many} ${what}${many === 1 ? '' : 's'}`);

/** "at 10:30 New York"; on a day other than that of `now`, "on Thu 19 Nov at 10:30 New York". ms. */
export const instantText = (at: number, now: number, zone: Zone): string =>
  `${timeText(at, now, zone)} ${zoneName(zone)}`;

function timeText(at: number, now: number, zone: Zone): string {
  const [then, today] = [partsOf(at, zone), partsOf(now, zone)];
  const time = `${then.hour}:${then.minute}`;
  if (then.date === today.date) return `at ${time}`;
  const year = then.year === today.year ? '' : ` ${then.year}`;
  return `on ${then.weekday} ${then.day} ${then.month}${year} at ${time}`;
}

/** "10:30 New York"; on a day other than that of `now`, "Thu 19 Nov 10:30 New York". ms. */
export const dayTimeText = (at: number, now: number, zone: Zone): string =>
  `${shortTimeText(at, now, zone)} ${zoneName(zone)}`;

/**
 * "since 10:30"; on a day other than that of `now`, "since Thu 19 Nov 10:30". Short for a title; the text has
 * the zone.
 */
export const sinceText = (at: number, now: number, zone: Zone): string => `since ${shortTimeText(at, now, zone)}`;

const shortTimeText = (at: number, now: number, zone: Zone): string =>
  timeText(at, now, zone)
    .replace(/^(at|on) /, '')
    .replace(' at ', ' ');

function partsOf(instant: number, zone: Zone) {
  const parts = datePartsIn(instant, zone);
  return { ...parts, date: `${parts.day} ${parts.month} ${parts.year}` };
}
