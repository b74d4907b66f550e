// Service, briefings: compares a symbol with its past 90 days, and symbols with each other. Pure.
// Ratios are fractions.
import { FACTOR_DIMENSIONS, type FactorDimension } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { type BriefingContext, type Changes, isFund, type SymbolSnapshot } from './context.ts';

/** Minimum number of closes for a rank or a usual move. */
export const MIN_CLOSES = 15;

/** The move over the last `sessions` sessions, including the one in progress; null with too few closes. */
export function moveOver({ prices }: SymbolSnapshot, sessions: number): number | null {
  const before = prices.at(-1 - sessions);
  const last = prices.at(-1);
  return before === undefined || last === undefined ? null : last / before - 1;
}

const usualMoves = new WeakMap<SymbolSnapshot, number | null>();

/**
 * The median size of a session's move over the past 90 days; null with too few closes. Computed once, because
 * tables are sorted by it.
 */
export function usualMove(snapshot: SymbolSnapshot): number | null {
  const usual = usualMoves.get(snapshot) ?? medianMove(snapshot);
  usualMoves.set(snapshot, usual);
  return usual;
}

function medianMove({ days }: SymbolSnapshot): number | null {
  const moves = days
    .slice(1)
    .map(({ reading }, index) => Math.abs(reading.close / (days[index]?.reading.close ?? reading.close) - 1));
  if (moves.length < MIN_CLOSES) return null;
  moves.sort((a, b) => a - b);
  return moves[moves.length >> 1] ?? null;
}

/** The present move in multiples of the usual one; null without either. */
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

/** Highest and lowest close of the past 90 days, and the position of the price between them. */
export function rangeOf({ days, price }: SymbolSnapshot): Range | null {
  let high: Extreme | null = null;
  let low: Extreme | null = null;
  for (const { reading } of days) {
    const extreme = { price: reading.close, date: reading.date };
    if (high === null || reading.close >= high.price) high = extreme;
    if (low === null || reading.close <= low.price) low = extreme;
  }
  if (high === null || low === null || days.length < MIN_CLOSES) return null;
  const span = high.price - low.price;
  return { high, low, position: span === 0 ? 0.5 : Math.min(1, Math.max(0, (price - low.price) / span)) };
}

/** Distance of the price from the breach level; null without a level, at most 0 beyond it. */
export const roomToBreach = ({ price, reading }: SymbolSnapshot): number | null =>
  reading.breachLevel === null ? null : 1 - reading.breachLevel / price;

/**
 * How often the warned fall follows any close, percent; null while one lasts, because the base rate is that of a
 * further fall then.
 */
export const eventRate = ({ baseRate, reading }: SymbolSnapshot): number | null =>
  reading.claim === 'event' ? baseRate : null;

/** Sessions of the past 90 days by state, and how many times High Risk began. */
export function statesOf({ days }: SymbolSnapshot): {
  readonly sessions: Readonly<Record<State, number>>;
  readonly entries: number;
} {
  const sessions: Record<State, number> = { 0: 0, 1: 0, 2: 0 };
  let entries = 0;
  for (const [index, day] of days.entries()) {
    sessions[day.state] += 1;
    if (index > 0) entries += day.entries;
  }
  return { sessions, entries };
}

/** One dimension of a symbol, compared with its own past. */
export interface DimensionRank {
  readonly dimension: FactorDimension;
  readonly power: number;
  /** Share of lower closes in the past 90 days. */
  readonly rank: number;
  /** Change over five sessions; null without a value five sessions ago. */
  readonly change: number | null;
  /** Signed share of the present risk score; null without a score. */
  readonly share: number | null;
}

/** The dimensions with a value and a past, in D-order. */
export function dimensionRanks({ days, reading, forming }: SymbolSnapshot): DimensionRank[] {
  // A close must not be compared with itself.
  const past = (forming ? days : days.slice(0, -1)).map((day) => day.reading.powers);
  const [present, shares] = [reading.powers, reading.contributions];
  return FACTOR_DIMENSIONS.flatMap((dimension) => {
    const power = present[dimension.code];
    if (power === null) return [];
    const before = past.flatMap((powers) => powers[dimension.code] ?? []);
    if (before.length < MIN_CLOSES) return [];
    const then = past.at(-5)?.[dimension.code] ?? null;
    return {
      dimension,
      power,
      rank: before.filter((value) => value < power).length / before.length,
      change: then === null ? null : power - then,
      share: shares[dimension.code],
    };
  });
}

/** The parts of the risk score, largest first. */
export const riskShares = (snapshot: SymbolSnapshot): DimensionRank[] =>
  dimensionRanks(snapshot)
    .filter(({ share }) => share !== null && Math.abs(share) >= 0.005)
    .sort((a, b) => Math.abs(b.share ?? 0) - Math.abs(a.share ?? 0));

export const fundsOf = ({ snapshots }: BriefingContext): SymbolSnapshot[] => snapshots.filter(isFund);
/** True while a session of the context is in progress. */
export const isForming = ({ snapshots }: BriefingContext): boolean => snapshots.some(({ forming }) => forming);
/**
 * Symbols with a price of the session day `date`: their session is in progress, or closed on that day. Other
 * symbols have a change of an earlier day. All symbols if no symbol has such a price.
 */
