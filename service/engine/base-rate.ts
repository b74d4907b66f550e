// Service, engine: the frequency with which the claimed event follows a bar, over closed horizons.
import type { Claim } from '../../shared/domain/claims.ts';

/** Weight of the pooled frequency in a symbol's own count, in bars: two years. */
const PRIOR_BARS = 504;
/** Minimum number of evaluated bars of all symbols for a value. */
const MIN_BARS = 252;

export interface Tally {
  bars: number;
  followed: number;
}

/** Tallies that all symbols of a market share: bars of each claim, and bars in High Risk. */
export type PooledTallies = Readonly<Record<Claim | 'high_risk', Tally>>;

/**
 * What the record of High Risk begins with: on the symbols of the shipped fit, four in ten of its bars were
 * followed by the fall that was claimed.
 */
const HIGH_RISK_PRIOR: Tally = { bars: 3000, followed: 1200 };
/** The tallies of all symbols of a market before its first bar. */
export const NO_OUTCOMES: PooledTallies = {
  event: { bars: 0, followed: 0 },
  further_fall: { bars: 0, followed: 0 },
  high_risk: HIGH_RISK_PRIOR,
};

/** Frequency of one symbol, shrunk towards that of all symbols while it has few bars. */
export class BaseRate {
  readonly #own: Tally;
  readonly #pooled: Tally;

  /**
   * @param pooled tally that all symbols of a market share
   * @param saved own tally of the rate to continue
   */
  constructor(pooled: Tally, saved: Readonly<Tally> = { bars: 0, followed: 0 }) {
    this.#pooled = pooled;
    this.#own = { ...saved };
  }

  save(): Tally {
    return { ...this.#own };
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
