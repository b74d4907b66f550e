// Soak: whether something grows, from samples taken at even intervals.

/** Share of the samples that belong to the warm-up. */
const WARM_UP = 0.25;
/** Smaller changes, as a share of the level and in bytes, are no growth. */
const SHARE = 0.05;
const MIN_BYTES = 4 * 1024 * 1024;

export interface Growth {
  /** Medians after the warm-up and of the last quarter, bytes. */
  readonly before: number;
  readonly after: number;
  /** Slope of the samples after the warm-up (Theil-Sen), bytes an hour. */
  readonly perHour: number;
  readonly grew: boolean;
}

/**
 * @param samples bytes, at least 8 of them, `every` ms apart
 * @returns medians, so that one sample taken in the middle of a collection does not decide
 */
export function growthOf(samples: readonly number[], every: number): Growth {
  if (samples.length < 8)
    throw new RangeError(`${samples.length} samples are too few to see growth; at least 8 are needed`);
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.max(2, Math.floor(warm.length / 3));
  const before = median(warm.slice(0, quarter));
  const after = median(warm.slice(-quarter));
  const slopes = warm.flatMap((from, i) => warm.slice(i + 1).map((to, j) => (to - from) / (j + 1)));
  return {
    before,
    after,
    perHour: (median(slopes) * 3_600_000) / every,
    grew: after - before > Math.max(SHARE * before, MIN_BYTES),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}
