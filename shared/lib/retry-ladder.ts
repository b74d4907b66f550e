// Pure: when a failed delivery is retried (specification 6.1; contract 33), by service and relay.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';

/** Waits after the first five failed attempts, ms; then hourly. */
const FIRST_WAITS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

/** How long an endpoint may fail without a success before its subscription pauses, ms. */
export const FAILING_LIMIT_MS = 24 * HOUR_MS;

/** 0, 5 s, 35 s, 2:35, 12:35, 1:12:35, then hourly up to 23:12:35. */
export const MAX_ATTEMPTS = 28;

/** Jitter only delays, and never so much that the last attempt falls behind the limit. */
const MAX_JITTER_MS = 90 * SECOND_MS;
const JITTER_SHARE = 0.1;

/**
 * Wait before the next attempt, ms, or null when there is none.
 * @param attempts failed attempts so far, 1 or more
 * @param random uniform in [0, 1)
 */
export function retryWait(attempts: number, random: () => number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const wait = FIRST_WAITS[attempts - 1] ?? HOUR_MS;
  return wait + Math.floor(random() * Math.min(wait * JITTER_SHARE, MAX_JITTER_MS));
}
