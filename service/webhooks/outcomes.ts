// Service, webhooks: turns an attempt's receipt into delivered, retry, given up or paused.
// Call it in a transaction.
import type { Clock } from '../../shared/lib/clock.ts';
import { FAILING_LIMIT_MS, retryWait } from '../../shared/lib/retry-ladder.ts';
import type { Logger } from '../logger.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { AttemptOutcome } from '../metrics/metrics.ts';
import type { Attempt, StoredDelivery } from '../store/deliveries.ts';
import type { Store } from '../store/store.ts';

export interface OutcomesDeps {
  readonly store: Store;
  readonly world: WorldClock;
  /** The clock of the retries. */
  readonly pace: Clock;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Whether this process sends the deliveries of a subscription. */
  readonly isOurs: (subscriptionId: string) => boolean;
}

export interface Outcomes {
  /**
   * @param completedAt end of the attempt (clock of the retries)
   * @returns what became of it; null where its subscription was deleted meanwhile, or another node took it over and
   *   sends it again
   */
  record(
    subscriptionId: string,
    delivery: StoredDelivery,
    attempt: Attempt,
    completedAt: number,
  ): AttemptOutcome | null;
  /**
   * Pauses subscriptions that have failed up to the limit and have no attempt left that may succeed. Due or
   * in-flight attempts decide when they end.
   */
  pauseWhatHasFailedLong(): void;
}

export function createOutcomes({ store, world, pace, logger, random, isOurs }: OutcomesDeps): Outcomes {
  const { subscriptions, deliveries } = store;

  const pause = (id: string, problem: string): void => {
    subscriptions.pause(id, world.now(), `No delivery has succeeded for 24 hours. The last one: ${problem}.`);
    logger.warn({ subscription: id, problem }, 'a subscription is paused after 24 hours of failed deliveries');
  };

  const lastProblem = (id: string): string => {
    const [last] = deliveries.list(id, null, null, 1);
    return (last === undefined ? undefined : deliveries.attempts(last.id).at(-1)?.error) ?? 'no answer';
  };

  return {
    record(id, delivery, attempt, completedAt) {
      const subscription = subscriptions.find(id);
      if (subscription === null || !isOurs(id)) return null;
      deliveries.recordAttempt(delivery.id, attempt);
      if (attempt.error === null) {
        deliveries.settle(delivery.id, 'delivered', completedAt);
        if (subscription.failingSince !== null) subscriptions.setFailingSince(id, null);
        return 'delivered';
      }
      const attempts = delivery.rung + 1;
      const wait = retryWait(attempts, random);
      if (wait === null) deliveries.settle(delivery.id, 'failed', completedAt);
      else deliveries.retryAt(delivery.id, completedAt + wait, attempts);
      const failingSince = subscription.failingSince ?? completedAt;
      if (subscription.failingSince === null) subscriptions.setFailingSince(id, failingSince);
      if (subscription.status === 'active' && completedAt - failingSince >= FAILING_LIMIT_MS) pause(id, attempt.error);
      return wait === null ? 'failed' : 'retried';
    },
    pauseWhatHasFailedLong() {
      const now = pace.now();
      for (const { id } of subscriptions.failingSinceBefore(now - FAILING_LIMIT_MS)) {
        if (isOurs(id) && deliveries.due(id, now, 1).length === 0) pause(id, lastProblem(id));
      }
    },
  };
}
