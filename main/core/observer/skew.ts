// Main, core: measures the difference between this computer's clock and the service's Date header.
// The header has whole seconds, but every answer bounds the start of its second; the intersection of the
// bounds is much narrower.

/** A slower answer is too imprecise, ms. */
const SLOWEST = 5_000;
/** Narrowest bounds, ms, for a service whose Date stops or jumps (a replay behind a cache). */
const MIN_WIDTH = 20;

export interface Skew {
  /** @param date the header; @param began, ended this computer's time of request and head, ms */
  onDate(date: string | null, began: number, ended: number): void;
  /** This computer's time minus the service's, ms; null before the first answer. */
  estimate(): { readonly ms: number; readonly within: number } | null;
}

export function createSkew(): Skew {
  let bounds: { readonly low: number; readonly high: number } | null = null;
  return {
    onDate(date, began, ended) {
      const second = Date.parse(date ?? '');
      if (Number.isNaN(second) || ended < began || ended - began > SLOWEST) return;
      // The service's clock was within [second, second + 1000) at some instant within [began, ended].
      const [low, high] = [began - second - 1_000, ended - second];
      const met =
        bounds === null ? { low, high } : { low: Math.max(bounds.low, low), high: Math.min(bounds.high, high) };
      // Contradictory bounds mean that a clock was set: earlier ones are discarded.
      bounds = met.high - met.low >= MIN_WIDTH ? met : met.high < met.low ? { low, high } : bounds;
    },
    estimate: () =>
      bounds === null
        ? null
        : { ms: Math.round((bounds.low + bounds.high) / 2), within: Math.round((bounds.high - bounds.low) / 2) },
  };
}
