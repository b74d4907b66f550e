// Service, engine: the reliability of probabilities: bins, calibration error, Brier skill.
import { type Frame, H, isGood } from './frame.ts';
import { intervalOf, resamplesOf, totalOf } from './resampling.ts';
import type { Reliability } from './validation-record.ts';

export interface Forecast {
  readonly predicted: number;
  /** 1 if the warned event followed. */
  readonly observed: 0 | 1;
}

const BINS = 10;

/** Outcome of each bar; null within an event (a warning comes too late) and while the horizon is open. */
export function outcomesOf(frame: Frame): (0 | 1 | null)[] {
  const outcomes = Array.from({ length: frame.n }, (_, t): 0 | 1 | null => (t > frame.lastResolved ? null : 0));
  for (const event of frame.events) {
    for (let t = event.first; t <= event.last; t++) outcomes[t] = null;
  }
  for (const event of frame.events) {
    for (let t = Math.max(0, event.first - H); t < event.first; t++)
      if (isGood(frame, event, t) && t <= frame.lastResolved) outcomes[t] = 1;
  }
  return outcomes;
}

/** The forecasts of one symbol, by calendar year. */
export type YearlyForecasts = ReadonlyMap<number, readonly Forecast[]>;

/** Sums of each bin: bars, predicted and observed outcomes. */
const WIDTH = 3;

/**
 * The bins have equal numbers of bars, and are the same in every resample.
 * @param series forecasts of each symbol
 * @returns null without forecasts
 */
export function reliabilityOf(series: readonly YearlyForecasts[], seed: number): Reliability | null {
  const rows = series.flatMap((years, symbol) =>
    [...years].flatMap(([year, forecasts]) => forecasts.map((forecast) => ({ ...forecast, symbol, year }))),
  );
  const n = rows.length;
  if (n === 0) return null;
  rows.sort((a, b) => a.predicted - b.predicted);
  const sums = series.map((years) => new Map([...years.keys()].map((year) => [year, new Float64Array(WIDTH * BINS)])));
  for (const [rank, { predicted, observed, symbol, year }] of rows.entries()) {
    const bins = sums[symbol]?.get(year) as Float64Array;
    // The largest bin whose first rank, floor(bin n / BINS), is at most this one.
    const from = WIDTH * Math.floor((BINS * (rank + 1) - 1) / n);
    for (const [k, value] of [1, predicted, observed].entries()) bins[from + k] = (bins[from + k] as number) + value;
  }
  const resamples = [...resamplesOf([sums], seed)].map(([sum]) => binsOf(sum as Float64Array));
  const total = binsOf(totalOf(sums));
  const base = rows.reduce((sum, row) => sum + row.observed, 0) / n;
  const brier = rows.reduce((sum, row) => sum + (row.predicted - row.observed) ** 2, 0) / n;
  return {
    bars: n,
    base_rate: base,
    bins: total.flatMap((bin, index) => {
      const resampled = resamples.map((bins) => bins[index]?.observed ?? Number.NaN);
      return bin.bars === 0 ? [] : [{ ...bin, interval: intervalOf(resampled) }];
    }),
    ...calibrationOf(total, resamples),
    brier_skill: base > 0 && base < 1 ? 1 - brier / (base * (1 - base)) : 0,
  };
}

/**
 * The calibration error and its interval. A resample adds noise, and a mean distance only grows by noise: the
 * interval is moved down by the mean growth.
 */
function calibrationOf(
  bins: readonly Bin[],
  resamples: readonly (readonly Bin[])[],
): Pick<Reliability, 'calibration_error' | 'calibration_interval'> {
  const calibration_error = calibrationError(bins);
  const resampled = resamples.map(calibrationError).filter((error) => !Number.isNaN(error));
  const interval = intervalOf(resampled);
  if (interval === null) return { calibration_error, calibration_interval: null };
  const growth = resampled.reduce((sum, error) => sum + error, 0) / resampled.length - calibration_error;
  const { low, high } = interval;
  return { calibration_error, calibration_interval: { low: Math.max(0, low - growth), high: high - growth } };
}

type Bin = Pick<Reliability['bins'][number], 'predicted' | 'observed' | 'bars'>;

/** Shares of an empty bin are NaN. */
const binsOf = (sums: Float64Array): Bin[] =>
  Array.from({ length: BINS }, (_, bin) => {
    const [bars = 0, predicted = 0, observed = 0] = sums.subarray(WIDTH * bin, WIDTH * (bin + 1));
    return { predicted: predicted / bars, observed: observed / bars, bars };
  });

/** NaN without bars. */
function calibrationError(bins: readonly Bin[]): number {
  const filled = bins.filter(({ bars }) => bars > 0);
  const distance = filled.reduce((sum, bin) => sum + bin.bars * Math.abs(bin.predicted - bin.observed), 0);
  return distance / filled.reduce((sum, { bars }) => sum + bars, 0);
}