export function pricedOn({ snapshots }: BriefingContext, date: string): readonly SymbolSnapshot[] {
  const priced = snapshots.filter(({ forming, reading }) => forming || reading.date >= date);
  return priced.length === 0 ? snapshots : priced;
}
/** Number of symbols above their last close. */
export const risenOf = (snapshots: readonly SymbolSnapshot[]): number =>
  snapshots.filter(({ change }) => (change ?? 0) > 0).length;

/**
 * Changes of state since each symbol's own last close, because markets close at different hours. For a symbol
 * without a session in progress they include that close.
 */
export interface SessionChanges extends Changes {
  /** World ms from which the changes of at least one symbol count. */
  readonly asked: number;
  /** False where the instants of the symbols differ. */
  readonly isOneClose: boolean;
}

export function changesOfSession(context: BriefingContext): SessionChanges {
  const begins = new Map(
    context.snapshots.map(({ symbol, days, forming }) => [symbol, (days.at(-1)?.closedAt ?? 0) - (forming ? 0 : 1)]),
  );
  const [asked, latest] = [Math.min(...begins.values()), Math.max(...begins.values())];
  const changes = context.changes(asked);
  const list = changes.list.filter(({ symbol, at }) => at > (begins.get(symbol) ?? latest));
  return { ...changes, list, asked, isOneClose: asked === latest };
}
export const symbolsOf = (snapshots: readonly SymbolSnapshot[]): string[] => snapshots.map(({ symbol }) => symbol);

/** The share of the distance from high to breach level that the price has fallen; 0 without a level. */
export const drawdownShare = ({ reading }: SymbolSnapshot): number => reading.drawdownFraction ?? 0;
/** Sorts the riskiest first: by state, then by the distance to a breach. */
export const byRisk = (snapshots: readonly SymbolSnapshot[]): SymbolSnapshot[] =>
  snapshots.toSorted((a, b) => b.state - a.state || drawdownShare(b) - drawdownShare(a));

/** Number of regime changes from close to close. */
export const flipsOf = ({ days }: SymbolSnapshot): number =>
  days.filter(({ reading }, index) => index > 0 && reading.regime !== days[index - 1]?.reading.regime).length;

/** Number of symbols out of Normal, now and at the closes of the past 90 days. */
export interface Breadth {
  readonly now: number;
  /** At the previous close. */
  readonly before: number;
  readonly median: number;
  readonly most: number;
  /** Session date of the maximum. */
  readonly mostOn: string;
}

export function breadthOf(context: BriefingContext): Breadth | null {
  const { snapshots } = context;
  const byDate = new Map<string, { out: number; of: number }>();
  for (const { reading, state } of snapshots.flatMap(({ days }) => days)) {
    const { out, of } = byDate.get(reading.date) ?? { out: 0, of: 0 };
    byDate.set(reading.date, { out: out + (state > 0 ? 1 : 0), of: of + 1 });
  }
  // Omits days on which few of them trade (a Sunday of coins).
  const sessions = [...byDate]
    .filter(([, { of }]) => of >= snapshots.length / 2)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  if (sessions.length < MIN_CLOSES) return null;
  const counts = sessions.map(([, { out }]) => out);
  const most = Math.max(...counts);
  return {
    now: snapshots.filter(({ state }) => state > 0).length,
    before: counts.at(isForming(context) ? -1 : -2) ?? 0,
    median: counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0,
    most,
    mostOn: sessions[counts.lastIndexOf(most)]?.[0] ?? '',
  };
}

/**
 * Correlation and slope of the daily returns of two symbols, over at least 15 common sessions of the past 90
 * days.
 */
export function comovement(
  one: SymbolSnapshot,
  other: SymbolSnapshot,
): { readonly correlation: number; readonly slope: number; readonly days: number } | null {
  const returns = ({ days }: SymbolSnapshot): [string, number][] =>
    days
      .slice(1)
      .map(({ reading }, index) => [reading.date, reading.close / (days[index]?.reading.close ?? reading.close) - 1]);
  const others = new Map(returns(other));
  const pairs = returns(one).flatMap(([date, value]) => {
    const matched = others.get(date);
    return matched === undefined ? [] : [[value, matched] as const];
  });
  if (pairs.length < MIN_CLOSES) return null;
  const mean = (index: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [x, y] = [mean(1), mean(0)];
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [value, matched] of pairs) {
    xx += (matched - x) ** 2;
    yy += (value - y) ** 2;
    xy += (matched - x) * (value - y);
  }
  return xx === 0 || yy === 0 ? null : { correlation: xy / Math.sqrt(xx * yy), slope: xy / xx, days: pairs.length };
}

/** One symbol over the week that ends at the context. */
export interface Week extends SymbolSnapshot {
  /** Fraction, since the last close before the week. */
  readonly move: number;
  /** Number of High Risk closes in the week. */
  readonly high: number;
}

/** The weeks of the symbols with a close before the week. */
export const weeksOf = ({ at, snapshots }: BriefingContext): Week[] =>
  snapshots.flatMap((snapshot) => {
    const began = snapshot.days.findIndex(({ closedAt }) => closedAt > at - 7 * DAY_MS);
    const before = snapshot.days[began - 1];
    if (began < 1 || before === undefined) return [];
    const high = snapshot.days.slice(began).filter(({ state }) => state === 2).length;
    return { ...snapshot, move: snapshot.price / before.reading.close - 1, high };
  });
