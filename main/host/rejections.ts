// Main, host: what fails and is handled by nothing is logged, and does not end the watch.
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../core/ports.ts';

/** Without a listener Node ends the process. */
export function logRejections(logger: Pick<Logger, 'error'>): Cancel {
  const log = (reason: unknown): void => {
    try {
      logger.error({ problem: messageOf(reason) }, 'work in the background failed, and nothing handled it');
    } catch {
      // A full disk must not end the watch either.
    }
  };
  process.on('unhandledRejection', log);
  return () => void process.off('unhandledRejection', log);
}

const ignore = (): void => undefined;

/**
 * For Electron, which would stop everything with a dialog until somebody closes it, and go on then. Plain Node ends, as
 * it must: whoever started it sees it.
 */
export function reportExceptions(report: (why: string) => void): Cancel {
  const listener = (error: Error): void => report(messageOf(error));
  process.on('uncaughtException', listener);
  // A terminal that is gone is no fault of the program, and a report of it is printed there again, without end.
  const outputs = [process.stdout, process.stderr];
  for (const output of outputs) output.on('error', ignore);
  return () => {
    process.off('uncaughtException', listener);
    for (const output of outputs) output.off('error', ignore);
  };
}
