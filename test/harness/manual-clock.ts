// Test harness: a clock that a test advances. Settles all promises between two jobs.
import type { Clock } from '../../shared/lib/clock.ts';

export interface ManualClock extends Clock {
  /** Lets time pass, job by job in order. */
  advance(ms: number): Promise<void>;
  /**
   * Lets a long time pass on a busy machine, in a fraction of the processor time: every job is up to 20 seconds
   * late, so that what repeats each second runs three times a minute.
   */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the condition holds. @throws Error when it does not within `limit` ms */
  until(condition: () => boolean, limit?: number): Promise<void>;
  /** Sets the clock without running anything: like a sleep or a changed clock. */
  jump(ms: number): void;
}

/** How late a job may be in `pass`, ms. */
const LATENESS = 20_000;

interface Job {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Runs all pending promises, streams and immediates. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}

export function createManualClock(start = Date.parse('2026-03-02T14:30:00.000Z')): ManualClock {
  /** Time of timers; `set` is the offset of the wall clock. */
  let time = start;
  let set = 0;
  let order = 0;
  const jobs = new Set<Job>();
  const next = (until: number): Job | undefined => {
    let first: Job | undefined;
    for (const job of jobs)
      if (
        job.at <= until &&
        (first === undefined || job.at < first.at || (job.at === first.at && job.order < first.order))
      )
        first = job;
    return first;
  };
  const step = async (until: number): Promise<boolean> => {
    const job = next(until);
    if (job === undefined) {
      time = until;
      return false;
    }
    jobs.delete(job);
    time = Math.max(time, job.at);
    job.run();
    await settle();
    return true;
  };
  return {
    now: () => time + set,
    after(ms, run) {
      order += 1;
      const job = { at: time + Math.max(0, ms), order, run };
      jobs.add(job);
      return () => jobs.delete(job);
    },
    async advance(ms) {
      const until = time + ms;
      await settle();
      while (await step(until));
    },
    async pass(ms) {
      const until = time + ms;
      await settle();
      while (time < until) {
        time = Math.min(until, (next(until)?.at ?? until) + LATENESS);
        while (await step(time));
      }
    },
    async until(condition, limit = 120_000) {
      const end = time + limit;
      await settle();
      while (!condition()) if (!(await step(end))) throw new Error(`not within ${limit} ms of the clock: ${condition}`);
    },
    jump(ms) {
      set += ms;
    },
  };
}
