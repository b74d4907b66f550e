// Service, engine: fits the risk model on a market, year by year.
// The fit of a year uses only outcomes known before it.
import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../steps.ts';
import { createEngine } from './engine.ts';
import { priceHash } from './price-hash.ts';
import { eventOdds, furtherFallOdds, RISK_INPUTS, type RiskInputs } from './risk/first-passage.ts';
import {
  type Parameters,
  RiskModel,
  standardised,
  type Vector,
  volatilityAhead,
  type YearParameters,
} from './risk/model.ts';
import { fitRegression, type Sample } from './risk/regression.ts';
import { fitStates, PRIOR_STATES, type VolatilityStates } from './risk/volatility-states.ts';
import { at, type Frame, frameOfBars, H, RHO } from './scoring/frame.ts';
import { outcomesOf } from './scoring/reliability.ts';
import type { PastMarket } from './scoring/validation-record.ts';
import { sampleDeviation, VOLATILITY_WINDOW } from './threshold.ts';
import type { Bar } from './types.ts';

/** Far more than independent rows need: 21 bars share an outcome, and symbols fall together. */
const RIDGE = 100;
/** Adjacent bars are nearly identical. */
const EVERY_NTH_BAR = 3;
/**
 * Minimum number of rows of a vector: of own inputs, and with the common drawdown, for which the rows of all
 * symbols within a year resemble each other.
 */
const MIN_ROWS = 500;
const MIN_COMMON_ROWS = 5000;
/** Minimum number of rows while an event lasts. */
const MIN_EVENT_ROWS = 50;
const FIRST_YEAR = 1990;
/** Limit of the log of a volatility over the usual one: a price that hardly moves is no information. */
const MAX_LOG_CHANGE = 2;

interface Row {
  readonly symbol: string;
  readonly inputs: RiskInputs;
  /** Log of the volatility of the next 21 bars over the usual one. */
  readonly volatility: number;
  /** Whether the warned event followed; null within an event. */
  readonly event: 0 | 1 | null;
  readonly furtherFall: 0 | 1;
  /** Date on which the outcomes became known. */
  readonly knownAt: string;
}

export interface FitOptions {
  /** An earlier fit, which may be incomplete: its years are kept if it is of these prices and this version. */
  readonly begun?: Parameters | null;
  /** Receives the model with the years that are fitted so far, after each year. */
  readonly onYear?: (parameters: Parameters) => void;
}

/**
 * Fits the model, for each year on the outcomes known before it.
 * @param version name of the model, stored in the file and part of the model version of readings
 * @throws Error when the market has too few bars for a single year
 */
export function* fitRiskModel(
  past: PastMarket,
  version: string,
  { begun = null, onYear = () => undefined }: FitOptions = {},
): Steps<Parameters> {
  const empty = parametersOf(past, version);
  const kept = begun !== null && isDeepStrictEqual({ ...begun, years: [] }, empty) ? begun.years : [];
  let states = kept.at(-1)?.volatility ?? PRIOR_STATES;
  const rows = yield* collect(past);
  const statesBefore = (year: number): VolatilityStates => {
    states = rounded(fitStates(movesBefore(past, `${year}-01-01`), states));
    return states;
  };
  const years = yield* fitYears(rows, statesBefore, kept, (known) => onYear({ ...empty, years: known }));
  return { ...empty, years };
}

/**
 * Fits a model for each group of symbols on the bars of all other symbols, to score a group by weights that
 * know nothing of it. The volatility states, which no score reads, stay those before a fit.
 * @returns the model of each symbol of a group
 * @throws as `fitRiskModel`, when the other symbols have too few bars
 */
