// Service, engine: ridge logistic regression by iteratively reweighted least squares.
// Deterministic; no randomness, no tuning.
import { Matrix, solve } from 'ml-matrix';

const MOST_STEPS = 25;
const CLOSE_ENOUGH = 1e-10;

/** Rows of standardised inputs in one array, and their outcomes. */
export interface Sample {
  readonly width: number;
  readonly inputs: Float64Array;
  /** 1 where the warned event followed. */
  readonly outcomes: Uint8Array;
  /** Weight of the squared weights; the bias has no penalty. */
  readonly ridge: number;
}

export interface Fit {
  readonly bias: number;
  readonly weights: readonly number[];
}

export const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/**
 * Fits P(outcome) = sigmoid(bias + weights . inputs).
 * @throws RangeError for a sample without both outcomes
 */
export function fitLogistic({ width, inputs, outcomes, ridge }: Sample): Fit {
  const n = outcomes.length;
  const positive = outcomes.reduce((sum, value) => sum + value, 0);
  if (positive === 0 || positive === n) throw new RangeError('a fit needs bars of both outcomes');
  const size = width + 1;
  const beta = new Float64Array(size);
  beta[width] = Math.log(positive / (n - positive));
  for (let step = 0; step < MOST_STEPS; step++) {
    const gradient = new Float64Array(size);
    const hessian = new Float64Array(size * size);
    for (let row = 0; row < n; row++) {
      const at = row * width;
      let logit = beta[width] as number;
      for (let i = 0; i < width; i++) logit += (beta[i] as number) * (inputs[at + i] as number);
      const p = sigmoid(logit);
      const error = (outcomes[row] as number) - p;
      const weight = p * (1 - p);
      for (let i = 0; i <= width; i++) {
        const x = i === width ? 1 : (inputs[at + i] as number);
        gradient[i] = (gradient[i] as number) + error * x;
        const wx = weight * x;
        const line = i * size;
        for (let j = 0; j <= i; j++)
          hessian[line + j] = (hessian[line + j] as number) + wx * (j === width ? 1 : (inputs[at + j] as number));
      }
    }
    for (let i = 0; i < width; i++) {
      gradient[i] = (gradient[i] as number) - ridge * (beta[i] as number);
      hessian[i * size + i] = (hessian[i * size + i] as number) + ridge;
    }
    for (let i = 0; i < size; i++)
      for (let j = i + 1; j < size; j++) hessian[i * size + j] = hessian[j * size + i] as number;
    const change = solve(Matrix.from1DArray(size, size, hessian), Matrix.columnVector(gradient)).to1DArray();
    let largest = 0;
    for (let i = 0; i < size; i++) {
      beta[i] = (beta[i] as number) + (change[i] as number);
      largest = Math.max(largest, Math.abs(change[i] as number));
    }
    if (largest < CLOSE_ENOUGH) break;
  }
  return { bias: beta[width] as number, weights: Array.from(beta.subarray(0, width)) };
}
