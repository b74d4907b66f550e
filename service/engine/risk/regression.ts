// Service, engine: ridge regression, linear and logistic, by iteratively reweighted least squares.
// Deterministic; no randomness, no tuning.
import { Matrix, solve } from 'ml-matrix';

const MAX_STEPS = 25;
const CLOSE_ENOUGH = 1e-10;

/** Rows of standardised inputs in one array, and their outcomes. */
export interface Sample {
  /** Logistic: outcomes are 0 or 1, and the fit is of their probability. */
  readonly kind: 'linear' | 'logistic';
  readonly width: number;
  readonly inputs: Float64Array;
  readonly outcomes: Float64Array;
  /** Weight of the squared weights; the bias has no penalty. */
  readonly ridge: number;
}

export interface Fit {
  readonly bias: number;
  readonly weights: readonly number[];
}

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** The probability halfway between two others in log odds; both above 0 and below 1. */
export const meanOfOdds = (a: number, b: number): number => 1 / (1 + Math.sqrt(((1 - a) * (1 - b)) / (a * b)));

/**
 * Fits outcome = bias + weights . inputs, or P(outcome) = sigmoid of that.
 * @throws RangeError for a logistic sample without both outcomes
 */
export function fitRegression({ kind, width, inputs, outcomes, ridge }: Sample): Fit {
  const n = outcomes.length;
  const share = outcomes.reduce((sum, value) => sum + value, 0) / n;
  if (kind === 'logistic' && !(share > 0 && share < 1)) throw new RangeError('a fit needs bars of both outcomes');
  const beta = new Float64Array(width + 1);
  if (kind === 'logistic') beta[width] = Math.log(share / (1 - share));
  // The last input is 1, for the bias.
  const row = new Float64Array(width + 1).fill(1);
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = Matrix.zeros(width + 1, 1);
    const hessian = Matrix.zeros(width + 1, width + 1);
    for (let r = 0; r < n; r++) {
      let score = beta[width] as number;
      for (let i = 0; i < width; i++) {
        row[i] = inputs[r * width + i] as number;
        score += (beta[i] as number) * (row[i] as number);
      }
      const p = kind === 'linear' ? score : sigmoid(score);
      const weight = kind === 'linear' ? 1 : p * (1 - p);
      for (let i = 0; i <= width; i++) {
        const x = row[i] as number;
        gradient.set(i, 0, gradient.get(i, 0) + x * ((outcomes[r] as number) - p));
        for (let j = 0; j <= width; j++) hessian.set(i, j, hessian.get(i, j) + weight * x * (row[j] as number));
      }
    }
    for (let i = 0; i < width; i++) {
      gradient.set(i, 0, gradient.get(i, 0) - ridge * (beta[i] as number));
      hessian.set(i, i, hessian.get(i, i) + ridge);
    }
    const change = solve(hessian, gradient).to1DArray();
    for (let i = 0; i <= width; i++) beta[i] = (beta[i] as number) + (change[i] as number);
    if (Math.max(...change.map(Math.abs)) < CLOSE_ENOUGH) break;
  }
  return { bias: beta[width] as number, weights: Array.from(beta.subarray(0, width)) };
}
