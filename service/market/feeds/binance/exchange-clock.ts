// Service, Binance: the exchange's clock less this computer's, by what the exchange says it is. Pure.
import { MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';

/** Messages differ by so much because the network does, ms. */
const TOLERANCE_MS = 5 * SECOND_MS;
/** A difference that was not confirmed for so long is asked for again, ms: a clock may have been set, or have slept. */
const CONFIRMED_MS = MINUTE_MS;

export class ExchangeClock {
  /** The exchange's clock less this computer's, ms. */
  skew = 0;
  #confirmedAt: number;
  #isContradicted = false;

  constructor(now: number) {
    this.#confirmedAt = now;
  }

  /** Takes the answer to a question for the time. */
  set(skew: number, now: number): void {
    this.skew = skew;
    this.#confirmedAt = now;
    this.#isContradicted = false;
  }

  /** Takes the time of a message of the stream. One that was read late says too little, so that the largest counts. */
  note(skew: number, now: number): void {
    if (skew < this.skew - TOLERANCE_MS) this.#isContradicted = true;
    else if (Math.abs(skew - this.skew) <= TOLERANCE_MS) {
      this.skew = Math.max(this.skew, skew);
      this.#confirmedAt = now;
    } else this.set(skew, now);
  }

  /** Whether the exchange must be asked for the time before it counts. */
  isDoubtful(now: number): boolean {
    return this.#isContradicted || Math.abs(now - this.#confirmedAt) > CONFIRMED_MS;
  }
}
