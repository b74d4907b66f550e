// Service, engine: risk probability from a volatility forecast and a first passage, by year.
// Each vector is fitted on outcomes known before its year.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FACTOR_CODES, type Powers } from '../../../shared/domain/factors.ts';
import { OWN_MODEL_PREFIX } from '../../../shared/domain/model-version.ts';
import { eventOdds, furtherFallOdds, RISK_INPUTS, type RiskInputs } from './first-passage.ts';
import { sigmoid } from './regression.ts';
import { VolatilityStatesSchema } from './volatility-states.ts';

/** Limit of a value's distance from its mean, in standard deviations. */
const MAX_DEVIATIONS = 4;

/** bias + weights . standardised values. */
const VectorSchema = z.strictObject({
  /** Bars of the fit, and the mean outcome. */
  rows: z.int(),
  mean_outcome: z.number(),
  bias: z.number(),
  means: z.array(z.number()),
  deviations: z.array(z.number().positive()),
  weights: z.array(z.number()),
});
export type Vector = z.infer<typeof VectorSchema>;

const vectorOf = (width: number) =>
  VectorSchema.refine(
    ({ means, deviations, weights }) => [means, deviations, weights].every((list) => list.length === width),
    `a vector of ${width} weights is needed`,
  );

const YearSchema = z.strictObject({
  /** Applies from the first bar after a close of this year. */
  year: z.int(),
  /** Log of the coming volatility over the usual one, from the own volatility change. */
  own: vectorOf(1),
  /** The same from the common drawdown as well; null: too few bars had one. */
  fellows: vectorOf(2).nullable(),
  /** Log odds of the warned event, from the log odds of a first passage. */
  event: vectorOf(1),
  /**
   * Log odds, during an event, of a further fall of half a threshold: from a first passage and the drawdown.
   */
  further_fall: vectorOf(2),
  volatility: VolatilityStatesSchema,
});
export type YearParameters = z.infer<typeof YearSchema>;
export type Forecast = Pick<YearParameters, 'own' | 'fellows'>;

export const ModelNameSchema = z.string().regex(/^[\w.-]{1,40}$/, 'a name has 1 to 40 of A-Z a-z 0-9 . _ -');

/** The file that `npm run fit` writes. */
export const ParametersSchema = z.strictObject({
  version: ModelNameSchema,
  inputs: z
    .array(z.string())
    .refine(
      (names) => names.join() === RISK_INPUTS.map(({ name }) => name).join(),
      `this version of Barograph needs ${RISK_INPUTS.map(({ name }) => name).join(', ')}`,
    ),
  ridge: z.number(),
  every_nth_bar: z.int(),
  /** SHA-256 of the fitted prices, per symbol. */
  fitted_on: z.record(z.string(), z.string()),
  years: z
    .array(YearSchema)
    .min(1)
    .refine((rows) => rows.every(({ year }, i) => i === 0 || year > (rows[i - 1]?.year ?? 0)), 'years must ascend'),
});
export type Parameters = z.infer<typeof ParametersSchema>;

export class RiskModel {
  /** Name and hash of the parameters, so that a new fit has a new version. */
  readonly version: string;
  readonly hash: string;
  /** The content of the file. */
  readonly source: Parameters;
  readonly #byYear = new Map<string, YearParameters>();
  readonly #latest: YearParameters;
  readonly #first: number;

  /** @param origin `own`: the version says that it is not the model that Barograph ships */
  constructor(parameters: Parameters, origin: 'shipped' | 'own' = 'shipped') {
    this.hash = createHash('sha256').update(JSON.stringify(parameters)).digest('hex').slice(0, 6);
    this.version = `${origin === 'own' ? OWN_MODEL_PREFIX : ''}${parameters.version}.${this.hash}`;
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

/** Distance from the mean in deviations, limited. */
export const standardised = (value: number, mean: number, deviation: number): number =>
  Math.min(MAX_DEVIATIONS, Math.max(-MAX_DEVIATIONS, (value - mean) / deviation));

/** Weight times standardised value. */
const part = ({ weights, means, deviations }: Vector, i: number, value: number): number =>
  (weights[i] as number) * standardised(value, means[i] as number, deviations[i] as number);

type VolatilityInputs = Pick<RiskInputs, 'deviation' | 'volatilityChange' | 'commonDrawdown'>;

/** Forecast of the daily volatility over the horizon, with the common drawdown if it is known. */
export function volatilityAhead({ own, fellows }: Forecast, inputs: VolatilityInputs): number {
  const { deviation, volatilityChange, commonDrawdown } = inputs;
  if (fellows === null || Number.isNaN(commonDrawdown))
    return deviation * Math.exp(own.bias + part(own, 0, volatilityChange));
  return deviation * Math.exp(fellows.bias + part(fellows, 0, volatilityChange) + part(fellows, 1, commonDrawdown));
}

/** Probabilities, 0..1. */
export interface Risk {
  /** Probability that the warned event follows. */
  readonly event: number;
  /** Probability that the price falls by half a threshold within the horizon. */
  readonly furtherFall: number;
}

export function evaluateRisk(fitted: YearParameters, inputs: RiskInputs): Risk {
  const sigma = volatilityAhead(fitted, inputs);
  return { event: sigmoid(eventScore(fitted, inputs, sigma)), furtherFall: sigmoid(fallScore(fitted, inputs, sigma)) };
}

const eventScore = ({ event }: YearParameters, inputs: RiskInputs, sigma: number): number =>
  event.bias + part(event, 0, eventOdds(inputs, sigma));
const fallScore = ({ further_fall: fall }: YearParameters, inputs: RiskInputs, sigma: number): number =>
  fall.bias + part(fall, 0, furtherFallOdds(inputs, sigma)) + part(fall, 1, inputs.drawdown);

/**
 * Contributions to the published probability, by substitution: the change of its log odds if an input has its
 * usual value. Signed shares of the dimensions, absolute values summing to 1; 0 for all others.
 */
export function riskContributions(fitted: YearParameters, inputs: RiskInputs): Powers {
  const score = inputs.mergeBars > 0 ? fallScore : eventScore;
  const hasCommon = fitted.fellows !== null && !Number.isNaN(inputs.commonDrawdown);
  const [change, common] = (hasCommon ? fitted.fellows : fitted.own)?.means ?? [];
  const { deviation, volatilityChange, commonDrawdown } = inputs;
  const sigma = volatilityAhead(fitted, inputs);
  const now = score(fitted, inputs, sigma);
  const movedBy = (other: VolatilityInputs): number => now - score(fitted, inputs, volatilityAhead(fitted, other));
  const drawdown = now - score(fitted, { ...inputs, levels: 1, drawdown: 0 }, sigma);
  const volatility = movedBy({ deviation, volatilityChange: change as number, commonDrawdown });
  const relationships = hasCommon ? movedBy({ deviation, volatilityChange, commonDrawdown: common as number }) : 0;
  const total = Math.abs(drawdown) + Math.abs(volatility) + Math.abs(relationships);
  const share = (move: number): number => (total > 0 ? move / total : 0);
  return { ...NO_PART, 'D-12': share(drawdown), 'D-03': share(volatility), 'D-02': share(relationships) };
}

const NO_PART = Object.fromEntries(FACTOR_CODES.map((code) => [code, 0])) as Record<keyof Powers, number>;
