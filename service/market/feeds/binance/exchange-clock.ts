// Service, Binance: estimates the exchange's clock less this computer's. Pure.
import { MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';

/** Variation of measurements due to the network, ms. */
const TOLERANCE_MS = 5 * SECOND_MS;
/** Time without a confirming message after which the time is requested again: the clock may have been set. */
const CONFIRMED_MS = MINUTE_MS;

export class ExchangeClock {
  /** The exchange's clock less this computer's, ms. */
  skew = 0;
  #confirmedAt: number;
  #isContradicted = false;

  constructor(now: number) {
    this.#confirmedAt = now;
  }

  /** Sets the difference from an answer to a request for the time. */
  set(skew: number, now: number): void {
    this.skew = skew;
    this.#confirmedAt = now;
    this.#isContradicted = false;
  }

  /**
   * Adjusts the difference by a message of the stream. Uses the largest, as late reading makes it smaller.
   */
  note(skew: number, now: number): void {
    if (skew < this.skew - TOLERANCE_MS) this.#isContradicted = true;
    else if (Math.abs(skew - this.skew) <= TOLERANCE_MS) {
      this.skew = Math.max(this.skew, skew);
      this.#confirmedAt = now;
    } else this.set(skew, now);
  }

  /** Whether the time must be requested before the difference is used. */
  isDoubtful(now: number): boolean {
    return this.#isContradicted || Math.abs(now - this.#confirmedAt) > CONFIRMED_MS;
  }
}
