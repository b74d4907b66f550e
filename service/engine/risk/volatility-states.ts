// Service, engine: a hidden two-state model of volatility, calm and high (Hamilton's filter).
// Online use never smooths.
import { z } from 'zod';

const Share = z.number().gt(0).lt(1);

export const VolatilityStatesSchema = z.strictObject({
  /** Standard deviations of a return over its 252-bar deviation. */
  calm: z.number().positive(),
  high: z.number().positive(),
  /** P(the next bar is in the same state). */
  stay_calm: Share,
  stay_high: Share,
});
export type VolatilityStates = z.infer<typeof VolatilityStatesSchema>;

/** The prior before a fit: calm for months, high (twice the volatility) for weeks. */
export const PRIOR_STATES: VolatilityStates = { calm: 0.75, high: 1.6, stay_calm: 0.98, stay_high: 0.95 };

/** Limit of the size of moves. */
const FARTHEST = 8;

const density = (deviation: number, move: number): number => Math.exp(-0.5 * (move / deviation) ** 2) / deviation;

/** Long-run share of high volatility: P(high volatility) before the first return. */
export const usualShare = ({ stay_calm, stay_high }: VolatilityStates): number =>
  (1 - stay_calm) / (2 - stay_calm - stay_high);

/**
 * P(high volatility) after one more return.
 * @param before P(high volatility) at the previous bar
 * @param move the return over the 252-bar deviation; NaN (no return) lets the belief drift
 */
export function filterStep(states: VolatilityStates, before: number, move: number): number {
  const expected = before * states.stay_high + (1 - before) * (1 - states.stay_calm);
  if (Number.isNaN(move)) return expected;
  const bounded = Math.min(FARTHEST, Math.abs(move));
  const high = expected * density(states.high, bounded);
  return high / (high + (1 - expected) * density(states.calm, bounded));
}

const STEPS = 30;
const CLOSE_ENOUGH = 1e-4;

/** Baum and Welch's fit on several sequences of moves, from a first guess. Deterministic. */
export function fitStates(sequences: readonly Float64Array[], guess: VolatilityStates): VolatilityStates {
  let states = guess;
  for (let step = 0; step < STEPS; step++) {
    const next = improve(sequences, states);
    const change = Math.max(Math.abs(next.calm - states.calm), Math.abs(next.high - states.high));
    states = next;
    if (change < CLOSE_ENOUGH) break;
  }
  return states;
}

function improve(sequences: readonly Float64Array[], states: VolatilityStates): VolatilityStates {
  const sums = { calm: 0, calmSquares: 0, high: 0, highSquares: 0, fromCalm: 0, stayCalm: 0, fromHigh: 0, stayHigh: 0 };
  for (const moves of sequences) {
    const n = moves.length;
    const filtered = new Float64Array(n);
    let belief = usualShare(states);
    for (let t = 0; t < n; t++) {
      belief = filterStep(states, belief, moves[t] as number);
      filtered[t] = belief;
    }
    // Kim's smoother, backwards; only a fit uses it.
    let smooth = filtered[n - 1] ?? 0;
    for (let t = n - 1; t >= 0; t--) {
      const square = Math.min(FARTHEST, Math.abs(moves[t] as number)) ** 2;
      if (t < n - 1) {
        const now = filtered[t] as number;
        const expected = now * states.stay_high + (1 - now) * (1 - states.stay_calm);
        const highToHigh = (smooth * now * states.stay_high) / expected;
        const calmToHigh = smooth - highToHigh;
        const highToCalm = ((1 - smooth) * now * (1 - states.stay_high)) / (1 - expected);
        const calmToCalm = 1 - smooth - highToCalm;
        sums.fromHigh += highToHigh + highToCalm;
        sums.stayHigh += highToHigh;
        sums.fromCalm += calmToHigh + calmToCalm;
        sums.stayCalm += calmToCalm;
        smooth = highToHigh + highToCalm;
      }
      sums.high += smooth;
      sums.highSquares += smooth * square;
      sums.calm += 1 - smooth;
      sums.calmSquares += (1 - smooth) * square;
    }
  }
  const [calm, high] = [Math.sqrt(sums.calmSquares / sums.calm), Math.sqrt(sums.highSquares / sums.high)];
  return { calm, high, stay_calm: sums.stayCalm / sums.fromCalm, stay_high: sums.stayHigh / sums.fromHigh };
}
