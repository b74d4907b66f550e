// Service, engine: the risk probability, a logistic model with weights per year and tier.
// Each vector is fitted on outcomes that closed before its year.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FACTOR_CODES, type Powers } from '../../../shared/domain/factors.ts';
import { hasTier, RISK_INPUTS } from './inputs.ts';
import { sigmoid } from './logistic.ts';
import { VolatilityStatesSchema } from './volatility-states.ts';

/** Limit of an input's distance from its mean, in standard deviations. */
export const MOST_DEVIATIONS = 4;

const WeightsSchema = z.array(z.number()).length(RISK_INPUTS.length);

const VectorSchema = z.strictObject({
  /** Bars of the fit, and the share of them that the warned event followed. */
  rows: z.int(),
  base_rate: z.number(),
  bias: z.number(),
  means: WeightsSchema,
  deviations: WeightsSchema,
  weights: WeightsSchema,
});
export type Vector = z.infer<typeof VectorSchema>;

const YearSchema = z.strictObject({
  /** Applies from the first bar after a close of this year. */
  year: z.int(),
  /** With all inputs; null when too few bars had them. */
  market: VectorSchema.nullable(),
  /**
   * With the inputs of the other symbols, for a folder without panel or volatility index; null when too few
   * bars had them.
   */
  fellows: VectorSchema.nullable(),
  /** Of the symbol's own inputs only: for other asset classes, and when nothing else is known. */
  own: VectorSchema,
  volatility: VolatilityStatesSchema,
});
export type YearParameters = z.infer<typeof YearSchema>;

/** The file that `npm run fit` writes. */
export const ParametersSchema = z.strictObject({
  version: z.string().min(1),
  inputs: z.array(z.string()),
  ridge: z.number(),
  every_nth_bar: z.int(),
  /** SHA-256 of the fitted prices, per symbol. */
  fitted_on: z.record(z.string(), z.string()),
  years: z.array(YearSchema).min(1),
});
export type Parameters = z.infer<typeof ParametersSchema>;

export class RiskModel {
  /** Name and hash of the parameters: a new fit is a new version even under the same name. */
  readonly version: string;
  /** As in the file. */
  readonly source: Parameters;
  readonly #byYear = new Map<string, YearParameters>();
  readonly #latest: YearParameters;
  readonly #first: number;

  constructor(parameters: Parameters) {
    this.version = `${parameters.version}.${createHash('sha256').update(JSON.stringify(parameters)).digest('hex').slice(0, 6)}`;
    this.source = parameters;
    for (const vector of parameters.years) this.#byYear.set(String(vector.year), vector);
    this.#latest = parameters.years.at(-1) as YearParameters;
    this.#first = (parameters.years[0] as YearParameters).year;
  }

  /** The parameters for bars that follow a bar of `date`; null before the first year. */
  parameters(date: string): YearParameters | null {
    const year = date.slice(0, 4);
    return this.#byYear.get(year) ?? (Number(year) > this.#first ? this.#latest : null);
  }
}

/** The vector with the most inputs that are all known. */
export function vectorFor({ market, fellows, own }: YearParameters, inputs: Float64Array): Vector {
  if (market !== null && hasTier(inputs, 'market')) return market;
  return fellows !== null && hasTier(inputs, 'fellows') ? fellows : own;
}

/** Distance of an input from its mean, in standard deviations; 0 (usual) for a missing one. */
function standardised(vector: Vector, inputs: Float64Array, i: number): number {
  const offset = ((inputs[i] as number) - (vector.means[i] as number)) / (vector.deviations[i] as number);
  return Number.isNaN(offset) ? 0 : Math.min(MOST_DEVIATIONS, Math.max(-MOST_DEVIATIONS, offset));
}

/** P(the warned event follows), 0..1. */
export function riskProbability(vector: Vector, inputs: Float64Array): number {
  let logit = vector.bias;
  for (let i = 0; i < inputs.length; i++) logit += (vector.weights[i] as number) * standardised(vector, inputs, i);
  return sigmoid(logit);
}

/**
 * Contributions to the difference from the probability of a usual bar: signed shares of the dimensions,
 * absolute values summing to 1. A dimension outside the model has 0.
 */
export function riskContributions(vector: Vector, inputs: Float64Array): Powers {
  shares.fill(0);
  for (let i = 0; i < inputs.length; i++) {
    const dimension = DIMENSIONS[i] as number;
    shares[dimension] = (shares[dimension] as number) + (vector.weights[i] as number) * standardised(vector, inputs, i);
  }
  let total = 0;
  for (let d = 0; d < shares.length; d++) total += Math.abs(shares[d] as number);
  const share = (d: number): number => (total > 0 ? (shares[d] as number) / total : 0);
  return {
    'D-01': share(0),
    'D-02': share(1),
    'D-03': share(2),
    'D-04': share(3),
    'D-05': share(4),
    'D-06': share(5),
    'D-07': share(6),
    'D-08': share(7),
    'D-09': share(8),
    'D-10': share(9),
    'D-11': share(10),
    'D-12': share(11),
  };
}

/** The index of the dimension of each input; and the sums by dimension of one bar. */
const DIMENSIONS = Int32Array.from(RISK_INPUTS, ({ dimension }) => FACTOR_CODES.indexOf(dimension));
const shares = new Float64Array(FACTOR_CODES.length);
