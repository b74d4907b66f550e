// Service, sandbox world: scheduled shocks within a day, which move the live state and then vanish.

import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { nextVariance } from '../../engine/history.ts';
import { RISK_INPUTS } from '../../engine/risk/inputs.ts';
import { riskProbability } from '../../engine/risk/model.ts';
import { RISK_MODEL } from '../../engine/risk/parameters.ts';
import { HORIZON, sampleDeviation, thresholdOf, VOLATILITY_WINDOW } from '../../engine/threshold.ts';
import type { Series } from './daily.ts';
import { dateOf, FIRST_DAY } from './days.ts';
import { keyOf, ln, unit } from './numbers.ts';

/**
 * Each symbol has one shock in each slot of the day; a shock begins and ends within its slot, so none crosses
 * midnight.
 */
const SLOTS = 18;
const SLOT_MS = DAY_MS / SLOTS;

/**
 * Drawdown fractions of a shock's rests. High Risk needs a probability or a breach
 * (service/engine/state-rule.ts), and the probability depends on the volatility of the days before: so the
 * level is searched per day, from `highRisk` on, and `deepest` is a breach.
 */
const LEVELS = {
  normal: 0,
  easing: 0.25,
  shallow: 0.42,
  elevated: 0.66,
  highRisk: 0.6,
  deepest: 1.05,
  step: 0.05,
} as const;
/** Probability at which a drawdown is High Risk, with a margin. */
const ENOUGH = 0.27;
/**
 * Volatility of the other symbols (`RISK_INPUTS`, from the fifth on) as a rank: on the calmest days, and as
 * estimated from a symbol's own ratio of short to long volatility. High Risk must be reachable on any day;
 * Elevated may be missed occasionally.
 */
const CALMEST = 0.1;
const STORMIEST = 0.9;
const guess = (volatilityChange: number): number =>
  Math.min(STORMIEST, Math.max(CALMEST, 0.5 + 0.65 * (volatilityChange - 0.95)));
/** Maximum random offset of a shock's level, so that no two are alike. */
const LEVEL_SPREAD = 0.02;

/** Share of High Risk among the shocks that may choose their target; the others target Elevated. */
const HIGH_RISK_SHARE = 0.3;
/** One slot in so many has a fall of several symbols in the same minute; and their share. */
const JOINT_SLOTS = 12;
const JOINT_SHARE = 0.4;
/** A joint fall begins within this time (ms) of its slot, so that the longest ends before the slot. */
const JOINT_LATEST = 35 * MINUTE_MS;

/**
 * The reference of a shock: the close from which the drawdown counts on the forming day, and the threshold
 * there.
 */
export interface ShockReference {
  readonly peak: number;
  readonly threshold: number;
  /** Drawdown fractions of Elevated and High Risk on this day, estimated from the symbol's own past. */
  readonly elevated: number;
  readonly highRisk: number;
}

/**
 * The shock reference of a forming day from the closes before it, close to the engine's own; null in the
 * first year of the world.
 */
export function referenceFor(closes: Series, day: number): ShockReference | null {
  const last = day - FIRST_DAY - 1;
  let at = last;
  for (let k = last - 1; k > last - HORIZON; k--) if (closes.at(k) > closes.at(at)) at = k;
  if (at < VOLATILITY_WINDOW) return null;
  const threshold = thresholdOf(sampleDeviation(returnsTo(closes, at)));
  const peak = closes.at(at);
  const risk = riskOn(closes, last, dateOf(day - 1), { peak, threshold });
  let highRisk: number = LEVELS.highRisk;
  while (highRisk < LEVELS.deepest && risk(highRisk, CALMEST) < ENOUGH) highRisk += LEVELS.step;
  const elevated = risk(LEVELS.elevated) < ENOUGH ? LEVELS.elevated : LEVELS.shallow;
  return { peak, threshold, elevated, highRisk };
}

const returnsTo = (closes: Series, at: number): Float64Array =>
  Float64Array.from({ length: VOLATILITY_WINDOW }, (_, k) => ln(closes.at(at - k) / closes.at(at - k - 1)));

/**
 * Risk probability of a drawdown fraction on the day after `last`, given the volatility rank of the others.
 */
