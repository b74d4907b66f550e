// Main, core: one thing that is fetched again and again in the background: when it is due, how long it waits after a failure, and why it stands still.
import type { ServiceProblem } from '../../../client/problem.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';

export interface Job {
  /** Something changed there: goes now, unless the service asked to be left alone. */
  wake(): void;
  stop(): void;
  /** Why the last round brought nothing, as a message; null while all is well. */
  problem(): string | null;
}

export interface JobOptions {
  readonly guard: Guard;
  readonly random: () => number;
  /** How long after a round that went well the next one begins, ms; null: only when it is kicked. */
  readonly cadence: () => number | null;
  readonly mayAsk: () => boolean;
  /** A round. It rejects when what came cannot be kept. */
  readonly run: () => Promise<Result<unknown, ServiceProblem>>;
  /** A round that could not be stored, as a message. */
  readonly describeStorageError: (error: unknown) => string;
  readonly onChanged: () => void;
}

/** A production plan has limits, and none of this is urgent, ms. */
const RETRY = { base: 15_000, cap: 1_800_000 };
const SHORTEST_WAIT = 2_000;

export function createJob({ guard, random, cadence, mayAsk, run, describeStorageError, onChanged }: JobOptions): Job {
  const { clock, go } = guard;
  let cancel: Cancel = () => undefined;
  let isRunning = false;
  let isDue = false;
  let isStopped = false;
  let failures = 0;
  /** Not before this instant, whatever happens: the service asked for it, ms. */
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
    // The connection returning wakes it again: nothing is asked while that would be pointless or wrong.
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
