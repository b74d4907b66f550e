// Service, engine: the distribution function of a standard normal.

/**
 * Share of a standard normal below `x`: Zelen and Severo's approximation (Abramowitz and Stegun 26.2.17),
 * error below 1e-7.
 */
export function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.3989422804014327 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}
