// Service, engine: the frequency with which the claimed event follows a bar, over closed horizons.

/** Weight of the pooled frequency in a symbol's own count, in bars: two years. */
const PRIOR_BARS = 504;
/** Minimum number of evaluated bars of all symbols for a value. */
const MIN_BARS = 252;

export interface Tally {
  bars: number;
  followed: number;
}

/** Frequency of one symbol, shrunk towards that of all symbols while it has few bars. */
export class BaseRate {
  readonly #own: Tally = { bars: 0, followed: 0 };
  readonly #pooled: Tally;

  /** @param pooled tally that all symbols of a market share */
  constructor(pooled: Tally) {
    this.#pooled = pooled;
  }

  count(followed: boolean): void {
    for (const tally of [this.#own, this.#pooled]) {
      tally.bars += 1;
      tally.followed += followed ? 1 : 0;
    }
  }

  /** 0..1; null while too few horizons have closed. */
  value(): number | null {
    const { bars, followed } = this.#pooled;
    if (bars < MIN_BARS) return null;
    return (this.#own.followed + PRIOR_BARS * (followed / bars)) / (this.#own.bars + PRIOR_BARS);
  }
}
