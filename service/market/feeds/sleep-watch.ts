// Service, market feeds: notices that this computer slept, or that its clock was set back, and ends the attempt.
import type { Clock } from '../../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';

/** Longest time between two looks of a computer that is awake. */
const SLEPT_MS = MINUTE_MS;

export class SleepWatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #beginAgain: (why: string) => void;
  #lookedAt: number;

  /** @param beginAgain ends the attempt: another one begins from what the tape has, and with new corporate actions */
  constructor(clock: Pick<Clock, 'now'>, beginAgain: (why: string) => void) {
    this.#clock = clock;
    this.#beginAgain = beginAgain;
    this.#lookedAt = clock.now();
  }

  /** Call it every few seconds, and before a price is used. @returns whether the attempt ends */
  look(): boolean {
    const now = this.#clock.now();
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    if (Math.abs(passed) <= SLEPT_MS) return false;
    // What was noted by a time ahead would hold closes and repairs until then.
    this.#beginAgain(passed < 0 ? 'the clock was set back' : 'this computer slept');
    return true;
  }
}
