// Main, core: how far this computer's clock is from the service's, by the Date of its answers. That has whole seconds; but every answer says
// between which two moments its second began, and where all of them agree is much closer.

/** A wait longer than this says too little, ms. */
const SLOWEST = 5_000;
/** A service whose Date stands still or jumps (a replay behind a cache) is not measured closer than this, ms. */
const LEAST_WIDTH = 20;

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
      // The service's clock showed something within [second, second + 1000) at some moment within [began, ended].
      const [low, high] = [began - second - 1_000, ended - second];
      const met =
        bounds === null ? { low, high } : { low: Math.max(bounds.low, low), high: Math.min(bounds.high, high) };
      // Where they contradict each other a clock was set: what was measured before is forgotten.
      bounds = met.high - met.low >= LEAST_WIDTH ? met : met.high < met.low ? { low, high } : bounds;
    },
    estimate: () =>
      bounds === null
        ? null
        : { ms: Math.round((bounds.low + bounds.high) / 2), within: Math.round((bounds.high - bounds.low) / 2) },
  };
}
