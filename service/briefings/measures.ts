// Service, briefings: a symbol set against its own past 90 days. Pure; fractions unless said otherwise.
import { FACTOR_DIMENSIONS, type FactorDimension } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import type { SymbolSnapshot } from './context.ts';

/** Fewest closes that a rank or a usual move is made from. */
const LEAST = 15;

/** The move over the last `sessions` sessions, the one in progress included; null where the past is too short. */
export function moveOver({ prices }: SymbolSnapshot, sessions: number): number | null {
  const before = prices.at(-1 - sessions);
  const last = prices.at(-1);
  return before === undefined || last === undefined ? null : last / before - 1;
}

/** The median size of a session's move over the past 90 days; null where the past is too short. */
export function usualMove({ days }: SymbolSnapshot): number | null {
  const moves = days
    .slice(1)
    .map(({ reading }, index) => Math.abs(reading.close / (days[index]?.reading.close ?? reading.close) - 1));
  if (moves.length < LEAST) return null;
  moves.sort((a, b) => a - b);
  return moves[moves.length >> 1] ?? null;
}

/** How many usual moves the present one is; null without a measure. */
export function size(snapshot: SymbolSnapshot): number | null {
  const usual = usualMove(snapshot);
  return usual === null || usual === 0 || snapshot.change === null ? null : Math.abs(snapshot.change) / usual;
}

export interface Extreme {
  readonly price: number;
  /** Session date. */
  readonly date: string;
}
export interface Range {
  readonly high: Extreme;
  readonly low: Extreme;
  /** 0 at the low, 1 at the high. */
  readonly position: number;
}

/** Highest and lowest close of the past 90 days, and where the price lies between them. */
export function rangeOf({ days, price }: SymbolSnapshot): Range | null {
  let high: Extreme | null = null;
  let low: Extreme | null = null;
  for (const { reading } of days) {
    const extreme = { price: reading.close, date: reading.date };
    if (high === null || reading.close >= high.price) high = extreme;
    if (low === null || reading.close <= low.price) low = extreme;
  }
  if (high === null || low === null || days.length < LEAST) return null;
  const span = high.price - low.price;
  return { high, low, position: span === 0 ? 0.5 : Math.min(1, Math.max(0, (price - low.price) / span)) };
}

/** How far the price may still fall to the breach level; null without one, at most 0 beyond it. */
export const roomToBreach = ({ price, reading }: SymbolSnapshot): number | null =>
  reading.breachLevel === null ? null : 1 - reading.breachLevel / price;

/** Sessions of the past 90 days by state, and how many times High Risk began. */
export function statesOf({ days }: SymbolSnapshot): {
  readonly sessions: Readonly<Record<State, number>>;
  readonly entries: number;
} {
  const sessions: Record<State, number> = { 0: 0, 1: 0, 2: 0 };
  let entries = 0;
  for (const [index, { reading }] of days.entries()) {
    sessions[reading.state] += 1;
    if (index > 0 && reading.state === 2 && days[index - 1]?.reading.state !== 2) entries += 1;
  }
  return { sessions, entries };
}

/** One dimension of a symbol, against its own past. */
export interface DimensionRank {
  readonly dimension: FactorDimension;
  readonly power: number;
  /** Share of the closes of the past 90 days that were lower. */
  readonly rank: number;
  /** Change over five sessions; null where there is no value then. */
  readonly change: number | null;
  /** Signed share of the present risk score; null without one. */
  readonly share: number | null;
}

/** The dimensions that have a value and a past, in D-order. */
export function dimensionRanks({ days, reading, forming }: SymbolSnapshot): DimensionRank[] {
  // The close itself is no part of what it is held against.
  const past = forming ? days : days.slice(0, -1);
  return FACTOR_DIMENSIONS.flatMap((dimension) => {
    const power = reading.powers[dimension.code];
    if (power === null) return [];
    const before = past.flatMap((row) => row.reading.powers[dimension.code] ?? []);
    if (before.length < LEAST) return [];
    const then = past.at(-5)?.reading.powers[dimension.code] ?? null;
    return {
      dimension,
      power,
      rank: before.filter((value) => value < power).length / before.length,
      change: then === null ? null : power - then,
      share: reading.contributions[dimension.code],
    };
  });
}

/** What weighs on the risk score most, largest first. */
export const weights = (snapshot: SymbolSnapshot): DimensionRank[] =>
  dimensionRanks(snapshot)
    .filter(({ share }) => share !== null && Math.abs(share) >= 0.005)
    .sort((a, b) => Math.abs(b.share ?? 0) - Math.abs(a.share ?? 0));
