// Service, engine: turbulence and absorption ratio from the joint returns of the panel.
import { EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import { mean } from './series.ts';

const SHRINK = 0.1;
const HALF_LIFE = 250;

/** A baseline of joint returns. */
export interface TurbulenceModel {
  /** Indices of the series in the model. */
  readonly members: readonly number[];
  readonly means: readonly number[];
  /** The inverse of the covariance, by rows. */
  readonly precision: readonly (readonly number[])[];
}

/**
 * Squared Mahalanobis distance of a day per series: about 1 on a usual day.
 * @param day returns of the members, in their order
 */
export function turbulenceOf({ means, precision }: TurbulenceModel, day: readonly number[]): number {
  const offsets = day.map((value, i) => value - (means[i] as number));
  let sum = 0;
  for (const [i, row] of precision.entries()) {
    for (const [j, weight] of row.entries()) sum += weight * (offsets[i] as number) * (offsets[j] as number);
  }
  return sum / offsets.length;
}

/**
 * Mean and covariance of return series of equal length, the covariance shrunk towards its diagonal.
 * @returns null when the covariance is singular
 */
export function turbulenceModel(members: readonly number[], series: readonly Float64Array[]): TurbulenceModel | null {
  const means = series.map((values) => mean(values));
  const n = series[0]?.length ?? 0;
  const covariance = crossProducts(series, means, (i, j, sum) => ((i === j ? 1 : 1 - SHRINK) * sum) / (n - 1));
  if (!covariance.diagonal().every((variance) => variance > 0)) return null;
  return { members, means, precision: inverse(covariance, true).to2DArray() };
}

/**
 * Share of the variance in the largest fifth of the eigenvalues, with recent days weighted more (half-life
 * 250). NaN for series without variance.
 */
export function absorptionRatio(series: readonly Float64Array[]): number {
  const n = series[0]?.length ?? 0;
  const weights = Float64Array.from({ length: n }, (_, t) => 0.5 ** ((n - 1 - t) / HALF_LIFE));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const roots = weights.map((weight) => Math.sqrt(weight / total));
  const scaled = series.map((values) => {
    let sum = 0;
    for (let t = 0; t < values.length; t++) sum += (values[t] as number) * (weights[t] as number);
    const mean = sum / total;
    const row = new Float64Array(values.length);
    for (let t = 0; t < values.length; t++) row[t] = ((values[t] as number) - mean) * (roots[t] as number);
    return row;
  });
  const covariance = crossProducts(
    scaled,
    scaled.map(() => 0),
    (_i, _j, sum) => sum,
  );
  const eigenvalues = new EigenvalueDecomposition(covariance, { assumeSymmetric: true }).realEigenvalues.sort(
    (a, b) => b - a,
  );
  const largest = eigenvalues.slice(0, Math.round(series.length / 5)).reduce((sum, value) => sum + value, 0);
  const all = eigenvalues.reduce((sum, value) => sum + value, 0);
  return all > 0 ? largest / all : Number.NaN;
}

function crossProducts(
  series: readonly Float64Array[],
  means: readonly number[],
  entry: (i: number, j: number, sum: number) => number,
): Matrix {
  const matrix = Matrix.zeros(series.length, series.length);
  for (let i = 0; i < series.length; i++) {
    const a = series[i] as Float64Array;
    const meanA = means[i] as number;
    for (let j = 0; j <= i; j++) {
      const b = series[j] as Float64Array;
      const meanB = means[j] as number;
      let sum = 0;
      for (let t = 0; t < a.length; t++) sum += ((a[t] as number) - meanA) * ((b[t] as number) - meanB);
      matrix.set(i, j, entry(i, j, sum));
      matrix.set(j, i, entry(i, j, sum));
    }
  }
  return matrix;
}
