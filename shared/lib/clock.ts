// Pure: the interface to time. Only entry files read a clock or set a timer directly.

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

/** Jobs that run at the same instants. */
interface Beat {
  readonly jobs: Set<() => void>;
  stop: Cancel;
}
const beats = new WeakMap<Clock, Map<number, Beat>>();

/**
 * Runs `job` about every `ms` milliseconds; the next wait starts when it has returned. Jobs of one interval share a
 * timer, and intervals meet at whole multiples of `ms`, so that a computer wakes once for many. The first run is half
 * an interval away at least. A job that throws does not end the repetition.
 */
export function every(clock: Clock, ms: number, job: () => void): Cancel {
  const ofClock = beats.get(clock) ?? new Map<number, Beat>();
  beats.set(clock, ofClock);
  const beat = ofClock.get(ms) ?? { jobs: new Set(), stop: () => undefined };
  const arm = (): void => {
    const left = ms - (clock.now() % ms);
    beat.stop = clock.after(left < ms / 2 ? left + ms : left, run);
  };
  const run = (): void => {
    const errors: unknown[] = [];
    for (const each of [...beat.jobs])
      try {
        if (beat.jobs.has(each)) each();
      } catch (error) {
        errors.push(error);
      }
    if (beat.jobs.size > 0) arm();
    if (errors.length > 0) throw errors[0];
  };
  // Each call is a job of its own.
  const own = (): void => job();
  beat.jobs.add(own);
  if (!ofClock.has(ms)) {
    ofClock.set(ms, beat);
    arm();
  }
  return () => {
    beat.jobs.delete(own);
    if (beat.jobs.size > 0) return;
    beat.stop();
    if (ofClock.get(ms) === beat) ofClock.delete(ms);
  };
}