function riskOn(
  closes: Series,
  last: number,
  date: string,
  { peak, threshold }: Pick<ShockReference, 'peak' | 'threshold'>,
) {
  const returns = returnsTo(closes, last);
  const deviation = sampleDeviation(returns);
  const variance = returns.reduceRight(nextVariance, deviation * deviation);
  const vector = RISK_MODEL.parameters(date)?.market ?? null;
  const guessed = guess(Math.sqrt(variance) / deviation);
  const inputs = new Float64Array(RISK_INPUTS.length).fill(Number.NaN);
  return (fraction: number, storm = guessed): number => {
    if (vector === null) return 1;
    const price = peak * (1 - threshold * fraction);
    inputs[0] = fraction;
    inputs[1] = Math.sqrt(nextVariance(variance, ln(price / closes.at(last)))) / deviation;
    inputs[2] = ln(price / closes.at(last - 4)) / (deviation * Math.sqrt(5));
    inputs[3] = ln(price / closes.at(last - 20)) / (deviation * Math.sqrt(21));
    inputs.fill(storm, 4, 7);
    inputs[7] = 0;
    return riskProbability(vector, inputs);
  };
}

/** An instant (ms) at which the factor on the price is `factor`; between two instants it moves smoothly. */
interface InterpolationPoint {
  readonly at: number;
  readonly factor: number;
}

/** The effect of a shock on the price, in order of time. */
export type Shock = readonly InterpolationPoint[];

/** The factor of a shock on the price at an instant (ms), 1 before and after it. */
export function factorAt(points: Shock, ms: number): number {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index] as InterpolationPoint;
    if (ms < point.at) continue;
    const next = points[index + 1];
    if (next === undefined || next.factor === point.factor) return point.factor;
    const progress = (ms - point.at) / (next.at - point.at);
    return point.factor + (next.factor - point.factor) * progress * progress * (3 - 2 * progress);
  }
  return 1;
}

export const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);

/**
 * The shock of a slot.
 * Its levels depend on the price without it, so that the number of transitions does not: a symbol already in
 * High Risk recovers and falls back, one between two bounds is released at the end.
 * @param world key of the world, the same for all symbols
 * @param key the symbol's
 * @param base price without shocks at an instant of the slot's day
 */
export function shockOf(
  world: number,
  key: number,
  slot: number,
  reference: ShockReference,
  base: (ms: number) => number,
): Shock {
  const { peak, threshold } = reference;
  const draw = (number: number): number => unit(keyOf(keyOf(key, slot), number));
  const slotStart = slot * SLOT_MS;
  const fraction = (1 - base(slotStart + SLOT_MS / 2) / peak) / threshold;
  const joint = fraction < 0.35 && keyOf(world, slot) % JOINT_SLOTS === 0 && draw(1) < JOINT_SHARE;
  const levels = script(fraction, reference, joint || draw(3) < HIGH_RISK_SHARE);
  // A rest exceeds the five-minute minimum of a state, so that each level is announced.
  const rests = levels.map(
    (_, index) => (levels.length === 1 ? 8 + 14 * draw(10 + index) : 7 + 4 * draw(10 + index)) * MINUTE_MS,
  );
  const ramps = [...levels, 0].map((_, index) => (0.6 + 0.7 * draw(20 + index)) * MINUTE_MS);
  const free = SLOT_MS - MINUTE_MS - [...rests, ...ramps].reduce((sum, part) => sum + part, 0);
  let at = slotStart + (joint ? JOINT_LATEST * unit(keyOf(keyOf(world, slot), 1)) : free * draw(2));
  const start = base(at);

  const points: InterpolationPoint[] = [{ at, factor: 1 }];
  for (const [index, level] of levels.entries()) {
    const factor = (peak * (1 - threshold * (level + LEVEL_SPREAD * (2 * draw(30 + index) - 1)))) / start;
    at += ramps[index] as number;
    points.push({ at, factor });
    at += rests[index] as number;
    points.push({ at, factor });
  }
  if (levels.length > 0) points.push({ at: at + (ramps[levels.length] as number), factor: 1 });
  return points;
}

/**
 * The levels of a shock, by the drawdown fraction without it. From High Risk it recovers to Elevated, at any
 * probability.
 */
function script(fraction: number, { elevated, highRisk }: ShockReference, deep: boolean): readonly number[] {
  const { normal, easing } = LEVELS;
  if (fraction >= highRisk) return deep ? [] : [easing, normal];
  if (deep) return fraction >= 0.2 ? [highRisk, normal] : [highRisk, easing, normal];
  if (fraction >= 0.3) return [easing, normal];
  return [elevated, normal];
}
