// Service, engine: the common drawdown of the shares, funds and indices of a market.
// Needs neither panel nor volatility index; any five members are enough.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { PercentileWindow } from './percentile.ts';
import { mean } from './series.ts';

const MIN_MEMBERS = 5;
/** Three years of days. */
const SPAN = 756;
/** Time without a day after which the market has ended, as for the panel. */
const ENDED_AFTER_MS = 14 * DAY_MS;

export interface BreadthState {
  readonly window: Float64Array;
  readonly lastDate: string;
  readonly rank: number;
}

export class MarketBreadth {
  readonly #window = new PercentileWindow(1, SPAN);
  #lastDate = '';
  /**
   * Rank of the mean drawdown fraction among those of the last three years, 0..1; NaN with too few values.
   */
  rank = Number.NaN;

  /**
   * Adds a day; uses the first part of the day with enough members.
   * @param fractions drawdown fractions of the members that closed, always in the same order of symbols, so
   *   that the sum is the same to the last bit
   */
  close(date: string, fractions: readonly number[]): void {
    if (date <= this.#lastDate) return;
    if (fractions.length < MIN_MEMBERS) {
      if (this.#lastDate !== '' && Date.parse(date) - Date.parse(this.#lastDate) > ENDED_AFTER_MS)
        this.rank = Number.NaN;
      return;
    }
    this.#lastDate = date;
    const common = mean(Float64Array.from(fractions, (fraction) => Math.min(1, fraction)));
    this.rank = this.#window.rank([common])[0] as number;
    this.#window.push();
  }

  save(): BreadthState {
    return { window: this.#window.save(), lastDate: this.#lastDate, rank: this.rank };
  }

  /** Continues a new breadth from what another saved. */
  restore({ window, lastDate, rank }: BreadthState): void {
    this.#window.restore(window);
    this.#lastDate = lastDate;
    this.rank = rank;
  }
}
