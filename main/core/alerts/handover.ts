// Main, core: carries out what the ledger intends: every open intent is handed to the notifier, and its outcome is written down.
// An intent that nobody was seen to show stays open and is tried again under the same id, also after a restart.
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Intent } from '../ledger/notifications.ts';
import type { Logger, NotificationOutcome, NotificationRequest, Notifier } from '../ports.ts';

export interface HandoverRoom {
  /** Hands over everything open that is not under way. */
  kick(): void;
  /** Ends the waiting; resolves when what is under way is decided, or after a moment. */
  stop(): Promise<void>;
}

export interface HandoverOptions {
  readonly ledger: Pick<Ledger, 'openIntents' | 'recordOutcome'>;
  readonly notifier: Notifier;
  /** What is said; made anew at every attempt, under the same id. */
  readonly words: (intent: Intent) => NotificationRequest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** The record of this entry changed. */
  readonly onChanged: (ledgerId: number) => void;
}

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };
/** A notifier that has not answered by then is asked again, ms. */
const SHOW_DEADLINE = 15_000;
/** Hand-overs under way at the same time: a notifier, and the ledger behind it, must stay responsive. */
const AT_ONCE = 8;
/** How long a stop waits for what is under way, ms. */
const STOP_DEADLINE = 1_500;

export function createHandover({ ledger, notifier, words, clock, random, logger, onChanged }: HandoverOptions): HandoverRoom {
  const underWay = new Map<string, Promise<void>>();
  /** Failed ones, each until its own next attempt: a kick must not hasten them. */
  const waiting = new Map<string, Cancel>();
  /** Shown, but the outcome could not be written yet: it is written at the next kick, not shown again. */
  const decided = new Map<string, NotificationOutcome>();
  let isStopped = false;

  const record = (intent: Intent, outcome: 'shown' | 'in_app' | 'failed', detail: string): void => {
    ledger.recordOutcome(intent.ledgerId, outcome, clock.now(), detail);
    onChanged(intent.ledgerId);
  };

  /** Resolves to true when it was shown and that is written down. */
  const handOver = async (intent: Intent): Promise<boolean> => {
    const { id } = intent;
    try {
      const outcome = decided.get(id) ?? (await withDeadline(notifier.show(words(intent)), clock));
      decided.set(id, outcome);
      record(intent, outcome.tier === 'system' ? 'shown' : 'in_app', outcome.detail);
      decided.delete(id);
      return true;
    } catch (thrown) {
      if (isStopped) return false;
      const again = (): void => {
        waiting.delete(id);
        kick();
      };
      waiting.set(id, clock.after(backoffDelay(intent.attempts, RETRY, random, 500), again));
      logger.warn({ id, problem: messageOf(thrown) }, 'a notification could not be handed over');
      if (!decided.has(id)) record(intent, 'failed', `${messageOf(thrown)} It is tried again.`);
      return false;
    }
  };

  const kick = (): void => {
    if (isStopped) return;
    for (const intent of ledger.openIntents(AT_ONCE + underWay.size + waiting.size)) {
      const { id } = intent;
      if (underWay.size >= AT_ONCE) return;
      if (underWay.has(id) || waiting.has(id)) continue;
      const done = handOver(intent)
        .finally(() => underWay.delete(id))
        // There may be more than could be handed over at once; after a failure their turn comes with the next attempt.
        .then((isTold) => (isTold ? kick() : undefined))
        .catch((thrown: unknown) => logger.error({ id, problem: messageOf(thrown) }, 'the outcome of a notification could not be written'));
      underWay.set(id, done);
    }
  };

  return {
    kick,
    async stop() {
      isStopped = true;
      for (const cancel of waiting.values()) cancel();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(STOP_DEADLINE, resolve);
        void Promise.all(underWay.values()).then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

function withDeadline(showing: Promise<NotificationOutcome>, clock: Clock): Promise<NotificationOutcome> {
  return new Promise((resolve, reject) => {
    showing.then(resolve, reject);
    const cancel = clock.after(SHOW_DEADLINE, () => reject(new Error('The notifier did not answer.')));
    showing.then(cancel, cancel);
  });
}
