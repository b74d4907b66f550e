// Service, engine: the alerts and probabilities of the model over the whole history of one symbol.
import { type Frame, type Window, windowsOf } from './frame.ts';
import { type Forecast, outcomesOf } from './reliability.ts';
import type { Alerts } from './score.ts';
import type { WindowName } from './validation-record.ts';

export interface ScoredSeries {
  readonly symbol: string;
  readonly frame: Frame;
  readonly alerts: Alerts;
  /** Probability of each bar; NaN: the model has none. */
  readonly probabilities: Float64Array;
}

export const windowOf = (row: ScoredSeries, name: WindowName): Window => windowsOf(row.frame.n)[name];

export const both = <Value>(of: (name: WindowName) => Value): Record<WindowName, Value> => ({
  full: of('full'),
  holdout: of('holdout'),
});

/** The bars with a probability and a known outcome. */
export function forecastsOf(row: ScoredSeries, { from, to }: Window): Forecast[] {
  return outcomesOf(row.frame).flatMap((observed, t) => {
    const predicted = row.probabilities[t] as number;
    return t < from || t > to || observed === null || Number.isNaN(predicted) ? [] : [{ predicted, observed }];
  });
}

/** Ratios are rounded only for output. */
export const six = (value: number): number => Math.round(value * 1e6) / 1e6;
