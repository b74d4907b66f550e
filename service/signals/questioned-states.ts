// Service, signals: how a state depends on a price that may be a fault of the data.
// Unknown is never quieter than known: such a price may raise a state, which says so, and may end none.
import { type State, stateLabel } from '../../shared/domain/states.ts';
import type { PriceInQuestion } from '../market/types.ts';
import type { Track } from './track.ts';

/** Longest look-back of the state rule, in bars: an older price in question no longer decides. */
const DECIDING_BARS = 21;

export interface QuestionContext {
  /** The open price in question of a symbol; with a date, the one of that date. */
  question(symbol: string, at: number, date?: string): PriceInQuestion | null;
}

export interface QuestionedChange {
  readonly inQuestion: 'open' | 'withdrawn';
  /** Session date of the price. */
  readonly date: string;
  readonly text: string;
}

/** How the next change of a track's state depends on a price in question; null: it does not. */
export function questionedChange(context: QuestionContext, track: Track, at: number): QuestionedChange | null {
  const { instrument, current, liveState } = track;
  if (current === null || liveState === current.state) return null;
  if (liveState > current.state) {
    const asked = context.question(instrument.symbol, at);
    const isOpen = asked?.countsAs === 'price' && asked.answer === null;
    return isOpen ? { inQuestion: 'open', date: asked.date, text: questionText(asked) } : null;
  }
  const settled = current.restsOn === null ? null : context.question(instrument.symbol, at, current.restsOn);
  // A price of the day in progress may turn out to be a fault with its close.
  if (settled === null || (settled.answer ?? settled.countsAs) === 'price') return null;
  return { inQuestion: 'withdrawn', date: settled.date, text: withdrawalText(current.state, settled) };
}

/** Whether the state would end by a rise that may be a fault of the data. */
export function isHeldByQuestion(context: QuestionContext, track: Track, at: number): boolean {
  const { instrument, current, liveState } = track;
  if (current === null || liveState >= current.state) return false;
  const asked = context.question(instrument.symbol, at);
  const isRise = asked?.countsAs === 'price' && asked.answer === null && asked.price > asked.before;
  // All days are made when they are asked for.
  return isRise && (track.days.at(-DECIDING_BARS)?.reading.date ?? '') <= asked.date;
}

/** Cause and cure of a price in question. */
export const questionText = ({ reason }: PriceInQuestion): string => (reason === '' ? '' : `${reason}.`);

/** The reason why a state that rested on a price in question is taken back. */
const withdrawalText = (state: State, settled: PriceInQuestion): string =>
  `${stateLabel(state)} is withdrawn, because it rested on a fault of the data. ${questionText(settled)}`;
