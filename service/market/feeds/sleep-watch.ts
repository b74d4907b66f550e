// Service, market feeds: ends an attempt after a sleep of this computer or a clock set back.
import type { Clock } from '../../../shared/lib/clock.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';

/** Maximum time between two checks while the computer is awake. */
const SLEPT_MS = MINUTE_MS;

export class SleepWatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #beginAgain: (why: string) => void;
  #checkedAt: number;

  /** @param beginAgain restarts the attempt from the tape, and fetches corporate actions first */
  constructor(clock: Pick<Clock, 'now'>, beginAgain: (why: string) => void) {
    this.#clock = clock;
    this.#beginAgain = beginAgain;
    this.#checkedAt = clock.now();
  }

  /** Call it every few seconds, and before using a price. @returns whether the attempt ends */
  check(): boolean {
    const now = this.#clock.now();
    const passed = now - this.#checkedAt;
    this.#checkedAt = now;
    if (Math.abs(passed) <= SLEPT_MS) return false;
    // Times noted before the clock was set back would delay closes and repairs until they pass again.
    this.#beginAgain(passed < 0 ? 'the clock was set back' : 'this computer slept');
    return true;
  }
}
