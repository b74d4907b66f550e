// Service, engine: the scores of an observer who knows the true volatility ahead, for the validation record.
// Means of four simulations at full size; `node test/research/ideal-observer.ts` recomputes them.

interface Ceiling {
  readonly f1: number;
  readonly strict_f1: number;
  readonly day_lift: number;
}

export const CEILINGS = {
  random_walk: { f1: 0.432, strict_f1: 0.113, day_lift: 1 },
  gjr_garch: { f1: 0.457, strict_f1: 0.209, day_lift: 1.74 },
} as const satisfies Record<string, Ceiling>;
