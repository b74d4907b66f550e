// Pure: the wait before a retry.
// Full jitter, after "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015).

export interface BackoffOptions {
  /** First ceiling, ms. */
  base: number;
  /** Highest ceiling, ms. */
  cap: number;
}

/**
 * Wait before attempt number `attempt` (0 for the first retry), ms: uniform in [0, min(cap, base *
 * 2^attempt)), but never below `floor`, which a server's Retry-After sets.
 * @param random uniform in [0, 1)
 */
export function backoffDelay(attempt: number, options: BackoffOptions, random: () => number, floor = 0): number {
  const ceiling = Math.min(options.cap, options.base * 2 ** Math.min(attempt, 30));
  return Math.max(floor, Math.floor(random() * ceiling));
}

/**
 * Reads a Retry-After header (RFC 9110, section 10.2.3): whole seconds or an HTTP date.
 * @returns ms from `now`, rounded up, or null when the header is absent or unreadable
 */
export function retryAfter(header: string | null | undefined, now: number): number | null {
  if (header === null || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse alone would read "-5" as a year.
  const date = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
