// Pure: the one number about a symbol: the chance of a fall, its size, and how usual that chance is.
import type { Claim } from './claims.ts';
import type { State } from './states.ts';

/** What a service states about a fall, for a signal as for a past transition. */
export interface ClaimedFall {
  readonly state: State;
  /** Percent: that the fall follows; in Normal that it does not. null: not stated. */
  readonly confidence: number | null;
  /** Absent: `event`, as in the contract. */
  readonly confidence_of?: Claim | undefined;
  /** How often such a fall follows any bar, percent; null: not stated. */
  readonly base_rate: number | null;
}

/** Price and breach level of a signal; times are ISO. */
export interface PricedFall {
  readonly price: number | null;
  readonly breach_level?: number | null | undefined;
  /** The fall from the 21-day high so far, in thresholds: 1 at the breach level. */
  readonly breach_progress?: number | null | undefined;
  readonly data_health?: string | undefined;
  readonly updated_at: string | null;
  readonly decided_at: string | null;
}

export interface FallRow {
  readonly stale: boolean;
  readonly signal: (ClaimedFall & PricedFall) | null;
}

/** The chance alone, comparable between states. */
export interface Chance {
  /** 0..100. */
  readonly percent: number;
  /** The event has begun: the chance is of a further fall. */
  readonly isFurther: boolean;
  /** The share of all bars that such a fall follows, percent; null: not stated. */
  readonly usual: number | null;
  /** Multiple of the usual chance; null: the usual chance is not stated, or none. */
  readonly timesUsual: number | null;
  /** The state is not Normal although the chance is below the usual one: the rule holds it. */
  readonly isHeld: boolean;
}

export interface FallChance extends Chance {
  /** The least such fall from the present price, percent of it; null: unknown. */
  readonly size: number | null;
  /** The price after a fall of that size; null: unknown. */
  readonly level: number | null;
}

/** Sessions within which the fall follows. */
export const FALL_SESSIONS = 21;
/** The share of a threshold that a further fall has at least, and that lies ahead of a right warning. */
const AHEAD = 0.5;
/** `breach_progress` has three decimals: closer to the level than this, they do not give the threshold. */
const MIN_FROM_LEVEL = 0.02;

/** Reports whether a transition has arrived before its price: the price is from an earlier record. */
export const isPriceBehind = ({ updated_at, decided_at }: Pick<PricedFall, 'updated_at' | 'decided_at'>): boolean =>
  updated_at !== null && decided_at !== null && Date.parse(updated_at) < Date.parse(decided_at);

/**
 * The distance of the price to the breach level: above it, percent of the price, which a fall to it would be;
 * past it, 0 or less, percent of the level. null where unknown, and for an old price.
 */
export function breachDistance(signal: PricedFall): number | null {
  const { price, breach_level: level, data_health } = signal;
  if (price === null || level == null || data_health === 'stale' || isPriceBehind(signal)) return null;
  return (100 * (price - level)) / Math.max(price, level);
}

/** The chance that a record states, in any state that of a fall; null: it states none. */
export function chanceOf({ state, confidence, confidence_of, base_rate: usual }: ClaimedFall): Chance | null {
  if (confidence === null) return null;
  const percent = state === 0 ? 100 - confidence : confidence;
  return {
    percent,
    isFurther: confidence_of === 'further_fall',
    usual,
    timesUsual: usual === null || usual <= 0 ? null : percent / usual,
    isHeld: state > 0 && usual !== null && percent < usual,
  };
}

/**
 * The chance of a fall from the present price, within FALL_SESSIONS. null: no current signal, or it states no
 * chance.
 */
export function fallChance(row: FallRow | undefined): FallChance | null {
  const signal = row?.stale === false ? row.signal : null;
  const chance = signal === null ? null : chanceOf(signal);
  if (signal === null || chance === null) return null;
  const size = sizeOf(signal, chance.isFurther);
  const { price, breach_level: breach } = signal;
  if (size === null || price === null) return { ...chance, size: null, level: null };
  const isToBreach = !chance.isFurther && size === breachDistance(signal);
  return { ...chance, size, level: isToBreach && breach != null ? breach : price * (1 - size / 100) };
}

/**
 * The event is a fall to the breach level, and of half a threshold at least (docs/model.md, section 1); a
 * further fall is half a threshold. Percent of the price; null: unknown.
 */
function sizeOf(signal: PricedFall, isFurther: boolean): number | null {
  const distance = breachDistance(signal);
  if (distance === null) return null;
  const threshold = thresholdOf(signal);
  const half = threshold === null ? null : 100 * AHEAD * threshold;
  if (isFurther) return half;
  // Past the level the event has begun, so that its chance is of another fall, of which nothing is known.
  return distance <= 0 ? null : Math.max(distance, half ?? 0);
}

/** The threshold as a fraction of the high from which it is measured; null: it does not follow from the signal. */
function thresholdOf({ price, breach_level: level, breach_progress: progress }: PricedFall): number | null {
  if (price === null || level == null || progress == null || Math.abs(1 - progress) < MIN_FROM_LEVEL) return null;
  // price = high (1 - progress threshold), level = high (1 - threshold)
  const threshold = (price - level) / (price - progress * level);
  return threshold > 0 && threshold < 1 ? threshold : null;
}
