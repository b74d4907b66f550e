// Pure: units of time in milliseconds, and the date of an instant.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Dates as text by day: making one takes more than a microsecond, and a message of a price feed needs it three times. */
const dates = new Map<number, string>();
const MAX_DATES = 50_000;

/** The UTC date of an instant ("2026-03-02"). @throws RangeError for one that is no date */
export function dateOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(ms).toISOString().slice(0, 10);
  if (dates.size >= MAX_DATES) dates.clear();
  dates.set(day, date);
  return date;
}
