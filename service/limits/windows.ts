// Service, limits: counts calls per endpoint and caller in the current minute of the wall clock.
// Minutes of the epoch, so that all windows end together.
import { MINUTE_MS } from '../../shared/lib/time.ts';

/**
 * Callers with a count of their own per endpoint and minute; further ones share one count, so that memory
 * stays bounded.
 */
const MOST_CALLERS = 10_000;
const REST = '';

export interface Windows {
  /** Calls by `who` to `endpoint` in the minute of `now`. */
  used(endpoint: object, who: string, now: number): number;
  count(endpoint: object, who: string, now: number): void;
}

export function createWindows(): Windows {
  let minute = Number.NaN;
  const endpoints = new Map<object, Map<string, number>>();
  const at = (endpoint: object, now: number): Map<string, number> => {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      endpoints.clear();
    }
    let counts = endpoints.get(endpoint);
    if (counts === undefined) {
      counts = new Map();
      endpoints.set(endpoint, counts);
    }
    return counts;
  };
  const nameIn = (counts: Map<string, number>, who: string): string =>
    counts.size < MOST_CALLERS || counts.has(who) ? who : REST;
  return {
    used(endpoint, who, now) {
      const counts = at(endpoint, now);
      return counts.get(nameIn(counts, who)) ?? 0;
    },
    count(endpoint, who, now) {
      const counts = at(endpoint, now);
      const name = nameIn(counts, who);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
  };
}

/** The first instant of the next window, ms. */
export const minuteEnd = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
