// Service, engine: measures over the whole history of one symbol, for scoring.
// Deliberately independent of the incremental engine, so that each checks the other.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import { sessionReturn } from '../history.ts';
import { sampleDeviation, thresholdOf } from '../threshold.ts';
import type { Bar } from '../types.ts';

export const H = 21;
export const R = 21;
export const WARM = 504;
export const HOLD_OUT = 0.3;
export const RHO = 0.5;
const SPAN = 252;

/** A fall of a threshold from the peak: bars of onset, first and last breach. */
export interface RiskEvent {
  readonly peak: number;
  readonly first: number;
  readonly last: number;
}

/** A year in parts that a session of an exchange and a day of a coin have a whole number of, so that sums are exact. */
export const YEAR = 252 * 365;
const partOf = (assetClass: AssetClass): number => YEAR / (assetClass === 'crypto' ? 365 : 252);

/** Per bar; losses are negative fractions. */
export interface Frame {
  readonly n: number;
  /** How much of a year a bar is, in parts of YEAR. */
  readonly partOfYear: number;
  /** Session of each bar: its index, and the sessions before it without one. Every span below is of sessions. */
  readonly sessions: Int32Array;
  readonly closes: Float64Array;
  readonly returns: Float64Array;
  /** Breach threshold, +Infinity while warming up. */
  readonly thresholds: Float64Array;
  /** Index of the latest highest close among the bar and the 21 bars before. */
  readonly peaks: Int32Array;
  readonly drawdownFractions: Float64Array;
  /** Deepest loss of the next 21 bars; 0 without one. */
  readonly forwardLoss: Float64Array;
  /** The last bar whose next 21 are known; -1: none. */
  readonly lastResolved: number;
  readonly events: readonly RiskEvent[];
}

/** Bars from..to, both inclusive. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Sessions without a bar before each bar, by its index; absent: none. */
export type MissingBefore = ReadonlyMap<number, number>;

export const missingBefore = (bars: readonly Pick<Bar, 'missing'>[]): MissingBefore =>
  new Map([...bars.entries()].flatMap(([t, { missing = 0 }]) => (missing === 0 ? [] : [[t, missing]])));

export function frameOf(
  closes: Float64Array,
  missing: MissingBefore = new Map(),
  assetClass: AssetClass = 'equity',
): Frame {
  const n = closes.length;
  const sessions = sessionsOf(n, missing);
  const returns = new Float64Array(n);
  for (let t = 1; t < n; t++)
    returns[t] = sessionReturn(Math.log(at(closes, t) / at(closes, t - 1)), missing.get(t) ?? 0);
  const thresholds = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  for (let t = SPAN - 1; t < n; t++)
    thresholds[t] = thresholdOf(sampleDeviation(returns.subarray(t - SPAN + 1, t + 1)));
  const peaks = new Int32Array(n);
  const drawdownFractions = new Float64Array(n);
  const forwardLoss = new Float64Array(n);
  for (let t = 0; t < n; t++) {
    let peak = firstWithin(sessions, t, H);
    for (let i = peak + 1; i <= t; i++) if (at(closes, i) >= at(closes, peak)) peak = i;
    peaks[t] = peak;
    drawdownFractions[t] = (1 - at(closes, t) / at(closes, peak)) / at(thresholds, peak);
    let lowest = Number.POSITIVE_INFINITY;
    const end = lastWithin(sessions, t, H);
    for (let i = t + 1; i <= end; i++) lowest = Math.min(lowest, at(closes, i));
    forwardLoss[t] = t === end ? 0 : lowest / at(closes, t) - 1;
  }
  return {
    n,
    partOfYear: partOf(assetClass),
    sessions,
    closes,
    returns,
    thresholds,
    peaks,
    drawdownFractions,
    forwardLoss,
    lastResolved: firstWithin(sessions, n - 1, H - 1) - 1,
    events: findEvents(closes, sessions, peaks, thresholds),
  };
}

export const frameOfBars = (
  bars: readonly Pick<Bar, 'close' | 'missing'>[],
  assetClass: AssetClass = 'equity',
): Frame =>
  frameOf(
    Float64Array.from(bars, ({ close }) => close),
    missingBefore(bars),
    assetClass,
  );

function sessionsOf(n: number, missing: MissingBefore): Int32Array {
  const sessions = new Int32Array(n);
  for (let t = 1; t < n; t++) sessions[t] = (sessions[t - 1] as number) + 1 + (missing.get(t) ?? 0);
  return sessions;
}

/** Sessions from one bar to another. */
export const sessionsBetween = ({ sessions }: Pick<Frame, 'sessions'>, from: number, to: number): number =>
  (sessions[to] as number) - (sessions[from] as number);

/** The first bar at most `span` sessions before `t`. */
export function firstWithin(sessions: Int32Array, t: number, span: number): number {
  let first = Math.max(0, t - span);
  while ((sessions[t] as number) - (sessions[first] as number) > span) first += 1;
  return first;
}

/** The last bar at most `span` sessions after `t`. */
export function lastWithin(sessions: Int32Array, t: number, span: number): number {
  let last = Math.min(sessions.length - 1, t + span);
  while ((sessions[last] as number) - (sessions[t] as number) > span) last -= 1;
  return last;
}

function findEvents(
  closes: Float64Array,
  sessions: Int32Array,
  peaks: Int32Array,
  thresholds: Float64Array,
): RiskEvent[] {
  const events: RiskEvent[] = [];
  for (let t = 1; t < closes.length; t++) {
    const peak = peaks[t] as number;
    if (!(at(closes, t) / at(closes, peak) - 1 <= -at(thresholds, peak))) continue;
    const open = events.at(-1);
    if (open !== undefined && sessionsBetween({ sessions }, open.last, t) <= R)
      events[events.length - 1] = { ...open, last: t };
    else events.push({ peak, first: t, last: t });
  }
  return events;
}

/**
 * Whether at least half of the event's threshold lies ahead of bar `t` (item 5).
 * @param loss deepest loss of the next 21 bars, from the close of `t` or from a price after it
 */
export const isGood = (frame: Frame, event: RiskEvent, t: number, loss = at(frame.forwardLoss, t)): boolean =>
  t < event.first && sessionsBetween(frame, t, event.first) <= H && loss <= -RHO * at(frame.thresholds, event.peak);

/** The full, training and hold-out windows. A window with `to` before `from` is empty. */
export function windowsOf(n: number): { full: Window; train: Window; holdout: Window } {
  const start = WARM + Math.floor((1 - HOLD_OUT) * (n - WARM));
  return { full: { from: WARM, to: n - 1 }, train: { from: WARM, to: start - 1 }, holdout: { from: start, to: n - 1 } };
}

/** An element of an array of known sufficient length. */
export const at = (values: Float64Array, index: number): number => values[index] as number;
