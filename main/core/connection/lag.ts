// Main, core: whether a stream, though open, is behind: held back by a proxy, or leaving things out.
// What a comparison of the logs brings, the stream should have brought before. The log is then polled as if there were
// no stream, until polling has nothing to add any more.

export interface Lag {
  /** The log was compared while the stream was open. @param oldest world time, ms, of the oldest event that this brought; null: it brought none */
  compared(oldest: number | null): void;
  isBehind(): boolean;
  /** The stream is another one now. */
  begin(): void;
}

/** What is younger may still be on its way, world ms at speed 1. */
const IN_TRANSIT = 5_000;
/** So many comparisons in a row that bring nothing. */
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
