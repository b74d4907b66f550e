// Pure: units of time in milliseconds, and the date of an instant.

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The UTC date of an instant ("2026-03-02"). */
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
