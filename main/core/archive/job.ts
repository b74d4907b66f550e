// Main, core: a repeated background fetch: when it is due, its backoff, and why it waits.
import { isDeepStrictEqual } from 'node:util';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { Message } from '../../../shared/text/message.ts';
import type { CoreContext } from '../module.ts';
import type { Fetching } from './fetching.ts';
import type { ArchiveFiles } from './files.ts';
import { archiveErrorMessage, type FillingProblem } from './problems.ts';
import type { RetentionPolicy } from './retention.ts';

export interface Job {
  /** Runs now, unless the service requested a pause. */
  wake(): void;
  stop(): void;
  /** Why the last round failed; null after a success. */
  problem(): Message | null;
}

/** The shared dependencies of the jobs that fill the archive. */
export interface JobContext {
  readonly context: CoreContext;
  /** Whether a request may be sent to the service now. */
  readonly mayAsk: () => boolean;
  readonly fetching: Fetching;
  readonly files: ArchiveFiles;
  readonly retention: RetentionPolicy;
}

export interface JobOptions extends Pick<JobContext, 'context' | 'mayAsk'> {
  /** Time from a successful round to the next one, ms; null: it runs only when woken. */
  readonly cadence: () => number | null;
  /** A round. Rejects when the results cannot be stored. */
  readonly run: () => Promise<Result<unknown, FillingProblem>>;
}

/** A production plan has limits, and no round is urgent, ms. */
const RETRY = { base: 15_000, cap: 1_800_000 };
const SHORTEST_WAIT = 2_000;

export function createJob({ context, mayAsk, cadence, run }: JobOptions): Job {
  const { events, ports } = context;
  const { clock, go } = context.guard;
  let cancel: Cancel = () => undefined;
  let isRunning = false;
  let isDue = false;
  let isStopped = false;
  let failures = 0;
  /** No round before this instant: the service requested the pause, ms. */
  let quietUntil = 0;
  let problem: Message | null = null;

  const later = (ms: number): void => {
    cancel();
    if (!isStopped) cancel = clock.after(ms, begin);
  };
  const failed = (message: Message, floor: number): void => {
    problem = message;
    quietUntil = clock.now() + floor;
    later(Math.max(SHORTEST_WAIT, backoffDelay(failures, RETRY, ports.random, floor)));
    failures += 1;
  };
  const round = async (): Promise<void> => {
    const before = problem;
    try {
      const outcome = await run();
      if (isStopped) return;
      if (outcome.ok) {
        problem = null;
        failures = 0;
        const next = cadence();
        if (next !== null) later(next);
      } else failed(outcome.error.message, outcome.error.retryAfter ?? 0);
    } catch (error) {
      if (isStopped) return;
      failed(archiveErrorMessage(error), 0);
    } finally {
      isRunning = false;
      if (!isDeepStrictEqual(problem, before)) events.signal('archiveWritten');
      if (isDue && problem === null) begin();
      isDue = false;
    }
  };
  const begin = (): void => {
    if (isStopped) return;
    if (isRunning) {
      isDue = true;
      return;
    }
    const wait = quietUntil - clock.now();
    // The returning connection wakes it again: no request while one would be pointless or wrong.
    if (!mayAsk()) return;
    if (wait > 0) {
      later(wait);
      return;
    }
    cancel();
    isRunning = true;
    go(round());
  };

  return {
    wake: begin,
    stop() {
      isStopped = true;
      cancel();
    },
    problem: () => problem,
  };
}
