// Service, engine: the alerts and probabilities of a model over the whole history of each symbol.
import { createEngine, type EngineOptions } from '../engine.ts';
import type { Engine, Reading } from '../types.ts';
import { at, type Frame, frameOfBars, RHO, WARM, type Window, windowsOf } from './frame.ts';
import { type Forecast, outcomesOf, type YearlyForecasts } from './reliability.ts';
import type { Alerts } from './score.ts';
import type { PastMarket, WindowName } from './validation-record.ts';

export interface ScoredSeries {
  readonly symbol: string;
  readonly frame: Frame;
  readonly alerts: Alerts;
  /** Probability of each bar; NaN: the model has none. */
  readonly probabilities: Float64Array;
  /** Published chance of each bar in High Risk, that the claimed fall follows; NaN: another state, or none. */
  readonly highRiskChances: Float64Array;
  /** 1: the claim is a further fall; 0: a new event. */
  readonly furtherFalls: Uint8Array;
}

/** Observes the closes of a pass. */
export interface CloseObserver {
  beforeClose(symbols: Iterable<string>, engine: Engine): void;
  afterClose(readings: ReadonlyMap<string, Reading>): void;
}

/** The symbols with a signal and enough history for a score. */
export const scoredSymbols = (market: PastMarket): string[] =>
  market.instruments.filter((row) => !row.inputOnly && market.bars(row.symbol).length > WARM).map((row) => row.symbol);

/**
 * Runs the engine over all bars, without the ranking that no state needs.
 * @param take selects the data to keep of each symbol: whole rows of many symbols take hundreds of megabytes
 * @yields share of the work done, 0..1
 */
export function* scoreMarket<Value>(
  market: PastMarket,
  symbols: readonly string[],
  models: Pick<EngineOptions, 'model' | 'models'>,
  take: (row: ScoredSeries) => Value,
  observer: CloseObserver | null = null,
): Generator<number, Value[]> {
  const engine = createEngine({ instruments: market.instruments, factorsFrom: '9999', ...models });
  const tallies = new Map(symbols.map((symbol) => [symbol, newTally(market.bars(symbol).length)]));
  const longest = Math.max(1, ...[...tallies.values()].map(({ alerts }) => alerts.length));
  let days = 0;
  for (const day of market.closedDays(engine.lastDate, Number.POSITIVE_INFINITY)) {
    observer?.beforeClose(day.bars.keys(), engine);
    const readings = engine.closeDay(day.date, day.bars);
    observer?.afterClose(readings);
    for (const [symbol, reading] of readings) {
      const tally = tallies.get(symbol);
      if (tally === undefined) continue;
      const isHighRisk = reading.state === 2;
      tally.alerts[tally.count] = isHighRisk ? 1 : 0;
      tally.probabilities[tally.count] = reading.probability ?? Number.NaN;
      tally.highRiskChances[tally.count] = isHighRisk ? (reading.confidence ?? Number.NaN) / 100 : Number.NaN;
      tally.furtherFalls[tally.count] = reading.claim === 'further_fall' ? 1 : 0;
      tally.count += 1;
    }
    // A day may come in several parts, so there may be more steps than bars in the longest series.
    if (days % 250 === 0) yield Math.min(1, days / longest);
    days += 1;
  }
  const classes = new Map(market.instruments.map(({ symbol, assetClass }) => [symbol, assetClass]));
  return [...tallies].map(([symbol, { count: _, ...series }]) =>
    take({ symbol, frame: frameOfBars(market.bars(symbol), classes.get(symbol)), ...series }),
  );
}

const newTally = (bars: number) => ({
  alerts: new Uint8Array(bars),
  probabilities: new Float64Array(bars),
  highRiskChances: new Float64Array(bars),
  furtherFalls: new Uint8Array(bars),
  count: 0,
});

export const windowOf = (row: ScoredSeries, name: WindowName): Window => windowsOf(row.frame.n)[name];

export const both = <Value>(of: (name: WindowName) => Value): Record<WindowName, Value> => ({
  full: of('full'),
  holdout: of('holdout'),
});

/** The bars of each calendar year in a window of a symbol. */
export function yearsOf(market: PastMarket, row: ScoredSeries, name: WindowName): Map<number, Window> {
  const { from, to } = windowOf(row, name);
  const bars = market.bars(row.symbol);
  const years = new Map<number, Window>();
  for (let t = from; t <= to; t++) {
    const year = Number(bars[t]?.date.slice(0, 4));
    years.set(year, { from: years.get(year)?.from ?? t, to: t });
  }
  return years;
}

/** The bars with a probability of a new event, and a known outcome. */
export const forecastsOf = (row: ScoredSeries, years: ReadonlyMap<number, Window>): YearlyForecasts =>
  byYear(years, row.probabilities, outcomesOf(row.frame));

/** The bars in High Risk with a published chance, and a known outcome of what they claimed. */
export function highRiskForecastsOf(row: ScoredSeries, years: ReadonlyMap<number, Window>): YearlyForecasts {
  const { frame, furtherFalls } = row;
  const outcomes = outcomesOf(frame).map((event, t) => {
    if (furtherFalls[t] !== 1) return event;
    if (t > frame.lastResolved) return null;
    return at(frame.forwardLoss, t) <= -RHO * at(frame.thresholds, t) ? 1 : 0;
  });
  return byYear(years, row.highRiskChances, outcomes);
}

function byYear(
  years: ReadonlyMap<number, Window>,
  chances: Float64Array,
  outcomes: readonly (0 | 1 | null)[],
): YearlyForecasts {
  const within = ({ from, to }: Window): Forecast[] => {
    const forecasts: Forecast[] = [];
    for (let t = from; t <= to; t++) {
      const [predicted, observed = null] = [at(chances, t), outcomes[t]];
      if (observed !== null && !Number.isNaN(predicted)) forecasts.push({ predicted, observed });
    }
    return forecasts;
  };
  return new Map([...years].map(([year, window]) => [year, within(window)]));
}

/** Ratios are rounded only for output. */
export const six = (value: number): number => Math.round(value * 1e6) / 1e6;
