// Pure: the interface to time. Only entry files read a clock or set a timer directly.
import { SECOND_MS } from './time.ts';

/** Cancels the operation that returned it; a second call does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since the epoch, UTC. May jump when the computer's clock is set. */
  now(): number;
  /** Runs `job` once after `ms` milliseconds (clamped to 0 or more). */
  after(ms: number, job: () => void): Cancel;
}

export interface Timers<Handle> {
  now(): number;
  setTimeout(job: () => void, ms: number): Handle;
  clearTimeout(handle: Handle): void;
}

/** The largest delay of a timer (2^31 - 1 ms); a longer wait takes steps. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * A clock over the platform's timers, which the entry file passes in. Splits long waits, so that a delay
 * never wraps to zero.
 */
export function createClock<Handle>(timers: Timers<Handle>): Clock {
  return {
    now: () => timers.now(),
    after(ms, job) {
      let handle: Handle | undefined;
      let left = Math.max(0, ms);
      const step = (): void => {
        const wait = Math.min(left, LONGEST_TIMER);
        left -= wait;
        handle = timers.setTimeout(() => {
          if (left > 0) step();
          else job();
        }, wait);
      };
      step();
      return () => {
        if (handle !== undefined) timers.clearTimeout(handle);
        handle = undefined;
      };
    },
  };
}

/** True for less than `ms` after `since`. A clock that was set back counts as elapsed. */
export const isRecent = (clock: Pick<Clock, 'now'>, since: number, ms: number): boolean =>
  Math.abs(clock.now() - since) < ms;

/**
 * Runs `job` every `ms` milliseconds. Intervals of whole seconds fire at whole seconds, all of them together, so
 * that an idle process wakes once; the first wait may differ by half a second. A job that throws does not end the
 * repetition.
 * @param job receives by how many ms it is late
 */
export function every(clock: Clock, ms: number, job: (late: number) => void): Cancel {
  let cancel: Cancel = () => undefined;
  let stopped = false;
  const arm = (): void => {
    const now = clock.now();
    const wait = ms > 0 && ms % SECOND_MS === 0 ? Math.round((now + ms) / SECOND_MS) * SECOND_MS - now : ms;
    cancel = clock.after(wait, () => {
      try {
        job(clock.now() - now - wait);
      } finally {
        if (!stopped) arm();
      }
    });
  };
  arm();
  return () => {
    stopped = true;
    cancel();
  };
}
