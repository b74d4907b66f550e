// Renderer: two fields of days, from and to. What is refused stays in the fields; what is shown keeps the last range that makes sense.
import { useState } from 'react';

/** Days as their fields write them, "2026-11-21"; "": open. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The first is the range in use. @param onGood told of every range that makes sense */
export function useDayRange({ from, to }: DayRange, onGood: (range: DayRange) => void) {
  const [typed, setTyped] = useState({ from, to, of: `${from} ${to}` });
  // The range was changed elsewhere: by its chip, or by clearing all.
  if (typed.of !== `${from} ${to}`) setTyped({ from, to, of: `${from} ${to}` });
  const isGood = (range: DayRange): boolean => range.from === '' || range.to === '' || range.from <= range.to;
  return {
    typed,
    bad: !isGood(typed),
    change(range: DayRange): void {
      setTyped({ ...range, of: isGood(range) ? `${range.from} ${range.to}` : typed.of });
      if (isGood(range)) onGood(range);
    },
  };
}
