// Service, engine: hashes prices, so that a fit or a score can be tied to its data.
import { createHash } from 'node:crypto';
import type { Bar } from './types.ts';

/** First 16 digits of the SHA-256 of a symbol's bars. */
export function priceHash(bars: readonly Bar[]): string {
  const hash = createHash('sha256');
  for (const bar of bars)
    hash.update(`${bar.date},${bar.open},${bar.high},${bar.low},${bar.close},${bar.volume ?? ''}\n`);
  return hash.digest('hex').slice(0, 16);
}
