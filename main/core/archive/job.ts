// Main, core: a repeated background fetch: when it is due, its backoff, and why it waits.
import type { ServiceProblem } from '../../../client/problem.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';

export interface Job {
  /** Runs now, unless the service requested a pause. */
  wake(): void;
  stop(): void;
  /** Why the last round failed, as a message; null after a success. */
  problem(): string | null;
}

export interface JobOptions {
  readonly guard: Guard;
  readonly random: () => number;
  /** Time from a successful round to the next one, ms; null: it runs only when woken. */
  readonly cadence: () => number | null;
  readonly mayAsk: () => boolean;
  /** A round. Rejects when the results cannot be stored. */
  readonly run: () => Promise<Result<unknown, ServiceProblem>>;
  /** The message for a storage error. */
  readonly describeStorageError: (error: unknown) => string;
  readonly onChanged: () => void;
}

/** A production plan has limits, and no round is urgent, ms. */
const RETRY = { base: 15_000, cap: 1_800_000 };
const SHORTEST_WAIT = 2_000;

export function createJob({ guard, random, cadence, mayAsk, run, describeStorageError, onChanged }: JobOptions): Job {
  const { clock, go } = guard;
  let cancel: Cancel = () => undefined;
  let isRunning = false;
  let isDue = false;
  let isStopped = false;
  let failures = 0;
  /** No round before this instant: the service requested the pause, ms. */
  let quietUntil = 0;
  let problem: string | null = null;

  const later = (ms: number): void => {
    cancel();
    if (!isStopped) cancel = clock.after(ms, begin);
  };
  const failed = (message: string, floor: number): void => {
    problem = message;
    quietUntil = clock.now() + floor;
    later(Math.max(SHORTEST_WAIT, backoffDelay(failures, RETRY, random, floor)));
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
      failed(describeStorageError(error) || messageOf(error), 0);
    } finally {
      isRunning = false;
      if (problem !== before) guard.run(onChanged);
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
