// Renderer, pure: the visible range of a chart's points.

import { DAY_MS } from '../../shared/lib/time.ts';
import { timeIndex } from './geometry.ts';

/** Whole or fractional indexes of points, from left to right; 0 is the first point. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The narrowest range that can be shown, in points. */
export const NARROWEST = 4;

/**
 * Moves the range as little as possible so that it contains a point. Returns the same object if it already
 * does.
 */
export function rangeWith(range: Range, index: number): Range {
  const by = Math.min(0, index - range.from) + Math.max(0, index - range.to);
  return by === 0 ? range : { from: range.from + by, to: range.to + by };
}

/** The range of the last calendar days. @param times of the points, ascending, ms */
export function lastDays(times: readonly number[], days: number): Range {
  const last = times.length - 1;
  const end = times[last] ?? 0;
  const from = times.findIndex((ms) => ms > end - days * DAY_MS);
  return { from: Math.max(0, Math.min(from, last - NARROWEST)), to: Math.max(0, last) };
}

/** A range of time, ms. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The time at a fractional index, whole ms. @param times ascending, ms */
export function timeAt(times: readonly number[], index: number): number {
  const last = times.length - 1;
  const at = clamp(index, 0, last);
  const before = times[Math.floor(at)] ?? 0;
  const after = times[Math.ceil(at)] ?? before;
  return Math.round(before + (after - before) * (at - Math.floor(at)));
}

export const timeRangeOf = (times: readonly number[], { from, to }: Range): TimeRange => ({
  from: timeAt(times, from),
  to: timeAt(times, to),
});

/** The fractional indexes of a time range, within the points. */
export function indexRangeOf(times: readonly number[], { from, to }: TimeRange): Range {
  const indexAt = timeIndex(times);
  const last = Math.max(0, times.length - 1);
  return { from: clamp(indexAt(from), 0, last), to: clamp(indexAt(to), 0, last) };
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(Math.max(low, high), value));
