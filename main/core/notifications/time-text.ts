// Main, core: formats times and durations for notifications. Pure.
import { zonedTime } from '../../../shared/domain/sessions.ts';

const NEW_YORK = 'America/New_York';
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** "14:02 New York"; on another day than now's, "Fri 14:02 New York". ms. */
export function newYorkTime(at: number, now: number): string {
  const [then, today] = [zonedTime(at, NEW_YORK), zonedTime(now, NEW_YORK)];
  const two = (value: number): string => String(value).padStart(2, '0');
  const isToday = then.year === today.year && then.month === today.month && then.day === today.day;
  const day = isToday ? '' : `${DAYS[then.weekday]} `;
  return `${day}${two(Math.floor(then.minute / 60))}:${two(then.minute % 60)} New York`;
}

/** "35 minutes", "1 minute", "2 hours 5 minutes", "3 days 2 hours": whole minutes, at least one. ms. */
export function durationText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts =
    days > 0 ? [count(days, 'day'), count(hours, 'hour')] : [count(hours, 'hour'), count(minutes % 60, 'minute')];
  return parts.filter((part) => part !== '').join(' ');
}

const count = (many: number, what: string): string => (many === 0 ? '' : `${many} ${what}${many === 1 ? '' : 's'}`);
