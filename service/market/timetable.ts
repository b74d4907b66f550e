// Service, market: the due instants of scheduled briefings, and the ends of evaluation steps. Pure.
// Instants count from noon in New York, or UTC in the sandbox; those after hours from the close.
import { isUsHoliday, newYorkNoon, sessionClose } from '../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS } from '../../shared/lib/time.ts';
import type { BriefingType } from '../../shared/wire/briefings.ts';
import type { Environment } from '../../shared/wire/keys.ts';

export type ScheduledType = Exclude<BriefingType, 'transition'>;

export interface DueBriefing {
  /** World ms. */
  readonly at: number;
  readonly type: ScheduledType;
  /** The session day of the instant. */
  readonly date: string;
}

interface Slot {
  readonly type: ScheduledType;
  /** 0 Sunday .. 6 Saturday. */
  readonly weekdays: readonly number[];
  /** The reference of `hours`. */
  readonly from: 'noon' | 'close';
  readonly hours: number;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const SLOTS: Readonly<Record<Environment, readonly Slot[]>> = {
  // In UTC: 08:00, 12:00, a quarter past midnight; Wednesday 15:00; Saturday 09:00.
  sandbox: [
    { type: 'pre-market', weekdays: WORKDAYS, from: 'noon', hours: -4 },
    { type: 'midday', weekdays: WORKDAYS, from: 'noon', hours: 0 },
    { type: 'deep', weekdays: [3], from: 'noon', hours: 3 },
    { type: 'weekly', weekdays: [6], from: 'noon', hours: -3 },
    { type: 'after-hours', weekdays: WORKDAYS, from: 'close', hours: 0.25 },
  ],
  // In New York: 08:30, 12:30, 16:30; Wednesday 14:00; Saturday 09:00. On a half day, which closes at 13:00,
  // after hours is due at 13:30 and midday still at 12:30.
  production: [
    { type: 'pre-market', weekdays: WORKDAYS, from: 'noon', hours: -3.5 },
    { type: 'midday', weekdays: WORKDAYS, from: 'noon', hours: 0.5 },
    { type: 'deep', weekdays: [3], from: 'noon', hours: 2 },
    { type: 'weekly', weekdays: [6], from: 'noon', hours: -3 },
    { type: 'after-hours', weekdays: WORKDAYS, from: 'close', hours: 0.5 },
  ],
};

/** World ms at which a session day closes. */
const closeOf = (environment: Environment, date: string): number =>
  sessionClose(environment === 'sandbox' ? 'always' : 'us', date);

const noonOf = (environment: Environment, date: string): number =>
  environment === 'sandbox' ? Date.parse(date) + DAY_MS / 2 : newYorkNoon(date);

function dueOn(environment: Environment, date: string): DueBriefing[] {
  if (environment === 'production' && isUsHoliday(date)) return [];
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  return SLOTS[environment]
    .filter(({ weekdays }) => weekdays.includes(weekday))
    .map(({ type, from, hours }) => {
      const begin = from === 'close' ? closeOf(environment, date) : noonOf(environment, date);
      return { at: begin + hours * HOUR_MS, type, date };
    });
}

export interface Timetable {
  /** All briefings due in (from, to], in order. */
  dueWithin(from: number, to: number): DueBriefing[];
  /**
   * The latest end of an evaluation step that begins at `after`: the next due instant, so that a briefing
   * describes that instant, or the ms before a session close, so that instants before a close use only
   * earlier data.
   */
  stepEnd(after: number): number;
}

export function createTimetable(environment: Environment): Timetable {
  let step = { after: Number.NaN, end: Number.NaN };
  const stepEnd = (after: number): number => {
    if (!(after >= step.after && after < step.end)) step = { after, end: nextStepEnd(environment, after) };
    return step.end;
  };
  return {
    stepEnd,
    dueWithin(from, to) {
      if (to < stepEnd(from)) return [];
      const due: DueBriefing[] = [];
      for (let at = from - 2 * DAY_MS; at <= to + 2 * DAY_MS; at += DAY_MS) due.push(...dueOn(environment, dateOf(at)));
      return due.filter(({ at }) => at > from && at <= to).sort((a, b) => a.at - b.at);
    },
  };
}

function nextStepEnd(environment: Environment, instant: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (let at = instant - 2 * DAY_MS; at <= instant + 5 * DAY_MS; at += DAY_MS) {
    const date = dateOf(at);
    const eve = closeOf(environment, date) - 1;
    if (eve > instant) next = Math.min(next, eve);
    for (const due of dueOn(environment, date)) if (due.at > instant) next = Math.min(next, due.at);
  }
  return next;
}
