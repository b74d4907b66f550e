// Service, sandbox world: scheduled temporary shocks within a day, which move the live state.

import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { nextVariance } from '../../engine/history.ts';
import { newRiskInputs } from '../../engine/risk/first-passage.ts';
import { evaluateRisk } from '../../engine/risk/model.ts';
import { RISK_MODEL } from '../../engine/risk/parameters.ts';
import { HORIZON, sampleDeviation, thresholdOf, VOLATILITY_WINDOW } from '../../engine/threshold.ts';
import type { Series } from './daily.ts';
import { dateOf, FIRST_DAY } from './days.ts';
import { keyOf, ln, unit } from './numbers.ts';

/**
 * Slots per day. Each symbol has one shock in each slot, which begins and ends within it, so that none
 * crosses midnight.
 */
const SLOTS = 18;
const SLOT_MS = DAY_MS / SLOTS;

/**
 * Drawdown fractions of a shock's levels. A breach is High Risk on any day (service/engine/state-rule.ts).
 * Elevated is shallow on days on which the probability alone suffices for it, and a deeper level may be High
 * Risk.
 */
const LEVELS = { normal: 0, easing: 0.25, shallow: 0.43, elevated: 0.64, highRisk: 1.05 } as const;
/** Probability of the deeper level from which Elevated is shallow. */
const LIKELY = 0.3;
/** Maximum random offset of a shock's level, so that levels differ. */
const LEVEL_SPREAD = 0.02;

/** Share of High Risk among the shocks that may choose their target; the others target Elevated. */
const HIGH_RISK_SHARE = 0.42;
/** One of JOINT_SLOTS slots has a joint fall of a share of the symbols, in the same minute. */
const JOINT_SLOTS = 12;
const JOINT_SHARE = 0.4;
/** A joint fall begins within this time (ms) of its slot, so that the longest ends before the slot. */
const JOINT_LATEST = 35 * MINUTE_MS;

/** The reference of a shock: the close from which the forming day's drawdown counts, and its threshold. */
export interface ShockReference {
  readonly peak: number;
  readonly threshold: number;
  /** Drawdown fraction of Elevated on this day, estimated from the symbol's own past. */
  readonly elevated: number;
}

/**
 * The shock reference of a forming day from earlier closes, close to the engine's own; null in the first year
 * of the world.
 */
export function referenceFor(closes: Series, day: number): ShockReference | null {
  const last = day - FIRST_DAY - 1;
  let at = last;
  for (let k = last - 1; k > last - HORIZON; k--) if (closes.at(k) > closes.at(at)) at = k;
  if (at < VOLATILITY_WINDOW) return null;
  const peak = closes.at(at);
  const threshold = thresholdOf(sampleDeviation(returnsTo(closes, at)));
  const isLikely = chanceOn(closes, last, dateOf(day - 1), { at, threshold }) >= LIKELY;
  return { peak, threshold, elevated: isLikely ? LEVELS.shallow : LEVELS.elevated };
}

const returnsTo = (closes: Series, at: number): Float64Array =>
  Float64Array.from({ length: VOLATILITY_WINDOW }, (_, k) => ln(closes.at(at - k) / closes.at(at - k - 1)));

/**
 * Risk probability of the deeper Elevated on the day after `last`, with the peak at `at`. Of the shipped model:
 * a world is the same for every model that reads it.
 */
function chanceOn(closes: Series, last: number, date: string, peak: { at: number; threshold: number }): number {
  const fitted = RISK_MODEL.parameters(date);
  if (fitted === null) return 1;
  const returns = returnsTo(closes, last);
  const inputs = newRiskInputs();
  inputs.deviation = sampleDeviation(returns);
  const price = closes.at(peak.at) * (1 - peak.threshold * LEVELS.elevated);
  const before = returns.reduceRight((variance, one) => nextVariance(variance, one), inputs.deviation ** 2);
  inputs.volatilityChange = ln(Math.sqrt(nextVariance(before, ln(price / closes.at(last)))) / inputs.deviation);
  inputs.levels = 1;
  inputs.breach[0] = ln(price / (closes.at(peak.at) * (1 - peak.threshold)));
  inputs.counting[0] = Math.max(inputs.breach[0] as number, -ln(1 - peak.threshold / 2));
  inputs.bars[0] = HORIZON - (last + 1 - peak.at);
  inputs.half = inputs.counting[0] as number;
  return inputs.bars[0] > 0 ? evaluateRisk(fitted, inputs).event : 0;
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
 * Levels depend on the price without the shock, so that the number of transitions does not: a symbol already
 * in High Risk recovers and falls back; a symbol between two bounds returns at the end.
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
  const levels = script(fraction, reference.elevated, joint || draw(3) < HIGH_RISK_SHARE);
  // Each level lasts longer than the five-minute minimum of a state, so that it is announced.
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

/** The levels of a shock, by the drawdown fraction without it. From High Risk it recovers to Elevated. */
function script(fraction: number, elevated: number, deep: boolean): readonly number[] {
  const { normal, easing, highRisk } = LEVELS;
  if (fraction >= highRisk) return deep ? [] : [easing, normal];
  if (deep) return fraction >= 0.2 ? [highRisk, normal] : [highRisk, easing, normal];
  if (fraction >= 0.3) return [easing, normal];
  return [elevated, normal];
}
