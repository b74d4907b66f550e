// Service, market feeds: retries work after transient errors.
// Full jitter, with the vendor's Retry-After as a floor.
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { pause } from '../../../shared/lib/pause.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { FeedError } from './price-feed.ts';

const BACKOFF = { base: SECOND_MS, cap: MINUTE_MS };

export interface RetryDeps {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Called with each error before a retry. */
  readonly onError: (error: FeedError) => void;
}

export interface Retrying {
  /**
   * Waits before a retry, by the number of errors and at least the error's `retryAfterMs`.
   * @throws the error if it is fatal or not a FeedError; the signal's reason
   */
  after(error: unknown, signal: AbortSignal): Promise<void>;
  /** Resets the back-off after a success. */
  succeeded(): void;
}

export function createRetrying({ clock, random, onError }: RetryDeps): Retrying {
  let attempt = 0;
  return {
    async after(error, signal) {
      signal.throwIfAborted();
      if (!(error instanceof FeedError) || error.kind === 'fatal') throw error;
      onError(error);
      const ms = backoffDelay(attempt, BACKOFF, random, error.retryAfterMs);
      attempt += 1;
      await pause(clock, ms, signal);
    },
    succeeded() {
      attempt = 0;
    },
  };
}

/** Runs work until it succeeds. @throws as `Retrying.after` */
export async function untilDone<Value>(
  deps: RetryDeps,
  work: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const retrying = createRetrying(deps);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await retrying.after(error, signal);
    }
  }
}