export function* fitWithoutGroups(
  past: PastMarket,
  groups: readonly (readonly string[])[],
): Steps<ReadonlyMap<string, RiskModel>> {
  const rows = yield* collect(past);
  const models = new Map<string, RiskModel>();
  for (const group of groups) {
    const others = rows.filter(({ symbol }) => !group.includes(symbol));
    const years = yield* fitYears(others, () => PRIOR_STATES);
    const model = new RiskModel({ ...parametersOf(past, 'without'), years });
    for (const symbol of group) models.set(symbol, model);
  }
  return models;
}

/** The model without its years. */
const parametersOf = (past: PastMarket, version: string): Parameters => ({
  version,
  inputs: RISK_INPUTS.map((input) => input.name),
  ridge: RIDGE,
  every_nth_bar: EVERY_NTH_BAR,
  fitted_on: Object.fromEntries(past.instruments.map(({ symbol }) => [symbol, priceHash(past.bars(symbol))])),
  years: [],
});

/** Fits the years after those that are kept. */
function* fitYears(
  rows: readonly Row[],
  statesBefore: (year: number) => VolatilityStates,
  kept: readonly YearParameters[] = [],
  onYear: (years: YearParameters[]) => void = () => undefined,
): Steps<YearParameters[]> {
  const end = Math.max(0, ...new Set(rows.map((row) => Number(row.knownAt.slice(0, 4))))) + 2;
  const years = [...kept];
  for (let year = (kept.at(-1)?.year ?? FIRST_YEAR - 1) + 1; year < end; year++) {
    const known = rows.filter((row) => row.knownAt < `${year}-01-01`);
    if (known.length < MIN_ROWS || known.filter(isDuringEvent).length < MIN_EVENT_ROWS) continue;
    years.push({ year, ...fitYear(known), volatility: statesBefore(year) });
    onYear(years);
    const first = years[0]?.year ?? year;
    yield { what: 'fitting', done: year - first + 1, total: end - first };
  }
  if (years.length === 0)
    throw new Error(`there are too few bars to fit on: ${rows.length}, and ${MIN_ROWS} are needed before a year`);
  return years;
}

const isDuringEvent = (row: Row): boolean => row.inputs.mergeBars > 0;

/** Fits the forecast of volatility, then both probabilities from its first passages. */
function fitYear(rows: readonly Row[]): Omit<YearParameters, 'year' | 'volatility'> {
  const common = rows.filter((row) => !Number.isNaN(row.inputs.commonDrawdown));
  const volatility = (row: Row): number => row.volatility;
  const own = fitVector('linear', rows, (row) => [row.inputs.volatilityChange], volatility);
  const both = (row: Row): number[] => [row.inputs.volatilityChange, row.inputs.commonDrawdown];
  const fellows = common.length < MIN_COMMON_ROWS ? null : fitVector('linear', common, both, volatility);
  const sigmas = new Map(rows.map((row) => [row, volatilityAhead({ own, fellows }, row.inputs)]));
  const odds = (row: Row, of: typeof eventOdds): number => of(row.inputs, sigmas.get(row) as number);
  const open = rows.filter((row) => row.event !== null);
  const fall = (row: Row): number[] => [odds(row, furtherFallOdds), row.inputs.drawdown];
  return {
    own,
    fellows,
    event: fitVector(
      'logistic',
      open,
      (row) => [odds(row, eventOdds)],
      (row) => row.event ?? 0,
    ),
    further_fall: fitVector('logistic', rows.filter(isDuringEvent), fall, (row) => row.furtherFall),
  };
}

