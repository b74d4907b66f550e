// Renderer, pure: parses a range of whole UTC days within the known range of a symbol.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { parseDay } from '../../../shared/text/timestamp-field.ts';
import type { TimeRange } from '../../charts/brush-range.ts';

/** "2026-03-04": the UTC day of a time, ms. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @returns from the start of the earlier day to the end of the later one; else why there is no such range */
export function ownInterval(from: string, to: string, whole: TimeRange): TimeRange | 'no_day' | 'outside' {
  const days = [parseDay(from), parseDay(to)];
  if (days.includes(null)) return 'no_day';
  const [first, last] = days.map((day) => Date.parse(day ?? '')).sort((a, b) => a - b) as [number, number];
  if (first > whole.to || last + DAY_MS < whole.from) return 'outside';
  return { from: Math.max(whole.from, first), to: Math.min(whole.to, last + DAY_MS) };
}
