// Service, sandbox world: temporary factors on the prices of scenarios.
import { HORIZON, sampleDeviation, thresholdOf, VOLATILITY_WINDOW } from '../../engine/threshold.ts';
import type { Path } from './daily.ts';
import { FIRST_DAY } from './days.ts';
import { ln } from './numbers.ts';

/** The reference of a shock: the close from which the forming day's drawdown counts, and its threshold. */
export interface ShockReference {
  readonly peak: number;
  readonly threshold: number;
}

/**
 * The shock reference of a forming day from earlier closes, close to the engine's own; null in the first year
 * of the world.
 */
export function referenceFor(path: Path, day: number): ShockReference | null {
  const last = day - FIRST_DAY - 1;
  let at = last;
  for (let k = last - 1; k > last - HORIZON; k--) if (path.closeAt(k) > path.closeAt(at)) at = k;
  if (at < VOLATILITY_WINDOW) return null;
  return { peak: path.closeAt(at), threshold: thresholdOf(sampleDeviation(returnsTo(path, at))) };
}

const returnsTo = (path: Path, at: number): Float64Array =>
  Float64Array.from({ length: VOLATILITY_WINDOW }, (_, k) => ln(path.closeAt(at - k) / path.closeAt(at - k - 1)));

/** An instant (ms) at which the factor on the price is `factor`; between two instants it moves smoothly. */
interface InterpolationPoint {
  readonly at: number;
  readonly factor: number;
}

/** The effect of a shock on the price, in order of time. */
export type Shock = readonly InterpolationPoint[];

/** The factor of a shock on the price at an instant (ms), 1 before and after it. */
export function factorAt(points: Shock, ms: number): number {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index] as InterpolationPoint;
    if (ms < point.at) continue;
    const next = points[index + 1];
    if (next === undefined || next.factor === point.factor) return point.factor;
    const progress = (ms - point.at) / (next.at - point.at);
    return point.factor + (next.factor - point.factor) * progress * progress * (3 - 2 * progress);
  }
  return 1;
}
