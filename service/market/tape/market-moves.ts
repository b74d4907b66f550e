// Service, market, tape: how far a calendar's symbols moved on a date. Pure.
// A large move of many confirms that of one.
import type { Bar } from '../../engine/types.ts';

/** Usual moves from which a symbol counts as having moved. */
const MOVED = 3;
/** Symbols that must have moved, and their share of those that traded. */
const FEWEST = 2;
const SHARE = 0.2;
const DECAY = 0.97;
const FIRST_BARS = 20;

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
    // The symbol that is asked about is among those that moved.
    if (day === undefined || day.moved - 1 < Math.max(FEWEST, SHARE * (day.traded - 1))) return 0;
    return day.sum / day.moved;
  }
}

/** Logarithm of a move that does not count: more likely a split than a market. */
const FAULTY = Math.log(1.4);
