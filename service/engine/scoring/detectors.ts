// Service, engine: simple baseline rules that a model must beat, by name.
import { mean } from '../factors/series.ts';
import { sampleDeviation } from '../threshold.ts';
import { at, type Frame } from './frame.ts';
import type { Alerts } from './score.ts';

interface Detector {
  /** Score per bar; NaN when missing. */
  readonly score: (frame: Frame) => Float64Array;
  /** The alert begins at or above `enter`, ends below `leave`, and lasts while the score is missing. */
  readonly enter: number;
  readonly leave: number;
}

const DETECTORS = {
  always_on: { score: (frame) => new Float64Array(frame.n).fill(1), enter: 0.5, leave: 0.5 },
  sma200: {
    score: (frame) => rolling(frame.closes, 200, (window) => 1 - at(window, 199) / mean(window)),
    enter: 0.01,
    leave: -0.01,
  },
  vol_ratio: { score: volatilityRatio, enter: 1.5, leave: 1.1 },
  dd_scaled: { score: (frame) => frame.drawdownFractions, enter: 0.5, leave: 0.2 },
  dd_tuned: { score: (frame) => frame.drawdownFractions, enter: 0.6, leave: 0.48 },
  dd_fixed4: {
    score: (frame) => rolling(frame.closes, 63, (window) => 1 - at(window, 62) / Math.max(...window)),
    enter: 0.04,
    leave: 0.02,
  },
  ewma_z: { score: volatilityScore, enter: 1.5, leave: 0.5 },
} as const satisfies Readonly<Record<string, Detector>>;
export type DetectorName = keyof typeof DETECTORS;
export const DETECTOR_NAMES = Object.keys(DETECTORS) as DetectorName[];

/** The alerts of a detector. Each bar uses only data up to it. */
export function detect(name: DetectorName, frame: Frame): Alerts {
  const { score, enter, leave } = DETECTORS[name];
  return trigger(score(frame), enter, leave);
}

export function trigger(scores: Float64Array, enter: number, leave: number): Alerts {
  const alerts = new Uint8Array(scores.length);
  let on = false;
  for (let t = 0; t < scores.length; t++) {
    const score = at(scores, t);
    if (!Number.isNaN(score)) on = score >= (on ? leave : enter);
    alerts[t] = on ? 1 : 0;
  }
  return alerts;
}

/**
 * Exponentially weighted volatility per bar, decay .94, seeded with the mean of the first 21 squared returns.
 */
export function ewmaVolatility(frame: Frame): Float64Array {
  const squares = frame.returns.map((value) => value ** 2);
  let variance = mean(squares.subarray(0, 21));
  return squares.map((square) => {
    variance = 0.94 * variance + 0.06 * square;
    return Math.sqrt(variance);
  });
}

function volatilityRatio(frame: Frame): Float64Array {
  const short = ewmaVolatility(frame);
  const long = rolling(frame.returns, 252, sampleDeviation);
  return short.map((value, t) => (at(long, t) > 0 ? value / at(long, t) : Number.NaN));
}

function volatilityScore(frame: Frame): Float64Array {
  const logs = ewmaVolatility(frame).map((value) => Math.log(value));
  return rolling(logs, 504, (window) => {
    const deviation = sampleDeviation(window);
    return deviation > 0 ? (at(window, 503) - mean(window)) / deviation : Number.NaN;
  });
}

/** `measure` of the last `size` values at each bar; NaN with fewer values. */
function rolling(values: Float64Array, size: number, measure: (window: Float64Array) => number): Float64Array {
  const result = new Float64Array(values.length).fill(Number.NaN);
  for (let t = size - 1; t < values.length; t++) result[t] = measure(values.subarray(t - size + 1, t + 1));
  return result;
}
