// Service, engine: confidence intervals of the scores, by resampling symbols and years together.
// Resamples years because most uncertainty is between years: the falls of a market come together.
import { createRandom } from './chance-baselines.ts';
import type { Frame, Window } from './frame.ts';
import type { Forecast } from './reliability.ts';
import { type Alerts, dayLift, ratiosOf, scoreEvents, scoreStrict } from './score.ts';

export const RESAMPLES = 500;
/** Share of the resamples outside an interval, at each end. */
const TAIL = 0.05;
/** Minimum number of years for an interval. */
const MIN_YEARS = 3;

/** An interval that contains 90 % of the resamples. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

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
type Sums = Float64Array;

/** The counts of one symbol, by year. */
export type YearlySums = ReadonlyMap<number, Sums>;

/**
 * Counts the outcomes of one symbol in a window, by year.
 * @param years bars of each year of the window, in order
 * @param forecastsOf predicted and observed outcomes of some bars; empty for a rule without probabilities
 */
export function yearlySums(
  frame: Frame,
  alerts: Alerts,
  window: Window,
  years: ReadonlyMap<number, Window>,
  forecastsOf: (part: Window) => readonly Forecast[],
): YearlySums {
  return new Map(
    [...years].map(([year, part]) => {
      const e = scoreEvents(frame, alerts, window, part);
      const s = scoreStrict(frame, alerts, window, part);
      const forecasts = forecastsOf(part);
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
 * Resamples symbols and years together, with replacement.
 * @param rows counts of each symbol
 * @param others counts of another rule for the same symbols
 * @returns null with fewer than three years
 */
export function uncertaintyOf(
  rows: readonly YearlySums[],
  others: readonly YearlySums[],
  seed: number,
): Uncertainty | null {
  const years = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
  if (years.length < MIN_YEARS) return null;
  const random = createRandom(seed);
  const own: Figures[] = [];
  const differences: Figures[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const symbolWeights = weights(rows.length, random);
    const yearWeights = new Map(years.map((year) => [year, 0]));
    for (const [index, weight] of weights(years.length, random).entries())
      yearWeights.set(years[index] as number, weight);
    const figures = figuresOf(weighted(rows, symbolWeights, yearWeights));
    const other = figuresOf(weighted(others, symbolWeights, yearWeights));
    own.push(figures);
    differences.push(
      Object.fromEntries(FIGURES.map((name) => [name, figures[name] - other[name]])) as unknown as Figures,
    );
  }
  return { years: years.length, intervals: intervalsOf(own), differences: intervalsOf(differences) };
}

/** Number of times that each of `count` items is drawn, in `count` draws with replacement. */
function weights(count: number, random: () => number): Uint32Array {
  const drawn = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const which = Math.floor(random() * count);
    drawn[which] = (drawn[which] ?? 0) + 1;
  }
  return drawn;
}

function weighted(rows: readonly YearlySums[], symbols: Uint32Array, years: ReadonlyMap<number, number>): Sums {
  const total = new Float64Array(FIELDS.length);
  for (const [index, row] of rows.entries()) {
    for (const [year, sums] of row) {
      const weight = (symbols[index] ?? 0) * (years.get(year) ?? 0);
      if (weight === 0) continue;
      for (let k = 0; k < total.length; k++) total[k] = (total[k] as number) + weight * (sums[k] as number);
    }
  }
  return total;
}

function intervalsOf(resamples: readonly Figures[]): Record<keyof Figures, Interval | null> {
  const entries = FIGURES.map((name) => {
    const values = resamples.map((figures) => figures[name]).filter((value) => !Number.isNaN(value));
    values.sort((a, b) => a - b);
    const at = (share: number): number => values[Math.round(share * (values.length - 1))] as number;
    // No interval for a figure that is undefined in most resamples.
    const interval = values.length < resamples.length / 2 ? null : { low: at(TAIL), high: at(1 - TAIL) };
    return [name, interval] as const;
  });
  return Object.fromEntries(entries) as Record<keyof Figures, Interval | null>;
}