function* collect(market: PastMarket): Steps<Row[]> {
  const inputs = new Map<string, RiskInputs[]>(market.instruments.map((row) => [row.symbol, []]));
  const counts = new Map<string, number>();
  const engine = createEngine({
    instruments: market.instruments,
    factorsFrom: '9999',
    onRiskInputs: (symbol, values) => {
      const t = counts.get(symbol) ?? 0;
      counts.set(symbol, t + 1);
      if (t % EVERY_NTH_BAR === 0) inputs.get(symbol)?.push(structuredClone(values));
    },
  });
  const total = Math.max(0, ...market.instruments.map(({ symbol }) => market.bars(symbol).length));
  let done = 0;
  for (const day of market.closedDays(engine.lastDate, Number.POSITIVE_INFINITY)) {
    engine.closeDay(day.date, day.bars);
    done += 1;
    yield { what: 'computing', done: Math.min(done, total), total };
  }
  return market.instruments.flatMap(({ symbol }) => {
    const bars = market.bars(symbol);
    const frame = frameOfBars(bars);
    const events = outcomesOf(frame);
    return (inputs.get(symbol) ?? []).flatMap((known, index): Row[] => {
      const t = index * EVERY_NTH_BAR;
      const knownAt = bars[t + H]?.date;
      if (knownAt === undefined || !Number.isFinite(known.volatilityChange)) return [];
      const furtherFall = at(frame.forwardLoss, t) <= -RHO * at(frame.thresholds, t) ? 1 : 0;
      const volatility = volatilityAfter(frame, t, known.deviation);
      return [{ symbol, inputs: known, volatility, event: events[t] ?? null, furtherFall, knownAt }];
    });
  });
}

function volatilityAfter({ returns }: Frame, t: number, usual: number): number {
  const squares = returns.subarray(t + 1, t + H + 1).reduce((sum, value) => sum + value * value, 0);
  const change = Math.log(Math.sqrt(squares / H) / usual);
  return Math.min(MAX_LOG_CHANGE, Math.max(-MAX_LOG_CHANGE, change));
}

/** Every symbol's returns over their usual size, up to a date. */
function movesBefore(market: PastMarket, date: string): Float64Array[] {
  return market.instruments
    .filter((row) => !row.inputOnly)
    .map(({ symbol }) => {
      const bars = market.bars(symbol);
      const { returns } = frameOfBars(bars);
      const moves: number[] = [];
      for (let t = VOLATILITY_WINDOW; t < bars.length && (bars[t] as Bar).date < date; t++) {
        const deviation = sampleDeviation(returns.subarray(t - VOLATILITY_WINDOW, t));
        if (deviation > 0) moves.push((returns[t] as number) / deviation);
      }
      return Float64Array.from(moves);
    });
}

const rounded = ({ calm, high, stay_calm, stay_high }: VolatilityStates): VolatilityStates => ({
  calm: short(calm),
  high: short(high),
  stay_calm: short(stay_calm),
  stay_high: short(stay_high),
});

/** Fits one vector on standardised values. */
function fitVector(
  kind: Sample['kind'],
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly number[],
  outcomeOf: (row: Row) => number,
): Vector {
  const values = rows.map(valuesOf);
  const width = values[0]?.length ?? 0;
  const moments = Array.from({ length: width }, (_, i) => {
    const mean = values.reduce((sum, row) => sum + (row[i] as number), 0) / values.length;
    const variance = values.reduce((sum, row) => sum + ((row[i] as number) - mean) ** 2, 0) / values.length;
    return { mean: short(mean), deviation: short(variance > 0 ? Math.sqrt(variance) : 1) };
  });
  const inputs = new Float64Array(rows.length * width);
  for (const [r, row] of values.entries())
    for (const [i, { mean, deviation }] of moments.entries())
      inputs[r * width + i] = standardised(row[i] as number, mean, deviation);
  const outcomes = Float64Array.from(rows, outcomeOf);
  const fit = fitRegression({ kind, width, inputs, outcomes, ridge: RIDGE });
  return {
    rows: rows.length,
    mean_outcome: short(outcomes.reduce((sum, value) => sum + value, 0) / rows.length),
    bias: short(fit.bias),
    means: moments.map(({ mean }) => mean),
    deviations: moments.map(({ deviation }) => deviation),
    weights: fit.weights.map(short),
  };
}

/** Six digits: enough for the model, and few enough for identical files on every machine. */
const short = (value: number): number => Number(value.toPrecision(6));
