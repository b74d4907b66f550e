// Service, engine: how often the warned event follows any bar, counted over closed horizons only.
import type { Outcome } from './outcomes.ts';

/** Bars' worth of belief in the pooled frequency that a symbol's own count is added to: two years. */
const PRIOR_BARS = 504;
/** Below so many evaluated bars of all symbols there is no value. */
const LEAST_BARS = 252;

interface Tally {
  bars: number;
  followed: number;
}

/** Frequency of one symbol, leaning on that of all symbols in the measure of its own scarcity. */
export class BaseRate {
  readonly #own: Tally = { bars: 0, followed: 0 };
  readonly #pooled: Tally;

  /** @param pooled shared by all symbols of a market */
  constructor(pooled: Tally) {
    this.#pooled = pooled;
  }

  /** Bars within an event are left out: nothing was left to warn of. */
  count(outcome: Outcome): void {
    if (outcome === 'late') return;
    for (const tally of [this.#own, this.#pooled]) {
      tally.bars += 1;
      tally.followed += outcome === 'followed' ? 1 : 0;
    }
  }

  /** 0..1; null while too few horizons have closed. */
  value(): number | null {
    const { bars, followed } = this.#pooled;
    if (bars < LEAST_BARS) return null;
    return (this.#own.followed + PRIOR_BARS * (followed / bars)) / (this.#own.bars + PRIOR_BARS);
  }
}
