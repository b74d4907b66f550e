// Service, webhooks: notifies the owner of a paused subscription (specification 3, 6.1).
// The store remembers which notices are due.
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';

export interface OwnerNotice {
  /** The same for the same pause, so that a repeated mail is recognizable. */
  readonly id: string;
  /** Mail address of the owner; null: the account has none, and the operator of the service gets it. */
  readonly to: string | null;
  readonly subject: string;
  readonly text: string;
}

/** Sends a notice to the owner. Rejects on failure. */
export type OwnerNotifier = (letter: OwnerNotice) => Promise<void>;

export interface Notices {
  /** Sends the notices that are due and not in flight. */
  give(): void;
  stop(): void;
}

const TRY_AGAIN_MS = 600_000;

export interface NoticesDeps {
  readonly store: Pick<Store, 'subscriptions' | 'transaction'>;
  /** Whether this process is the one that notifies the owner of a subscription. */
  readonly isOurs: (subscriptionId: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** null: there is no address, and the log is the only notice. */
  readonly notifyOwner: OwnerNotifier | null;
  readonly publicUrl: () => string;
  /** Mail address of the owner of an account, or null. Asked for each attempt. */
  readonly ownerEmail: (account: string) => string | null;
}

export function createNotices({
  store,
  isOurs,
  clock,
  logger,
  notifyOwner,
  publicUrl,
  ownerEmail,
}: NoticesDeps): Notices {
  const { subscriptions } = store;
  /** In flight, or waiting for the next attempt. */
  const inFlight = new Set<string>();
  let stopped = false;
  const retries = new Map<string, Cancel>();

  const notify = async (subscription: StoredSubscription): Promise<void> => {
    try {
      await notifyOwner?.(noticeOf(subscription, ownerEmail(subscription.owner), publicUrl()));
      if (!stopped) store.transaction(() => subscriptions.noticeGiven(subscription.id));
      inFlight.delete(subscription.id);
    } catch (error) {
      logger.error(
        { subscription: subscription.id, error: messageOf(error) },
        'the owner of a paused subscription could not be told',
      );
      if (!stopped)
        retries.set(
          subscription.id,
          clock.after(TRY_AGAIN_MS, () => tryAgain(subscription.id)),
        );
    }
  };

  const tryAgain = (id: string): void => {
    retries.delete(id);
    inFlight.delete(id);
    give();
  };

  const give = (): void => {
    for (const subscription of subscriptions.noticesDue()) {
      if (inFlight.has(subscription.id) || !isOurs(subscription.id)) continue;
      inFlight.add(subscription.id);
      void notify(subscription);
    }
  };

  return {
    give,
    stop() {
      stopped = true;
      for (const cancel of retries.values()) cancel();
    },
  };
}

function noticeOf(
  { id, owner, url, pausedAt, pausedReason }: StoredSubscription,
  to: string | null,
  publicUrl: string,
): OwnerNotice {
  const at = pausedAt ?? 0;
  return {
    id: `${id}.${at}`,
    to,
    subject: `Webhook subscription ${id} is paused`,
    text: [
      `Webhook subscription ${id} of the account ${owner} is paused since ${timestamp(at)}.`,
      `It delivers to ${url}`,
      pausedReason ?? '',
      '',
      'Events of the last 7 days are kept. Mend the endpoint, then resume the subscription; what it missed is sent then:',
      `POST ${publicUrl}/signals/subscriptions/${id}/resume`,
      '',
    ].join('\n'),
  };
}
