// Main, core: one attempt to dispatch a notification, up to the written outcome.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
import { pauseOf } from './channels/channel.ts';
import type { Outcomes } from './outcomes.ts';
import type { DesktopRetry, Retries } from './retries.ts';
import type { DeliveryResult, NotificationSender } from './sender.ts';

export interface AttemptDeps {
  readonly sender: Pick<NotificationSender, 'deliver' | 'isExpired'>;
  readonly outcomes: Outcomes;
  readonly retries: Retries;
  readonly desktop: DesktopRetry;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Attempts {
  /** Resolves to true when the notification was accepted and the outcome is written. */
  dispatch(notification: PendingNotification): Promise<boolean>;
  /** True when it was accepted and the outcome is not written yet: the next attempt only writes it. */
  isDecided(id: string): boolean;
  /** Ends the retries. */
  stop(): void;
}

/** Deadline of an answer before the next attempt, ms. */
const ANSWER_DEADLINE = 15_000;

export function createAttempts({ sender, outcomes, retries, desktop, clock, logger }: AttemptDeps): Attempts {
  const decided = new Map<string, { readonly notification: PendingNotification; readonly answer: DeliveryResult }>();
  let isStopped = false;

  const waitForDesktop = (notification: PendingNotification, why: Message | null): void => {
    if (isStopped) return;
    desktop.retryLater();
    if (outcomes.isOpen(notification.id))
      outcomes.record(notification, 'failed', message('delivery.away', { why: why ?? '' }));
  };
  const writeAnswer = ({
    notification,
    answer,
  }: {
    readonly notification: PendingNotification;
    readonly answer: DeliveryResult;
  }): void => {
    if (answer.outcome === 'away') return;
    outcomes.record(notification, answer.outcome, answer.detail);
    decided.delete(notification.id);
    retries.forget(notification.id);
  };
  const fail = (notification: PendingNotification, error: unknown): void => {
    const { id } = notification;
    const isGivenUp = !decided.has(id) && sender.isExpired(notification, clock.now());
    retries.waitAfterFailure(notification, pauseOf(error));
    logger.warn({ id, problem: messageOf(error) }, 'a notification could not be dispatched');
    // A window may have accepted it during the attempt.
    if (!outcomes.isOpen(id)) return;
    const why = messageFrom(error);
    outcomes.reportFailing(notification, why);
    if (isGivenUp) outcomes.record(notification, 'dropped', message('delivery.given_up', { why }));
    else if (!decided.has(id)) outcomes.record(notification, 'failed', message('delivery.retried', { why }));
  };

  return {
    async dispatch(notification) {
      try {
        const before = decided.get(notification.id);
        if (before !== undefined) {
          writeAnswer(before);
          return true;
        }
        const answer = await withDeadline((signal) => sender.deliver(notification, signal), clock);
        if (answer.outcome === 'away') {
          waitForDesktop(notification, answer.detail);
          return false;
        }
        if (answer.outcome === 'shown') desktop.reset();
        decided.set(notification.id, { notification, answer });
        writeAnswer({ notification, answer });
        return true;
      } catch (error) {
        if (!isStopped) fail(notification, error);
        return false;
      }
    },
    isDecided: (id) => decided.has(id),
    stop() {
      isStopped = true;
    },
  };
}

/** @param work is aborted at the deadline: a late success would be taken for a failure, and repeated */
function withDeadline(work: (signal: AbortSignal) => Promise<DeliveryResult>, clock: Clock): Promise<DeliveryResult> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ANSWER_DEADLINE, () => {
      reject(refused(message('delivery.unanswered')));
      over.abort();
    });
    const running = work(over.signal);
    running.then(resolve, reject);
    running.then(cancel, cancel);
  });
}
