// Soak: how evenly a page draws. `framesOf` runs in the page.

export interface Frames {
  readonly drawn: number;
  readonly late: number;
}

/**
 * Runs in the page, self-contained: counts frames for so many ms. A frame is late after 50 ms, the limit of
 * browsers for long tasks.
 */
export function framesOf(ms: number): Promise<Frames> {
  return new Promise((resolve) => {
    let drawn = 0;
    let late = 0;
    let first = 0;
    let last = 0;
    const step = (now: number): void => {
      if (first === 0) first = now;
      else {
        drawn += 1;
        if (now - last > 50) late += 1;
      }
      last = now;
      if (now - first < ms) requestAnimationFrame(step);
      else resolve({ drawn, late });
    };
    requestAnimationFrame(step);
  });
}

/** Share of late frames, 0..1. */
export function lateShare(watched: readonly Frames[]): number {
  const drawn = watched.reduce((sum, one) => sum + one.drawn, 0);
  return drawn === 0 ? 0 : watched.reduce((sum, one) => sum + one.late, 0) / drawn;
}
