// Main, core: one attempt to dispatch an intent, from handing it over to the written outcome.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Intent } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
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
  /** Resolves to true when it was accepted and the outcome is written. */
  dispatch(intent: Intent): Promise<boolean>;
  /** It was accepted, but the outcome is not written yet: the next attempt writes it, and does not dispatch again. */
  isDecided(id: string): boolean;
  /** Nothing is retried any more. */
  stop(): void;
}

/** Deadline of an answer before the next attempt, ms. */
const ANSWER_DEADLINE = 15_000;

export function createAttempts({ sender, outcomes, retries, desktop, clock, logger }: AttemptDeps): Attempts {
  const decided = new Map<string, { readonly intent: Intent; readonly answer: DeliveryResult }>();
  let isStopped = false;

  const waitForDesktop = (intent: Intent, why: Message | null): void => {
    if (isStopped) return;
    desktop.retryLater();
    if (outcomes.isOpen(intent.id)) outcomes.record(intent, 'failed', message('delivery.away', { why: why ?? '' }));
  };
  const writeAnswer = ({ intent, answer }: { readonly intent: Intent; readonly answer: DeliveryResult }): void => {
    if (answer.outcome === 'away') return;
    outcomes.record(intent, answer.outcome, answer.detail);
    decided.delete(intent.id);
    retries.forget(intent.id);
  };
  const fail = (intent: Intent, error: unknown): void => {
    const { id } = intent;
    const isGivenUp = !decided.has(id) && sender.isExpired(intent, clock.now());
    retries.waitAfterFailure(intent);
    logger.warn({ id, problem: messageOf(error) }, 'a notification could not be dispatched');
    // A window may have taken it during the attempt.
    if (!outcomes.isOpen(id)) return;
    const why = messageFrom(error);
    if (isGivenUp) outcomes.record(intent, 'dropped', message('delivery.given_up', { why }));
    else if (!decided.has(id)) outcomes.record(intent, 'failed', message('delivery.retried', { why }));
  };

  return {
    async dispatch(intent) {
      try {
        const before = decided.get(intent.id);
        if (before !== undefined) {
          writeAnswer(before);
          return true;
        }
        const answer = await withDeadline(sender.deliver(intent), clock);
        if (answer.outcome === 'away') {
          waitForDesktop(intent, answer.detail);
          return false;
        }
        if (answer.outcome === 'shown') desktop.reset();
        decided.set(intent.id, { intent, answer });
        writeAnswer({ intent, answer });
        return true;
      } catch (error) {
        if (!isStopped) fail(intent, error);
        return false;
      }
    },
    isDecided: (id) => decided.has(id),
    stop() {
      isStopped = true;
    },
  };
}

function withDeadline(work: Promise<DeliveryResult>, clock: Clock): Promise<DeliveryResult> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    const cancel = clock.after(ANSWER_DEADLINE, () => reject(refused(message('delivery.unanswered'))));
    work.then(cancel, cancel);
  });
}
