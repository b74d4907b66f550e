// Service, engine: the inputs of the risk model, and first-passage probabilities of a random walk.
// The closed form follows the event's definition (docs/model.md, section 1), by reflection.
import type { FactorCode } from '../../../shared/domain/factors.ts';
import { type BarHistory, nextVariance, sessionReturn } from '../history.ts';
import { normalShare } from '../normal-share.ts';
import { MERGE, REMAINING_LOSS_SHARE } from '../outcomes.ts';
import { HORIZON, type ThresholdTrack, thresholdOf } from '../threshold.ts';

/** The inputs of the risk probability, each with the dimension to which it contributes. */
export const RISK_INPUTS = [
  /** Distance to a breach from every recent maximum, and the bars since the last breach. */
  { name: 'drawdown', dimension: 'D-12' },
  /** Short over long volatility. */
  { name: 'volatility_change', dimension: 'D-03' },
  /** Rank of the common drawdown of all shares, funds and indices of the folder. */
  { name: 'common_drawdown', dimension: 'D-02' },
] as const satisfies readonly { name: string; dimension: FactorCode }[];

/** The inputs of one price, from which the parameters of a year make a probability. */
export interface RiskInputs {
  /** Standard deviation of the previous 252 returns. */
  deviation: number;
  /** Log of the short volatility, with this price, over the long one. */
  volatilityChange: number;
  /** Rank of the common drawdown; NaN if unknown, and for currencies and crypto. */
  commonDrawdown: number;
  /** Fraction of the breach threshold. */
  drawdown: number;
  /** Bars for which a breach would continue the last event. */
  mergeBars: number;
  /** Log distance to a fall of half a threshold. */
  half: number;
  /** Number of levels whose breach would be an event. */
  levels: number;
  /**
   * For each level: log distance to its breach, log distance to a breach that counts, and bars left for it.
   */
  readonly breach: Float64Array;
  readonly counting: Float64Array;
  readonly bars: Float64Array;
}

export const newRiskInputs = (): RiskInputs => ({
  deviation: Number.NaN,
  volatilityChange: Number.NaN,
  commonDrawdown: Number.NaN,
  drawdown: 0,
  mergeBars: 0,
  half: Number.NaN,
  levels: 0,
  breach: new Float64Array(HORIZON),
  counting: new Float64Array(HORIZON),
  bars: new Float64Array(HORIZON),
});

/** Log distance to a fall of half a threshold: a signal is right only before such a fall. */
const halfOf = (threshold: number): number => -Math.log(1 - REMAINING_LOSS_SHARE * threshold);

/**
 * Writes the inputs of a next bar at `price`. Cheap enough for every tick.
 * @param history up to the previous bar
 * @param missing number of missing sessions before the next bar
 */
export function riskInputs(
  target: RiskInputs,
  price: number,
  history: BarHistory,
  threshold: ThresholdTrack,
  commonDrawdown: number,
  missing = 0,
): RiskInputs {
  const deviation = history.deviations.back(0);
  const move = sessionReturn(Math.log(price / history.closes.back(0)), missing);
  const variance = nextVariance(history.variances.back(0), move, 1 + missing);
  const own = thresholdOf(deviation);
  target.deviation = deviation;
  target.volatilityChange = Math.log(Math.sqrt(variance) / deviation);
  target.commonDrawdown = commonDrawdown;
  target.drawdown = threshold.fraction(price, missing);
  target.mergeBars = Math.max(0, MERGE - threshold.sinceBreach(target.drawdown, missing));
  target.half = halfOf(own);
  // The price itself is the first level: it is the peak of coming bars that stay below it.
  target.levels = 1;
  target.breach[0] = target.counting[0] = -Math.log(1 - own);
  target.bars[0] = HORIZON;
  for (const { age: bars, close, threshold: then } of threshold.maxima) {
    const age = bars + missing;
    if (close <= price || age >= HORIZON || then === Number.POSITIVE_INFINITY) continue;
    const distance = Math.log(price / (close * (1 - then)));
    target.breach[target.levels] = distance;
    target.counting[target.levels] = Math.max(distance, halfOf(then));
    target.bars[target.levels] = HORIZON - age;
    target.levels += 1;
  }
  return target;
}

/** Continuity correction for a barrier compared with closes only (Broadie, Glasserman and Kou 1997). */
const BETWEEN_CLOSES = 0.5826;
/** Lower limit of probabilities; its complement is the upper one. */
const LEAST = 0.02;

const logOdds = (share: number): number => {
  const limited = Math.min(1 - LEAST, Math.max(LEAST, share));
  return Math.log(limited / (1 - limited));
};

/** Distance of a barrier in deviations of its time. */
const scaled = (distance: number, sigma: number, bars: number): number =>
  (distance / sigma + BETWEEN_CLOSES) / Math.sqrt(bars);

/** Probability that a walk without drift passes the barrier, by reflection. */
const passage = (nearest: number): number => 2 * normalShare(-nearest);

/**
 * Log odds that a walk of `sigma` per bar makes a warning at this price right: it breaches a level within the
 * level's bars, after a fall of at least half its threshold, and not as part of the last event.
 */
export function eventOdds({ levels, breach, counting, bars, mergeBars }: RiskInputs, sigma: number): number {
  let hit = Number.POSITIVE_INFINITY;
  let early = hit;
  let again = hit;
  for (let i = 0; i < levels; i++) {
    const far = counting[i] as number;
    const within = bars[i] as number;
    hit = Math.min(hit, scaled(far, sigma, within));
    if (mergeBars === 0) continue;
    const merging = Math.min(within, mergeBars);
    early = Math.min(early, scaled(far, sigma, merging));
    again = Math.min(again, scaled(breach[i] as number, sigma, merging));
  }
  const share = passage(hit);
  if (mergeBars === 0) return logOdds(share);
  return logOdds(Math.max(0, share - passage(early)) / Math.max(LEAST, 1 - passage(again)));
}

/** Log odds that the walk falls by half a threshold within the horizon. */
export const furtherFallOdds = ({ half }: RiskInputs, sigma: number): number =>
  logOdds(passage(scaled(half, sigma, HORIZON)));
