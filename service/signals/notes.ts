// Service, signals: one plain sentence that says where a symbol stands, with the numbers of its reading.
import type { Reading } from '../engine/types.ts';
import type { Track } from './track.ts';

const HIGH_BARS = 21;

/** A price as it is quoted: more decimals where it is small. */
function quote(price: number): string {
  if (price >= 1000) return price.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return price.toFixed(price >= 10 ? 2 : 4);
}

/**
 * @param reading of the close itself, or of the forming bar
 * @param closing true when `reading` is that of a closed bar (which is then the last of the track)
 */
export function noteOf(track: Track, reading: Reading, closing: boolean): string {
  const { drawdownFraction, breachLevel, close } = reading;
  if (drawdownFraction === null || breachLevel === null) return 'There is not enough price history for a reading yet.';
  const end = closing ? track.days.length - 1 : track.days.length;
  let high = close;
  for (const row of track.days.slice(Math.max(0, end - HIGH_BARS), end)) high = Math.max(high, row.reading.close);
  const below = (1 - close / high) * 100;
  const verb = closing ? 'Closed' : 'Trades';
  if (below < 0.05) return `${verb} at its 21-day high; a fall to ${quote(breachLevel)} would be a breach.`;
  const share = Math.round(drawdownFraction * 100);
  if (share >= 100) return `${verb} ${below.toFixed(1)} % below its 21-day high, past the breach level of ${quote(breachLevel)}.`;
  return `${verb} ${below.toFixed(1)} % below its 21-day high, ${share} % of the way to a breach at ${quote(breachLevel)}.`;
}
