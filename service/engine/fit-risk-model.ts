// Service, engine: fits the risk model on a market, year by year.
// Each year uses only outcomes that closed before it.
import { createEngine } from './engine.ts';
import { priceHash } from './price-hash.ts';
import { hasTier, RISK_INPUTS, TIERS, type Tier } from './risk/inputs.ts';
import { fitLogistic } from './risk/logistic.ts';
import { MOST_DEVIATIONS, type Parameters, type Vector, type YearParameters } from './risk/model.ts';
import { fitStates, PRIOR_STATES, type VolatilityStates } from './risk/volatility-states.ts';
import { frameOf, H } from './scoring/frame.ts';
import { outcomesOf } from './scoring/reliability.ts';
import type { PastMarket } from './scoring/validation-record.ts';
import { sampleDeviation, VOLATILITY_WINDOW } from './threshold.ts';
import type { Bar } from './types.ts';

/**
 * Far more than independent rows would need: 21 bars share an outcome, and symbols fall together. It keeps
 * the weights of inputs with a short history (turbulence, VIX) stable in the first years.
 */
const RIDGE = 100;
/** Adjacent bars are nearly identical. */
const EVERY_NTH_BAR = 3;
/**
 * Minimum number of rows of a vector: of own inputs, and of inputs from others, where the rows of all symbols
 * within a year resemble each other.
 */
const LEAST_ROWS = 500;
const LEAST_COMMON_ROWS = 5000;
const FIRST_YEAR = 1990;
const WIDTH = RISK_INPUTS.length;

interface Row {
  readonly inputs: Float64Array;
  readonly outcome: 0 | 1;
  /** Date on which the outcome became known. */
  readonly knownAt: string;
}

/**
 * @param version is stored in the file and becomes the model version of every reading
 * @throws Error when the market has too few bars for a single year
 */
export function fitRiskModel(past: PastMarket, version: string): Parameters {
  const rows = collect(past);
  const lastYear = Math.max(0, ...new Set(rows.map((row) => Number(row.knownAt.slice(0, 4)))));
  const years: YearParameters[] = [];
  let states = PRIOR_STATES;
  for (let year = FIRST_YEAR; year <= lastYear + 1; year++) {
    const known = rows.filter((row) => row.knownAt < `${year}-01-01`);
    if (known.length < LEAST_ROWS) continue;
    states = rounded(fitStates(movesBefore(past, `${year}-01-01`), states));
    const market = fitCommon(known, 'market');
    const fellows = fitCommon(known, 'fellows');
    years.push({ year, market, fellows, own: fitVector(known.map((row) => upTo(row, 'own'))), volatility: states });
  }
  if (years.length === 0)
    throw new Error(`there are too few bars to fit on: ${rows.length}, and ${LEAST_ROWS} are needed before a year`);
  return {
    version,
    inputs: RISK_INPUTS.map((input) => input.name),
    ridge: RIDGE,
    every_nth_bar: EVERY_NTH_BAR,
    fitted_on: Object.fromEntries(past.instruments.map(({ symbol }) => [symbol, priceHash(past.bars(symbol))])),
    years,
  };
}

function collect(market: PastMarket): Row[] {
  const inputs = new Map<string, Float64Array[]>(market.instruments.map((row) => [row.symbol, []]));
  const engine = createEngine({
    instruments: market.instruments,
    factorsFrom: '9999',
    onRiskInputs: (symbol, values) => inputs.get(symbol)?.push(values.slice()),
  });
  for (const day of market.closedDays(engine.lastDate, Number.POSITIVE_INFINITY)) engine.closeDay(day.date, day.bars);
  const rows: Row[] = [];
  for (const { symbol, inputOnly } of market.instruments) {
    if (inputOnly) continue;
    const bars = market.bars(symbol);
    const frame = frameOf(Float64Array.from(bars, (bar) => bar.close));
    for (const [t, outcome] of outcomesOf(frame).entries()) {
      const known = inputs.get(symbol)?.[t];
      if (outcome === null || known === undefined || t % EVERY_NTH_BAR !== 0 || Number.isNaN(known[1])) continue;
      rows.push({ inputs: known, outcome, knownAt: bars[t + H]?.date ?? '' });
    }
  }
  return rows;
}

/** Every symbol's returns over their usual size, up to a date. */
function movesBefore(market: PastMarket, date: string): Float64Array[] {
  return market.instruments
    .filter((row) => !row.inputOnly)
    .map(({ symbol }) => {
      const bars = market.bars(symbol);
      const { returns } = frameOf(Float64Array.from(bars, (bar) => bar.close));
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

/** The row with the inputs of one tier. */
const upTo = (row: Row, tier: Tier): Row => ({ ...row, inputs: row.inputs.slice().fill(Number.NaN, TIERS[tier]) });

function fitCommon(rows: readonly Row[], tier: Tier): Vector | null {
  const complete = rows.filter((row) => hasTier(row.inputs, tier));
  return complete.length < LEAST_COMMON_ROWS ? null : fitVector(complete.map((row) => upTo(row, tier)));
}

/** Fits one vector. An input without any value gets the weight 0. */
function fitVector(rows: readonly Row[]): Vector {
  const moments = RISK_INPUTS.map((_, i) => {
    const values = rows.map((row) => row.inputs[i] as number).filter((value) => !Number.isNaN(value));
    const mean = values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
    return { mean: short(mean), deviation: short(variance > 0 ? Math.sqrt(variance) : 1) };
  });
  const inputs = new Float64Array(rows.length * WIDTH);
  for (const [r, row] of rows.entries()) {
    for (const [i, { mean, deviation }] of moments.entries()) {
      const offset = ((row.inputs[i] as number) - mean) / deviation;
      inputs[r * WIDTH + i] = Number.isNaN(offset) ? 0 : Math.min(MOST_DEVIATIONS, Math.max(-MOST_DEVIATIONS, offset));
    }
  }
  const fit = fitLogistic({
    width: WIDTH,
    inputs,
    outcomes: Uint8Array.from(rows, (row) => row.outcome),
    ridge: RIDGE,
  });
  return {
    rows: rows.length,
    base_rate: short(rows.reduce((sum, row) => sum + row.outcome, 0) / rows.length),
    bias: short(fit.bias),
    means: moments.map((moment) => moment.mean),
    deviations: moments.map((moment) => moment.deviation),
    weights: fit.weights.map(short),
  };
}

/** Six digits: enough for the model, and few enough for identical files on every machine. */
const short = (value: number): number => Number(value.toPrecision(6));
