// Service, market, tape: how far the symbols of a calendar moved on a date. Pure.
// Large moves of many symbols confirm a large move of one.
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import type { Bar } from '../../engine/types.ts';

/** Smallest large move, in usual moves. */
const MOVED = 3;
/**
 * Minimum number of other moved symbols, and their share of the symbols trading that day or the session
 * before.
 */
const FEWEST = 2;
const SHARE = 0.2;
const DECAY = 0.97;
const FIRST_BARS = 20;
/** Maximum number of days between two sessions: weekends with holidays. */
const LONGEST_BREAK = 7;

/** Number and sum of the large moves in one direction, in usual moves. */
interface Moved {
  count: number;
  sum: number;
}

interface Day {
  traded: number;
  readonly down: Moved;
  readonly up: Moved;
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
      const day = this.#days.get(bar.date) ?? { traded: 0, down: { count: 0, sum: 0 }, up: { count: 0, sum: 0 } };
      this.#days.set(bar.date, day);
      day.traded += 1;
      // A fault in one symbol must not confirm a fault in another.
      if (size > MOVED && Math.abs(move) < FAULTY) {
        const moved = move < 0 ? day.down : day.up;
        moved.count += 1;
        moved.sum += size;
      }
      const square = Math.min(move * move, FAULTY * FAULTY);
      variance = Number.isNaN(variance) ? square : DECAY * variance + (1 - DECAY) * square;
    }
  }

  /** Mean of the large moves of a date in the direction of a sign, in usual moves; 0 if few others moved. */
  on(date: string, sign: number): number {
    const day = this.#days.get(date);
    if (day === undefined) return 0;
    const { count, sum } = sign < 0 ? day.down : day.up;
    // Rows of a day come one after another; the missing symbols may not have moved.
    const traded = Math.max(day.traded, this.#tradedBefore(date));
    // The symbol in question is one of those that moved.
    return count - 1 < Math.max(FEWEST, SHARE * (traded - 1)) ? 0 : sum / count;
  }

  /** Symbols traded in the session before a date; 0: no session within LONGEST_BREAK. */
  #tradedBefore(date: string): number {
    const at = Date.parse(date);
    for (let days = 1; days <= LONGEST_BREAK; days++) {
      const before = this.#days.get(dateOf(at - days * DAY_MS));
      if (before !== undefined) return before.traded;
    }
    return 0;
  }
}

/** Logarithm of the smallest ignored move: rather a split than a market move. */
const FAULTY = Math.log(1.4);
