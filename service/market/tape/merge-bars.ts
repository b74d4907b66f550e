// Service, market, tape: merges received bars into the known ones. Pure.
import type { Bar } from '../../engine/types.ts';
import { type BarList, BarSeries } from '../bar-series.ts';
import { SMALL_CORRECTION } from './bar-actions.ts';

/** The merged bars of a symbol, and how they differ from the known ones. */
export interface Merge {
  readonly bars: BarList;
  /** Indices of the new and the changed bars. */
  readonly changed: readonly number[];
  /** The known bars that are withdrawn. */
  readonly withdrawn: readonly Bar[];
  /**
   * First date whose bar changed, by SMALL_CORRECTION or more, or is withdrawn or new in the past; or null.
   */
  readonly revisedFrom: string | null;
}

/**
 * @param whole whether known bars missing in `arrived` are withdrawn
 * @returns null if nothing changes
 */
export function mergeBars(known: BarList, arrived: BarList, whole: boolean): Merge | null {
  const changed: number[] = [];
  const withdrawn: Bar[] = [];
  const bars: Bar[] = [];
  const last = known.at(-1)?.date ?? '';
  let revisedFrom: string | null = null;
  const [old, added] = [known[Symbol.iterator](), arrived[Symbol.iterator]()];
  let [before, bar]: (Bar | undefined)[] = [old.next().value, added.next().value];
  while (before !== undefined || bar !== undefined) {
    if (bar === undefined || (before !== undefined && before.date < bar.date)) {
      const gone = before as Bar;
      (whole ? withdrawn : bars).push(gone);
      if (whole) revisedFrom ??= gone.date;
      before = old.next().value;
      continue;
    }
    const isKnown = before?.date === bar.date;
    if (before === undefined || !isKnown || !isSameBar(before, bar)) {
      changed.push(bars.length);
      if (before !== undefined && isKnown ? isCorrection(before, bar) : bar.date < last) revisedFrom ??= bar.date;
    }
    bars.push(bar);
    if (isKnown) before = old.next().value;
    bar = added.next().value;
  }
  if (changed.length + withdrawn.length === 0) return null;
  return { bars: BarSeries.of(bars), changed, withdrawn, revisedFrom };
}

/** Tolerance: the last digits of adjusted prices differ each time they are computed. */
const SAME = 1e-8;
const isSameNumber = (a: number | null, b: number | null): boolean =>
  a === b || (a !== null && b !== null && Math.abs(a - b) < SAME * Math.abs(a));

const isSameBar = (a: Bar, b: Bar): boolean =>
  isSameNumber(a.close, b.close) &&
  isSameNumber(a.open, b.open) &&
  isSameNumber(a.high, b.high) &&
  isSameNumber(a.low, b.low) &&
  isSameNumber(a.volume, b.volume);

const isCorrection = (a: Bar, b: Bar): boolean =>
  Math.abs(b.close / a.close - 1) >= SMALL_CORRECTION ||
  Math.abs(b.high / a.high - 1) >= SMALL_CORRECTION ||
  Math.abs(b.low / a.low - 1) >= SMALL_CORRECTION;
