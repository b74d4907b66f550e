// Main, core: detects an open stream that lags behind the log or omits events.
// The stream lags when reading the log brings an event that the stream should have brought. The log is then
// polled as without a stream, until polling brings no new events.

export interface Lag {
  /**
   * Reports a reading of the log. @param oldest world time, ms, of the oldest event that it brought; null:
   * none
   */
  compared(oldest: number | null): void;
  isBehind(): boolean;
  /** A new stream begins. */
  begin(): void;
}

/** A younger event may still be in transit, world ms at speed 1. */
const IN_TRANSIT = 5_000;
/** Consecutive readings without a new event that end the lag. */
const ENOUGH = 12;

export function createLag(world: { now(): number; view(): { readonly speed: number } }): Lag {
  let isBehind = false;
  let without = 0;
  return {
    compared(oldest) {
      without = oldest === null ? without + 1 : 0;
      if (oldest !== null && world.now() - oldest > IN_TRANSIT * Math.max(1, world.view().speed)) isBehind = true;
      if (without >= ENOUGH) isBehind = false;
    },
    isBehind: () => isBehind,
    begin() {
      isBehind = false;
      without = 0;
    },
  };
}
