// Service, engine: the figures of a rule with their intervals, and the differences from another rule.
import type { Frame, Window } from './frame.ts';
import type { Forecast } from './reliability.ts';
import { type Interval, intervalOf, resamplesOf, type Sums, type YearlySums, yearsOf } from './resampling.ts';
import { type Alerts, dayLift, ratiosOf, scoreEvents, scoreStrict } from './score.ts';

/** Counts summed over the symbols and years of a resample, in this order. */
const FIELDS = [
  'tp',
  'fp',
  'detected',
  'events',
  'strictTp',
  'strictFp',
  'strictDetected',
  'episodes',
  'bars',
  'badBars',
  'alertBars',
  'badAlertBars',
  'forecasts',
  'observed',
  'squaredErrors',
] as const;

/**
 * Counts the outcomes of one symbol in a window, by year.
 * @param years bars of each year of the window, in order
 * @param forecastsOfYear predicted and observed outcomes of each year; empty for a rule without probabilities
 */
export function yearlySums(
  frame: Frame,
  alerts: Alerts,
  window: Window,
  years: ReadonlyMap<number, Window>,
  forecastsOfYear: ReadonlyMap<number, readonly Forecast[]>,
): YearlySums {
  return new Map(
    [...years].map(([year, part]) => {
      const e = scoreEvents(frame, alerts, window, part);
      const s = scoreStrict(frame, alerts, window, part);
      const forecasts = forecastsOfYear.get(year) ?? [];
      const squared = forecasts.reduce((sum, { predicted, observed }) => sum + (predicted - observed) ** 2, 0);
      const sums = Float64Array.of(
        ...[e.tp, e.fp, e.detected, e.events],
        ...[s.tp, s.fp, s.detected, s.episodes],
        ...[s.bars, s.badBars, s.alertBars, s.badAlertBars],
        ...[forecasts.length, forecasts.reduce((sum, { observed }) => sum + observed, 0), squared],
      );
      return [year, sums];
    }),
  );
}

/** Figures of one resample; NaN if undefined. */
export interface Figures {
  readonly f1: number;
  readonly strict_f1: number;
  readonly day_lift: number;
  readonly brier_skill: number;
  /** Share of the bars after which the price fell by a threshold: of alert bars, and of other bars. */
  readonly loss_in_alert: number;
  readonly loss_otherwise: number;
}
export const FIGURES = ['f1', 'strict_f1', 'day_lift', 'brier_skill', 'loss_in_alert', 'loss_otherwise'] as const;

export function figuresOf(sums: Sums): Figures {
  const of = (name: (typeof FIELDS)[number]): number => sums[FIELDS.indexOf(name)] as number;
  const events = { tp: of('tp'), fp: of('fp'), detected: of('detected') };
  const strict = { tp: of('strictTp'), fp: of('strictFp'), detected: of('strictDetected') };
  const days = {
    ...{ bars: of('bars'), badBars: of('badBars'), alertBars: of('alertBars'), badAlertBars: of('badAlertBars') },
    ...{ ...strict, episodes: of('episodes') },
  };
  const base = of('observed') / of('forecasts');
  const variance = base * (1 - base);
  return {
    f1: ratiosOf(events, of('events')).f1,
    strict_f1: ratiosOf(strict, of('episodes')).f1,
    day_lift: dayLift(days) ?? Number.NaN,
    brier_skill: variance > 0 ? 1 - of('squaredErrors') / of('forecasts') / variance : Number.NaN,
    loss_in_alert: days.badAlertBars / days.alertBars,
    loss_otherwise: (days.badBars - days.badAlertBars) / (days.bars - days.alertBars),
  };
}

export interface Uncertainty {
  readonly years: number;
  readonly intervals: Readonly<Record<keyof Figures, Interval | null>>;
  /** Intervals of the differences to the other rule's figures, over the same resamples. */
  readonly differences: Readonly<Record<keyof Figures, Interval | null>>;
}

/**
 * @param rows counts of each symbol
 * @param others counts of another rule for the same symbols
 * @returns null with fewer than three years
 */
export function uncertaintyOf(
  rows: readonly YearlySums[],
  others: readonly YearlySums[],
  seed: number,
): Uncertainty | null {
  const own: Figures[] = [];
  const differences: Figures[] = [];
  for (const [sums, otherSums] of resamplesOf([rows, others], seed)) {
    const [figures, other] = [figuresOf(sums as Sums), figuresOf(otherSums as Sums)];
    own.push(figures);
    differences.push(
      Object.fromEntries(FIGURES.map((name) => [name, figures[name] - other[name]])) as unknown as Figures,
    );
  }
  if (own.length === 0) return null;
  return { years: yearsOf(rows).length, intervals: intervalsOf(own), differences: intervalsOf(differences) };
}

const intervalsOf = (resamples: readonly Figures[]): Record<keyof Figures, Interval | null> =>
  Object.fromEntries(FIGURES.map((name) => [name, intervalOf(resamples.map((figures) => figures[name]))])) as Record<
    keyof Figures,
    Interval | null
  >;
