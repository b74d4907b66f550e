// Service, sandbox world: its calendar: every UTC day is a session of 24 hours.
import { DAY_MS } from '../../../shared/lib/time.ts';

/** Whole days since 1970-01-01 UTC, of the day that contains the instant. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
export const startOf = (day: number): number => day * DAY_MS;
export const dateOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10);
export const dayOfDate = (date: string): number => dayOf(Date.parse(`${date}T00:00:00Z`));

/** The first day of the world, 2000-01-01. The first bar is of the next day. */
export const FIRST_DAY = dayOf(Date.UTC(2000, 0, 1));

/** First served instant: at least two years of bars come before it. */
const EARLIEST = Date.UTC(2002, 0, 1);
const LATEST = Date.UTC(2100, 0, 1) - 1;

/** @throws RangeError, one line, for an instant outside the range of the world */
export function assertWithin(ms: number): void {
  if (ms >= EARLIEST && ms <= LATEST) return;
  const given = Math.abs(ms) <= 8.64e15 ? dateOf(dayOf(ms)) : `${ms}`;
  throw new RangeError(
    `the sandbox world can be looked at from ${dateOf(dayOf(EARLIEST))} to ${dateOf(dayOf(LATEST))}; ${given} is outside`,
  );
}
