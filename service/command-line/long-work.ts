// Service, command line: long work of a command: its progress on stderr, and its end by Ctrl-C.
import { setImmediate as turn } from 'node:timers/promises';
import { type Cancel, type Clock, createClock, isRecent } from '../../shared/lib/clock.ts';
import { createProgressMeter, type Progress, StoppedError } from '../../shared/lib/progress.ts';
import { createStatusLine, type StatusOutput } from '../../shared/lib/status-line.ts';
import { message, textOf } from '../../shared/text/message.ts';
import type { Steps } from '../steps.ts';

export interface LongWork {
  /**
   * Runs one step per turn. A step that gives a promise to `between` is waited for.
   * @throws StoppedError
   */
  steps<Result>(work: Steps<Result>, between?: () => unknown): Promise<Result>;
  /** @throws StoppedError */
  report(progress: Progress): void;
  /** Removes the line about the progress, so that other lines can be printed. */
  clear(): void;
}

export interface WorkTerminal {
  readonly output: StatusOutput;
  readonly clock: Pick<Clock, 'now'>;
  /** Calls the listener when the user ends the command. */
  onStop(listener: () => void): Cancel;
}

/** Shorter work says nothing, and the line changes at most this often, ms. */
const QUIET_MS = 1_000;
const REWRITE_MS = 100;

/** The terminal of this process. A second signal ends it at once. */
const processTerminal = (): WorkTerminal => ({
  output: process.stderr,
  clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
  onStop(listener) {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    for (const signal of signals) process.once(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
});

/** Shows progress in a terminal, with the time left. */
export function createProgressLine({ output, clock }: Pick<WorkTerminal, 'output' | 'clock'>) {
  const line = createStatusLine(output, clock);
  const measure = createProgressMeter(clock);
  const startedAt = clock.now();
  let shownAt = startedAt;
  return {
    report(progress: Progress): void {
      const shown = measure(progress);
      if (isRecent(clock, startedAt, QUIET_MS) || isRecent(clock, shownAt, REWRITE_MS)) return;
      shownAt = clock.now();
      line.show(textOf(message('work.progress', shown)));
    },
    /** Removes the line, so that others can be printed. */
    clear: line.clear,
  };
}

/**
 * Runs long work with its progress on stderr.
 * @param ended sentence for the user who stops it: what the next run does
 * @throws StoppedError
 */
export async function longWork<Result>(
  job: (work: LongWork) => Promise<Result>,
  ended: string,
  terminal = processTerminal(),
): Promise<Result> {
  const shown = createProgressLine(terminal);
  let isStopped = false;
  const cancel = terminal.onStop(() => {
    isStopped = true;
  });
  const check = (): void => {
    if (isStopped) throw new StoppedError(`Stopped. ${ended}`);
  };
  const report = (progress: Progress): void => {
    check();
    shown.report(progress);
  };
  try {
    return await job({
      report,
      clear: shown.clear,
      async steps(work, between) {
        for (;;) {
          const step = work.next();
          if (step.done === true) return step.value;
          if (step.value !== undefined) report(step.value);
          await between?.();
          await turn();
          check();
        }
      },
    });
  } finally {
    shown.clear();
    cancel();
  }
}
