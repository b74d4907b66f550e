// Service, signals: the note of a symbol: its position, conditions and moves in short sentences.
import { FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import type { State } from '../../shared/domain/states.ts';
import { priceDigits } from '../../shared/lib/price-digits.ts';
import type { HeldBy } from '../../shared/wire/records.ts';
import { BREACH } from '../engine/state-rule.ts';
import type { Reading } from '../engine/types.ts';
import type { LevelledReading } from './price-level.ts';
import type { Track } from './track.ts';

const HIGH_BARS = 21;
/** Number of closes, a week, over which moves of dimensions are measured. */
const MOVED_BARS = 5;
const MOVED_NAMED = 2;
/** Smaller moves of a dimension are not mentioned. */
const MIN_MOVE = 0.1;

/** Formats a price for texts, with more decimals for small prices. */
export function priceText(price: number): string {
  if (price >= 1000) return price.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return price.toFixed(priceDigits(price));
}

/**
 * @param reading of the last close, or of the forming bar
 * @param closing whether `reading` is that of the last close
 */
export function noteOf(track: Track, reading: LevelledReading, closing: boolean): string {
  return sentences(positionText(track, reading, closing), conditionText(reading), movesOf(track, reading, closing));
}

/**
 * The reason why the announced state lasts at `at` (world ms), even if the reading's state differs.
 * @param isQuestioned whether a price in question holds it
 */
export function heldBy({ current }: Track, reading: Reading, at: number, isQuestioned = false): HeldBy {
  const state = current?.state ?? reading.state;
  if (state === 0) return 'none';
  if (state === reading.state) return reading.rule ?? 'pending';
  if (isQuestioned) return 'question';
  return at < (current?.holdDownUntil ?? at) ? 'request' : 'pending';
}

const HELD_TEXT: Readonly<Record<Exclude<HeldBy, 'none'>, string>> = {
  probability: 'probability and drawdown are at their bounds for entering',
  drawdown: 'it is held by the drawdown',
  breach: 'it is held because the price is past the breach level',
  exit_bounds: 'it is held because drawdown and probability are above the bounds for leaving',
  five_closes: 'it is held because a state lasts for five closes',
  pending: 'it ends with the next decision, five minutes after the last change at the earliest',
  question: 'it is held because the price that would end it needs a decision',
  request: 'it is held by request',
};

/** Explains a High Risk with a confidence below the base rate; empty otherwise. */
export function heldText(state: State, held: HeldBy, confidence: number | null, baseRate: number | null): string {
  if (state !== 2 || held === 'none' || confidence === null || baseRate === null || confidence >= baseRate) return '';
  return `The chance of ${confidence.toFixed(1)} % is below the base rate of ${baseRate.toFixed(1)} %: ${HELD_TEXT[held]}.`;
}

export const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');

function positionText(track: Track, reading: LevelledReading, closing: boolean): string {
  const { drawdownFraction, breachLevel, close, level: priceLevel = 1 } = reading;
  if (drawdownFraction === null || breachLevel === null) return 'There is not enough price history for a reading yet.';
  const { recent } = track;
  const end = closing ? recent.length - 1 : recent.length;
  let high = close;
  for (const row of recent.slice(Math.max(0, end - HIGH_BARS), end))
    high = Math.max(high, row.reading.close * priceLevel);
  const below = (1 - close / high) * 100;
  const verb = closing ? 'Closed' : 'Trades';
  const level = priceText(breachLevel);
  if (below < 0.05) return `${verb} at its 21-day high; a fall to ${level} would be a breach.`;
  if (drawdownFraction >= BREACH)
    return `${verb} ${below.toFixed(1)} % below its 21-day high, past the breach level of ${level}.`;
  const share = Math.min(99, Math.round(drawdownFraction * 100));
  return `${verb} ${below.toFixed(1)} % below its 21-day high, ${share} % of the way to a breach at ${level}.`;
}

/** Explains the claim during an event, and why a likely event is not High Risk; empty otherwise. */
function conditionText({ claim, confidence, isWithheld }: Reading): string {
  if (isWithheld) return 'It is no High Risk while the turbulence of the market (D-12) is below its three-year median.';
  if (claim === 'event' || confidence === null) return '';
  return 'The event has begun: the confidence is about a fall of half a threshold more within 21 bars.';
}

/** The two dimensions that moved most within a week, largest first; empty when fewer moved or are known. */
function movesOf(track: Track, { powers }: Reading, closing: boolean): string {
  const before = track.recent.at(-MOVED_BARS - (closing ? 1 : 0))?.reading.powers;
  if (before === undefined) return '';
  const moves = FACTOR_DIMENSIONS.flatMap(({ code, name }) => {
    const [from, to] = [before[code], powers[code]];
    return from === null || to === null || Math.abs(to - from) < MIN_MOVE
      ? []
      : [{ name, from, to, size: Math.abs(to - from) }];
  }).sort((a, b) => b.size - a.size);
  if (moves.length < MOVED_NAMED) return '';
  const phrases = moves.slice(0, MOVED_NAMED).map(({ name, from, to }) => {
    return `${name} ${to > from ? 'up' : 'down'} from ${Math.round(100 * from)} to ${Math.round(100 * to)}`;
  });
  return `Moved most in five days: ${phrases.join(', ')}.`;
}
