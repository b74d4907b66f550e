// Service, engine: the stored scores of the ideal observer, for the validation record.
// Means of four runs of `ideal-observer.ts` at full size; `ideal-observer.test.ts` recomputes them.
import type { Ceiling, WorldName } from './ideal-observer.ts';

/** Seeds of the runs. */
export const CEILING_SEEDS = [7, 21, 35, 49] as const;

export const CEILINGS: Record<WorldName, Ceiling> = {
  random_walk: { f1: 0.432, strict_f1: 0.113, day_lift: 1 },
  gjr_garch: { f1: 0.457, strict_f1: 0.209, day_lift: 1.74 },
};
