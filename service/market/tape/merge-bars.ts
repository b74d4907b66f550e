// Service, market, tape: merges received bars into the known ones. Pure.
import type { Bar } from '../../engine/types.ts';
import { SMALL_CORRECTION } from './bar-actions.ts';

/** The merged bars of a symbol, and how they differ from the known ones. */
export interface Merge {
  readonly bars: Bar[];
  readonly changes: { readonly kind: 'bar' | 'withdrawn'; readonly bar: Bar }[];
  /**
   * First date whose bar changed, by SMALL_CORRECTION or more, or is withdrawn or new in the past; or null.
   */
  readonly revisedFrom: string | null;
  readonly isNew: (date: string) => boolean;
}

/** @param whole whether known bars missing in `arrived` are withdrawn. Both lists are oldest first */
export function mergeBars(known: readonly Bar[], arrived: readonly Bar[], whole: boolean): Merge {
  const changes: Merge['changes'] = [];
  const bars: Bar[] = [];
  const last = known.at(-1)?.date ?? '';
  const added = new Set<string>();
  let revisedFrom: string | null = null;
  for (let k = 0, a = 0; k < known.length || a < arrived.length; ) {
    const [old, bar] = [known[k], arrived[a]];
    if (bar === undefined || (old !== undefined && old.date < bar.date)) {
      const gone = old as Bar;
      if (whole) changes.push({ kind: 'withdrawn', bar: gone });
      else bars.push(gone);
      if (whole) revisedFrom ??= gone.date;
      k += 1;
      continue;
    }
    a += 1;
    if (old?.date === bar.date) k += 1;
    else added.add(bar.date);
    bars.push(bar);
    if (old?.date === bar.date && isSameBar(old, bar)) continue;
    changes.push({ kind: 'bar', bar });
    if (old?.date === bar.date ? isCorrection(old, bar) : bar.date < last) revisedFrom ??= bar.date;
  }
  return { bars, changes, revisedFrom, isNew: (date) => added.has(date) };
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
