// Pure: units of time in milliseconds, and the date of an instant.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

let [lastDay, lastDate] = [Number.NaN, ''];

/** The UTC date of an instant ("2026-03-02"). Remembers the last day: most callers ask about the same one. */
export function dateOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay) [lastDay, lastDate] = [day, new Date(ms).toISOString().slice(0, 10)];
  return lastDate;
}
