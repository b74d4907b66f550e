// Service, signals: describes a symbol's position and moves in two sentences with numbers.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import type { Reading } from '../engine/types.ts';
import type { Track } from './track.ts';

const HIGH_BARS = 21;
/** Dimensions are compared with those this many closes before: a week. */
const MOVED_BARS = 5;
const MOVED_NAMED = 2;
/** Smaller moves of a dimension are not mentioned. */
const LEAST_MOVE = 0.1;

/** A price as quoted: more decimals for small prices. */
function quote(price: number): string {
  if (price >= 1000) return price.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return price.toFixed(price >= 10 ? 2 : 4);
}

/**
 * @param reading of the close itself, or of the forming bar
 * @param closing true when `reading` is that of a closed bar (which is then the last of the track)
 */
export function noteOf(track: Track, reading: Reading, closing: boolean): string {
  return [positionText(track, reading, closing), movesOf(track, reading, closing)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function positionText(track: Track, reading: Reading, closing: boolean): string {
  const { drawdownFraction, breachLevel, close } = reading;
  if (drawdownFraction === null || breachLevel === null) return 'There is not enough price history for a reading yet.';
  const end = closing ? track.days.length - 1 : track.days.length;
  let high = close;
  for (const row of track.days.slice(Math.max(0, end - HIGH_BARS), end)) high = Math.max(high, row.reading.close);
  const below = (1 - close / high) * 100;
  const verb = closing ? 'Closed' : 'Trades';
  if (below < 0.05) return `${verb} at its 21-day high; a fall to ${quote(breachLevel)} would be a breach.`;
  const share = Math.round(drawdownFraction * 100);
  if (share >= 100)
    return `${verb} ${below.toFixed(1)} % below its 21-day high, past the breach level of ${quote(breachLevel)}.`;
  return `${verb} ${below.toFixed(1)} % below its 21-day high, ${share} % of the way to a breach at ${quote(breachLevel)}.`;
}

/** The two dimensions that moved most within a week, largest first; empty when fewer moved or are known. */
function movesOf(track: Track, { powers }: Reading, closing: boolean): string {
  const before = track.days.at(-MOVED_BARS - (closing ? 1 : 0))?.reading.powers;
  if (before === undefined) return '';
  const moves = FACTOR_DIMENSIONS.flatMap(({ code, name }) => {
    const [from, to] = [before[code], powers[code]];
    return from === null || to === null || Math.abs(to - from) < LEAST_MOVE
      ? []
      : [{ name, from, to, size: Math.abs(to - from) }];
  }).sort((a, b) => b.size - a.size);
  if (moves.length < MOVED_NAMED) return '';
  const phrases = moves.slice(0, MOVED_NAMED).map(({ name, from, to }) => {
    return `${name} ${to > from ? 'up' : 'down'} from ${Math.round(100 * from)} to ${Math.round(100 * to)}`;
  });
  return `Moved most in five days: ${phrases.join(', ')}.`;
}
