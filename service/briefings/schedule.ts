// Service, briefings: when which briefing is due. Pure. Times hang on the close of a session day: New York's at 16:00, or in the sandbox, which
// trades around the clock, the end of the UTC day.
import type { BriefingType } from '../../shared/wire/briefings.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import { sessionClose } from '../market/csv/sessions.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export type ScheduledType = Exclude<BriefingType, 'transition'>;

export interface DueBriefing {
  /** World ms. */
  readonly at: number;
  readonly type: ScheduledType;
  /** The session day that it belongs to. */
  readonly date: string;
}

interface Slot {
  readonly type: ScheduledType;
  /** 0 Sunday .. 6 Saturday. */
  readonly weekdays: readonly number[];
  /** Hours after the day's close. */
  readonly hours: number;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const SLOTS: Readonly<Record<Environment, readonly Slot[]>> = {
  // In UTC: 08:00, 12:00, a quarter past midnight; Wednesday 15:00; Saturday 09:00.
  sandbox: [
    { type: 'pre-market', weekdays: WORKDAYS, hours: -16 },
    { type: 'midday', weekdays: WORKDAYS, hours: -12 },
    { type: 'deep', weekdays: [3], hours: -9 },
    { type: 'weekly', weekdays: [6], hours: -15 },
    { type: 'after-hours', weekdays: WORKDAYS, hours: 0.25 },
  ],
  // In New York: 08:30, 12:30, 16:30; Wednesday 14:00; Saturday 09:00.
  production: [
    { type: 'pre-market', weekdays: WORKDAYS, hours: -7.5 },
    { type: 'midday', weekdays: WORKDAYS, hours: -3.5 },
    { type: 'deep', weekdays: [3], hours: -2 },
    { type: 'weekly', weekdays: [6], hours: -7 },
    { type: 'after-hours', weekdays: WORKDAYS, hours: 0.5 },
  ],
};

/** World ms at which a session day closes. */
const closeOf = (environment: Environment, date: string): number =>
  sessionClose(environment === 'sandbox' ? 'crypto' : 'us', date);
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function dueOn(environment: Environment, date: string): DueBriefing[] {
  if (environment === 'production' && isHoliday(date)) return [];
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return SLOTS[environment]
    .filter(({ weekdays }) => weekdays.includes(weekday))
    .map(({ type, hours }) => ({ at: closeOf(environment, date) + hours * HOUR_MS, type, date }));
}

/** Everything due in (from, to], in order. */
export function dueWithin(environment: Environment, from: number, to: number): DueBriefing[] {
  const due: DueBriefing[] = [];
  for (let at = from - 2 * DAY_MS; at <= to + 2 * DAY_MS; at += DAY_MS) due.push(...dueOn(environment, dateOf(at)));
  return due.filter(({ at }) => at > from && at <= to).sort((a, b) => a.at - b.at);
}

/**
 * Where evaluating stops next after `instant`: at the next thing due, or just before a session closes, so that what is told of the time before a
 * close is told by what was known before it.
 */
export function nextStop(environment: Environment, instant: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (let at = instant - 2 * DAY_MS; at <= instant + 5 * DAY_MS; at += DAY_MS) {
    const date = dateOf(at);
    const eve = closeOf(environment, date) - 1;
    if (eve > instant) next = Math.min(next, eve);
    for (const due of dueOn(environment, date)) if (due.at > instant) next = Math.min(next, due.at);
  }
  return next;
}

/** Days on which New York does not trade: the rules of NYSE Rule 7.2; closures by decree are not known beforehand. */
export function isHoliday(date: string): boolean {
  const year = Number(date.slice(0, 4));
  return holidaysOf(year).has(date);
}

const holidays = new Map<number, ReadonlySet<string>>();
function holidaysOf(year: number): ReadonlySet<string> {
  const known = holidays.get(year);
  if (known !== undefined) return known;
  const made = new Set([
    nthMonday(year, 0, 3),
    nthMonday(year, 1, 3),
    dateOf(easter(year) - 2 * DAY_MS),
    nthMonday(year, 5, 0),
    observed(year, 6, 4),
    nthMonday(year, 8, 1),
    // The fourth Thursday: three days after a Monday, counted from the Monday of or before the 1st.
    thanksgiving(year),
    observed(year, 11, 25),
    newYear(year),
    ...(year >= 2022 ? [observed(year, 5, 19)] : []),
  ]);
  holidays.set(year, made);
  return made;
}

/** A fixed date; on a Saturday the Friday before, on a Sunday the Monday after. */
function observed(year: number, month: number, day: number): string {
  const at = Date.UTC(year, month, day);
  const weekday = new Date(at).getUTCDay();
  return dateOf(weekday === 6 ? at - DAY_MS : weekday === 0 ? at + DAY_MS : at);
}

/** A Saturday's New Year is not made up for, because the Friday ends the year's books. */
function newYear(year: number): string {
  const at = Date.UTC(year, 0, 1);
  return dateOf(new Date(at).getUTCDay() === 0 ? at + DAY_MS : at);
}

/** The nth Monday of a month, or with 0 the last one before the 1st of the next (of May: Memorial Day). */
function nthMonday(year: number, month: number, nth: number): string {
  const first = Date.UTC(year, month, 1);
  const monday = first + ((8 - new Date(first).getUTCDay()) % 7) * DAY_MS;
  return dateOf(monday + (nth - 1) * 7 * DAY_MS);
}

function thanksgiving(year: number): string {
  const first = Date.UTC(year, 10, 1);
  const thursday = first + ((11 - new Date(first).getUTCDay()) % 7) * DAY_MS;
  return dateOf(thursday + 21 * DAY_MS);
}

/** Easter Sunday (Meeus' form of the Gregorian computus), ms. */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = b - Math.floor(b / 4) - Math.floor((8 * b + 13) / 25);
  const h = (19 * a + d + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * (b % 4) + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1);
}
