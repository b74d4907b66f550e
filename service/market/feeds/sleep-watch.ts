// Service, market feeds: notices a sleep of this computer and a clock that was set back.
// Either ends the attempt.
import type { Clock } from '../../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';

/** Longest time between two checks of a computer that is awake. */
const SLEPT_MS = MINUTE_MS;

export class SleepWatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #beginAgain: (why: string) => void;
  #checkedAt: number;

  /** @param beginAgain ends the attempt: another one begins from what the tape has, and with new corporate actions */
  constructor(clock: Pick<Clock, 'now'>, beginAgain: (why: string) => void) {
    this.#clock = clock;
    this.#beginAgain = beginAgain;
    this.#checkedAt = clock.now();
  }

  /** Call it every few seconds, and before a price is used. @returns whether the attempt ends */
  check(): boolean {
    const now = this.#clock.now();
    const passed = now - this.#checkedAt;
    this.#checkedAt = now;
    if (Math.abs(passed) <= SLEPT_MS) return false;
    // What was noted by a time ahead would hold closes and repairs until then.
    this.#beginAgain(passed < 0 ? 'the clock was set back' : 'this computer slept');
    return true;
  }
}
