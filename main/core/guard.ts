// Main, core: keeps a fault in a timer or in background work from ending the program.
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from './ports.ts';

export interface Guard {
  /** A clock whose jobs cannot throw into the event loop. */
  readonly clock: Clock;
  /** Runs a job whose caller cannot handle an exception. */
  run(job: () => void): void;
  /** Runs work in the background; its failure is logged. */
  go(work: Promise<unknown>): void;
}

export function createGuard(clock: Clock, logger: Logger): Guard {
  const report = (error: unknown): void => {
    try {
      logger.error({ problem: messageOf(error) }, 'a job failed');
    } catch {
      // A log that cannot be written must not end the work that it reports.
    }
  };
  const run = (job: () => void): void => {
    try {
      job();
    } catch (error) {
      report(error);
    }
  };
  return {
    // Whole milliseconds, as in the ledger and on the wire.
    clock: { now: () => Math.floor(clock.now()), after: (ms, job) => clock.after(ms, () => run(job)) },
    run,
    go: (work) => void work.catch(report),
  };
}
