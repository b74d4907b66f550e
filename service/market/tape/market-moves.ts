// Service, market, tape: how far a calendar's symbols moved on a date. Pure.
// A large move of many confirms that of one.
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';

/** Usual moves from which a symbol counts as having moved. */
const MOVED = 3;
/** Symbols that must have moved, and their share of those that traded, that day or in the session before. */
const FEWEST = 2;
const SHARE = 0.2;
const DECAY = 0.97;
const FIRST_BARS = 20;
/** Days between two sessions at most: weekends with holidays. */
const LONGEST_BREAK = 7;

interface Day {
  traded: number;
  moved: number;
  sum: number;
}

export class MarketMoves {
  readonly #days = new Map<string, Day>();

  /** Adds the bars of one symbol, oldest first. */
  add(bars: readonly Bar[]): void {
    let variance = Number.NaN;
    for (let index = 1; index < bars.length; index++) {
      const [before, bar] = [bars[index - 1] as Bar, bars[index] as Bar];
      const move = Math.log(bar.close / before.close);
      const size = index > FIRST_BARS ? Math.abs(move) / Math.sqrt(variance) : 0;
      const day = this.#days.get(bar.date) ?? { traded: 0, moved: 0, sum: 0 };
      this.#days.set(bar.date, day);
      day.traded += 1;
      // A fault of one symbol must not confirm that of another.
      if (size > MOVED && Math.abs(move) < FAULTY) [day.moved, day.sum] = [day.moved + 1, day.sum + size];
      const square = Math.min(move * move, FAULTY * FAULTY);
      variance = Number.isNaN(variance) ? square : DECAY * variance + (1 - DECAY) * square;
    }
  }

  /** Mean of the large moves of a date, in usual moves; 0 where few other symbols moved. */
  on(date: string): number {
    const day = this.#days.get(date);
    if (day === undefined) return 0;
    // Rows of a day come one after another: those that are not there yet may not have moved.
    const traded = Math.max(day.traded, this.#tradedBefore(date));
    // The symbol that is asked about is among those that moved.
    return day.moved - 1 < Math.max(FEWEST, SHARE * (traded - 1)) ? 0 : day.sum / day.moved;
  }

  /** In the session before a date; 0: there is none for days. */
  #tradedBefore(date: string): number {
    const at = Date.parse(date);
    for (let days = 1; days <= LONGEST_BREAK; days++) {
      const before = this.#days.get(dateOf(at - days * DAY_MS));
      if (before !== undefined) return before.traded;
    }
    return 0;
  }
}

/** Logarithm of a move that does not count: more likely a split than a market. */
const FAULTY = Math.log(1.4);
