// Renderer: two fields of days, from and to.
// Invalid text stays in the fields; the list keeps the last valid range.
import { useState } from 'react';
import { parseDay } from '../../shared/text/timestamp-field.ts';

/** Days as "2026-11-21"; "": open. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Why the fields are invalid: a text is not a day, or the days are in the wrong order. */
export type RangeFault = 'no_day' | 'order';

/** @returns the range, or why it is invalid */
export function readRange({ from, to }: DayRange): DayRange | RangeFault {
  const read = { from: from.trim() === '' ? '' : parseDay(from), to: to.trim() === '' ? '' : parseDay(to) };
  if (read.from === null || read.to === null) return 'no_day';
  return read.from !== '' && read.to !== '' && read.from > read.to ? 'order' : { from: read.from, to: read.to };
}

/** The arguments are the range in use. @param onGood called with every valid range */
export function useDayRange({ from, to }: DayRange, onGood: (range: DayRange) => void) {
  const [typed, setTyped] = useState({ from, to, of: `${from} ${to}` });
  // An incomplete day is no error while it is being typed.
  const [left, setLeft] = useState(false);
  // The range was changed elsewhere: by its chip, or by clearing all.
  if (typed.of !== `${from} ${to}`) setTyped({ from, to, of: `${from} ${to}` });
  const read = readRange(typed);
  const bad: RangeFault | null = typeof read === 'object' || (read === 'no_day' && !left) ? null : read;
  return {
    typed,
    bad,
    change(range: DayRange): void {
      const next = readRange(range);
      setLeft(false);
      setTyped({ ...range, of: typeof next === 'object' ? `${next.from} ${next.to}` : typed.of });
      if (typeof next === 'object') onGood(next);
    },
    /** A field lost the focus. */
    leave: () => setLeft(true),
  };
}
