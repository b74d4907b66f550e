// Service, sandbox world: scheduled shocks within a day. They make the live state move; at the day's end nothing is left of them.
import { HORIZON, sampleDeviation, thresholdOf, VOLATILITY_WINDOW } from '../../engine/threshold.ts';
import type { Series } from './daily.ts';
import { DAY_MS, FIRST_DAY, MINUTE_MS } from './days.ts';
import { keyOf, ln, unit } from './numbers.ts';

/** Each symbol has one shock in each slot of the day; a shock begins and ends within its slot, so none runs over midnight. */
const SLOTS = 15;
const SLOT_MS = DAY_MS / SLOTS;

/** Drawdown fractions (MODELS 2b) at which a shock rests. The bounds of the state rule are .1, .2, .35 and .5. */
const LEVELS = { normal: 0.04, easing: 0.15, elevated: 0.425, highRisk: 0.6 } as const;
/** A shock's level is off by at most this much, so that no two look alike. */
const LEVEL_SPREAD = 0.03;

/** Of the shocks that may choose, the share that goes for High Risk; the others go for Elevated. */
const HIGH_RISK_SHARE = 0.4;
/** One slot in so many has a fall that takes several symbols along in the same minute, and the share of symbols that it takes. */
const JOINT_SLOTS = 12;
const JOINT_SHARE = 0.4;
/** A joint fall begins within this time (ms) of its slot, so that the longest is over before the slot is. */
const JOINT_LATEST = 60 * MINUTE_MS;

/** What a shock is measured against: the close from which the drawdown is counted on the forming day, and the threshold there. */
export interface Yardstick {
  readonly peak: number;
  readonly threshold: number;
}

/** The yardstick of a forming day from the closes before it, as the engine will find it; null in the first year of the world. */
export function yardstick(closes: Series, day: number): Yardstick | null {
  const last = day - FIRST_DAY - 1;
  let at = last;
  for (let k = last - 1; k > last - HORIZON; k--) if (closes.at(k) > closes.at(at)) at = k;
  if (at < VOLATILITY_WINDOW) return null;
  const returns = Float64Array.from({ length: VOLATILITY_WINDOW }, (_, k) => ln(closes.at(at - k) / closes.at(at - k - 1)));
  return { peak: closes.at(at), threshold: thresholdOf(sampleDeviation(returns)) };
}

/** A moment (ms) from which the factor on the price is `factor`; between two moments it moves smoothly. */
interface Knot {
  readonly at: number;
  readonly factor: number;
}

/** What a shock does to the price, in order of time. */
export type Shock = readonly Knot[];

/** The factor that a shock puts on the price at a moment (ms), 1 before and after it. */
export function factorAt(knots: Shock, ms: number): number {
  for (let index = knots.length - 1; index >= 0; index--) {
    const knot = knots[index] as Knot;
    if (ms < knot.at) continue;
    const next = knots[index + 1];
    if (next === undefined || next.factor === knot.factor) return knot.factor;
    const way = (ms - knot.at) / (next.at - knot.at);
    return knot.factor + (next.factor - knot.factor) * way * way * (3 - 2 * way);
  }
  return 1;
}

export const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);

/**
 * The shock of a slot.
 *
 * Which levels it visits depends on where the price stands without it, so that the number of transitions does not: a symbol that is in High
 * Risk already is relieved and falls back, one that hangs between two bounds is set free at the end.
 * @param world key of the world, the same for all symbols
 * @param key the symbol's
 * @param base price without shocks at a moment of the slot's day
 */
export function shockOf(world: number, key: number, slot: number, { peak, threshold }: Yardstick, base: (ms: number) => number): Shock {
  const draw = (number: number): number => unit(keyOf(keyOf(key, slot), number));
  const slotStart = slot * SLOT_MS;
  const fraction = (1 - base(slotStart + SLOT_MS / 2) / peak) / threshold;
  const joint = fraction < 0.35 && keyOf(world, slot) % JOINT_SLOTS === 0 && draw(1) < JOINT_SHARE;
  const levels = script(fraction, joint || draw(3) < HIGH_RISK_SHARE);
  // A rest outlasts the five minutes that a state stands at least, so that each level is seen.
  const rests = levels.map((_, index) => (levels.length === 1 ? 8 + 14 * draw(10 + index) : 7 + 4 * draw(10 + index)) * MINUTE_MS);
  const ramps = [...levels, 0].map((_, index) => (0.6 + 0.7 * draw(20 + index)) * MINUTE_MS);
  const free = SLOT_MS - MINUTE_MS - [...rests, ...ramps].reduce((sum, part) => sum + part, 0);
  let at = slotStart + (joint ? JOINT_LATEST * unit(keyOf(keyOf(world, slot), 1)) : free * draw(2));
  const start = base(at);

  const knots: Knot[] = [{ at, factor: 1 }];
  for (const [index, level] of levels.entries()) {
    const factor = (peak * (1 - threshold * (level + LEVEL_SPREAD * (2 * draw(30 + index) - 1)))) / start;
    at += ramps[index] as number;
    knots.push({ at, factor });
    at += rests[index] as number;
    knots.push({ at, factor });
  }
  if (levels.length > 0) knots.push({ at: at + (ramps[levels.length] as number), factor: 1 });
  return knots;
}

/** The levels of a shock, by the drawdown fraction without it. */
function script(fraction: number, highRisk: boolean): readonly number[] {
  const { normal, easing, elevated, highRisk: high } = LEVELS;
  if (fraction >= 0.5) return highRisk ? [easing, normal, elevated, normal] : [];
  if (fraction >= 0.35) return highRisk ? [high, normal] : [normal];
  const level = highRisk ? high : elevated;
  return fraction >= 0.1 ? [level, normal] : [level];
}
