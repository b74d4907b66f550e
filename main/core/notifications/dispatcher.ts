// Main, core: dispatches the ledger's open intents to desktop or channel, and records the outcome.
// An intent without a confirmation stays open and is retried under the same id, also after a restart.
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DeliveryOutcome, Intent } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
import type { DeliveryResult, NotificationSender } from './sender.ts';

export interface Dispatcher {
  /** Dispatches every open intent that has no running attempt. */
  wake(): void;
  /** Cancels the retries; resolves when running attempts are decided, or after a moment. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'trace' | 'transaction'>;
  readonly sender: Pick<NotificationSender, 'deliver'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly events: Pick<EventBus, 'emit'>;
}

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };
/** Deadline of an answer before the next attempt, ms. */
const ANSWER_DEADLINE = 15_000;
/** Most attempts at the same time: a notifier, and the ledger behind it, must stay responsive. */
const AT_ONCE = 8;
/** Longest wait of a stop for running attempts, ms. */
const STOP_DEADLINE = 1_500;
/** A channel that failed for this long is given up for that message, ms; the desktop never is. */
const CHANNEL_DEADLINE = 24 * 3_600_000;

export function createDispatcher({ ledger, sender, clock, random, logger, events }: DispatcherOptions): Dispatcher {
  const inFlight = new Map<string, Promise<void>>();
  /** Failed intents, each until its own next attempt: a wake must not shorten the delay. */
  const waiting = new Map<string, Cancel>();
  /** Accepted, but the outcome is not written yet: the next wake writes it, and does not dispatch again. */
  const decided = new Map<string, DeliveryResult>();
  let isStopped = false;

  const record = (intent: Intent, outcome: DeliveryOutcome, detail: string): void => {
    const touched = ledger.transaction(() => {
      const at = clock.now();
      const about = ledger.notifications.record(intent.id, outcome, at, detail);
      // A repeat of the previous failure adds nothing to the trace.
      if (outcome !== 'failed' || intent.attempts === 0) {
        ledger.trace.noteEach(about, 'dispatched', `to ${destinationOf(intent)} as ${intent.id}`, at);
        ledger.trace.noteEach(about, 'answered', `${ANSWERS[outcome]}${detail === '' ? '' : `: ${detail}`}`, at);
      }
      return about;
    });
    if (touched.length > 0) events.emit('alertsChanged', { ledgerIds: touched });
  };

  /** Resolves to true when it was accepted and the outcome is written. */
  const dispatch = async (intent: Intent): Promise<boolean> => {
    const { id } = intent;
    try {
      const answer = decided.get(id) ?? (await withDeadline(sender.deliver(intent), clock));
      decided.set(id, answer);
      record(intent, answer.outcome, answer.detail);
      decided.delete(id);
      return true;
    } catch (error) {
      if (isStopped) return false;
      const isGivenUp = intent.channel !== 'desktop' && clock.now() - intent.since > CHANNEL_DEADLINE;
      const again = (): void => {
        waiting.delete(id);
        wake();
      };
      waiting.set(id, clock.after(backoffDelay(intent.attempts, RETRY, random, 500), again));
      logger.warn({ id, problem: messageOf(error) }, 'a notification could not be dispatched');
      if (isGivenUp) record(intent, 'dropped', `Given up after a day: ${messageOf(error)}`);
      else if (!decided.has(id)) record(intent, 'failed', `${messageOf(error)} It is tried again.`);
      return false;
    }
  };

  const wake = (): void => {
    if (isStopped) return;
    for (const intent of ledger.notifications.openIntents(AT_ONCE + inFlight.size + waiting.size)) {
      const { id } = intent;
      if (inFlight.size >= AT_ONCE) return;
      if (inFlight.has(id) || waiting.has(id)) continue;
      const done = dispatch(intent)
        .finally(() => inFlight.delete(id))
        // There may be more than could be dispatched at once; after a failure they wait for the next attempt.
        .then((isDelivered) => (isDelivered ? wake() : undefined))
        .catch((error: unknown) =>
          logger.error({ id, problem: messageOf(error) }, 'the outcome of a notification could not be written'),
        );
      inFlight.set(id, done);
    }
  };

  return {
    wake,
    async stop() {
      isStopped = true;
      for (const cancel of waiting.values()) cancel();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(STOP_DEADLINE, resolve);
        void Promise.all(inFlight.values()).then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

const destinationOf = ({ channel }: Intent): string =>
  channel === 'desktop' ? 'the desktop' : `the outlet of rule ${channel}`;

const ANSWERS: Readonly<Record<DeliveryOutcome, string>> = {
  intent: 'no answer yet',
  shown: 'shown',
  in_app: 'only this app shows it',
  sent: 'sent',
  failed: 'refused',
  dropped: 'given up',
};

function withDeadline(work: Promise<DeliveryResult>, clock: Clock): Promise<DeliveryResult> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    const cancel = clock.after(ANSWER_DEADLINE, () => reject(new Error('Nobody answered.')));
    work.then(cancel, cancel);
  });
}
