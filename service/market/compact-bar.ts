// Service, market: the form of a bar that takes the least memory: 140 bytes, not 210.
import type { Bar } from '../engine/types.ts';

/** One string for each date, because every symbol has the same ones. */
const dates = new Map<string, string>();

/** A bar without further fields: one shape for all, and a shared date. */
export function compactBar({ date, open, high, low, close, volume }: Omit<Bar, 'missing'>): Bar {
  const known = dates.get(date);
  if (known === undefined) dates.set(date, date);
  return { date: known ?? date, open, high, low, close, volume };
}
