// Service, engine: how far down the shares, funds and indices of this market are together. It needs no panel and no volatility index: any five will do.

import { DAY_MS } from '../../../shared/lib/time.ts';
import { PercentileWindow } from './percentile.ts';
import { mean } from './series.ts';

const LEAST_MEMBERS = 5;
/** Three years of days. */
const SPAN = 756;
/** As long as the panel waits for a day before it says that the market has ended. */
const ENDED_AFTER_MS = 14 * DAY_MS;

export class MarketBreadth {
  readonly #window = new PercentileWindow(SPAN);
  #lastDate = '';
  /** Rank of the mean drawdown fraction among those of the last three years, 0..1; NaN where too few are known. */
  rank = Number.NaN;

  /**
   * Takes one day in; of a day that comes in parts, the first that has enough members.
   * @param fractions drawdown fractions of the members that closed, always in the same order of symbols, so that the sum is the same to the last bit
   */
  close(date: string, fractions: readonly number[]): void {
    if (date <= this.#lastDate) return;
    if (fractions.length < LEAST_MEMBERS) {
      if (this.#lastDate !== '' && Date.parse(date) - Date.parse(this.#lastDate) > ENDED_AFTER_MS)
        this.rank = Number.NaN;
      return;
    }
    this.#lastDate = date;
    const common = mean(Float64Array.from(fractions, (fraction) => Math.min(1, fraction)));
    this.rank = this.#window.rank(common);
    this.#window.push(common);
  }
}
