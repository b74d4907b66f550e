// Renderer, pure: parses a range of whole session days within the known range of a symbol.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { parseDay } from '../../../shared/text/timestamp-field.ts';
import type { TimeRange } from '../../charts/brush-range.ts';
import { sessionMs } from '../../charts/model.ts';

/** "2026-03-04": the session day of a time, ms. */
export const dayOf = (ms: number): string => new Date(sessionMs(ms)).toISOString().slice(0, 10);

/** @returns from the start of the earlier day to the end of the later one; else why there is no such range */
export function ownInterval(from: string, to: string, whole: TimeRange): TimeRange | 'no_day' | 'outside' {
  const days = [parseDay(from), parseDay(to)];
  if (days.includes(null)) return 'no_day';
  const [first, last] = days.map((day) => Date.parse(day ?? '')).sort((a, b) => a - b) as [number, number];
  // A close at midnight belongs to the day that it ends.
  const [begin, end] = [first + 1, last + DAY_MS];
  if (begin > whole.to || end < whole.from) return 'outside';
  return { from: Math.max(whole.from, begin), to: Math.min(whole.to, end) };
}
