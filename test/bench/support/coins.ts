// Bench: names and prices of coins.
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';

export const coinAt = (index: number): string => `C${String(index).padStart(3, '0')}`;

/** A wave over weeks and one over an hour, so that minutes go on where the days before ended. */
export const coinPrice = (index: number, at: number): number =>
  (100 + index / 10) *
  (1 + 0.02 * Math.sin(at / DAY_MS / 9 + index) + 0.006 * Math.sin(at / DAY_MS + index)) *
  (1 + 0.002 * Math.sin(at / MINUTE_MS / 11 + index));
