// Main, core: dispatches pending notifications to desktop or channel, and records the outcome.
// A notification that neither the desktop nor a window accepted stays pending, and is retried under the same
// id, also after a restart.
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PendingFilter, PendingNotification } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
import { createAttempts } from './attempts.ts';
import { createOutcomes } from './outcomes.ts';
import { createDesktopRetry, createRetries } from './retries.ts';
import type { NotificationSender } from './sender.ts';

export interface Dispatcher {
  /** Dispatches every pending notification that has no running attempt. */
  wake(): void;
  /** The desktop may have returned: retries its notifications at once. */
  retryDesktop(): void;
  /**
   * A window showed a pending notification to the user.
   * @param browserRevision the revision that its browser showed; absent: the window itself showed it
   */
  takenByWindow(id: string, browserRevision?: number): void;
  /** Cancels the retries; resolves when running attempts are decided, or after STOP_DEADLINE. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'trace' | 'transaction'>;
  readonly sender: Pick<NotificationSender, 'deliver' | 'isExpired'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly events: Pick<EventBus, 'emit'>;
}

/**
 * Shortest time between the acceptance of a notification and its next revision, ms: a desktop replaces the
 * notification, any other channel sends a further message. A second message tells soon that it is a burst.
 */
const GROWTH_PAUSE = { desktop: 2_000, second: 5_000, others: 60_000 };
/**
 * Most simultaneous attempts at the desktop, and at all other channels: notifier and ledger must stay
 * responsive, and a mail server that does not answer must not delay the desktop.
 */
const AT_ONCE = 8;
/** Longest wait of a stop for running attempts, ms. */
const STOP_DEADLINE = 1_500;

export function createDispatcher({ ledger, sender, clock, random, logger, events }: DispatcherOptions): Dispatcher {
  const inFlight = { desktop: new Map<string, Promise<void>>(), others: new Map<string, Promise<void>>() };
  const retries = createRetries({ clock, random, wake: () => wake() });
  const desktop = createDesktopRetry({ clock, random, wake: () => wake() });
  const outcomes = createOutcomes({ ledger, clock, events });
  const attempts = createAttempts({ sender, outcomes, retries, desktop, clock, logger });
  let isStopped = false;

  const wake = (): void => {
    if (isStopped) return;
    // New notifications are attempted also while the desktop is away: it may have returned unnoticed.
    begin(inFlight.desktop, desktop.isAway() ? 'new_desktop' : 'desktop');
    begin(inFlight.others, 'others');
  };
  const begin = (running: Map<string, Promise<void>>, of: PendingFilter): void => {
    const limit = AT_ONCE + running.size + retries.size();
    for (const notification of ledger.notifications.pending(limit, of)) {
      const { id } = notification;
      if (running.size >= AT_ONCE) return;
      if (running.has(id) || retries.isWaiting(notification)) continue;
      const pause = pauseOf(notification, clock.now());
      if (pause > 0 && !attempts.isDecided(id)) {
        retries.wait(notification, pause);
        continue;
      }
      const done = attempts
        .dispatch(notification)
        .finally(() => running.delete(id))
        // After a success, more notifications may be pending. After a failure, only a notification that grew
        // meanwhile is retried at once.
        .then((isDelivered) => (isDelivered || (!isStopped && outcomes.hasGrown(notification)) ? wake() : undefined))
        .catch((error: unknown) =>
          logger.error({ id, problem: messageOf(error) }, 'the outcome of a notification could not be written'),
        );
      running.set(id, done);
    }
  };

  return {
    wake,
    retryDesktop() {
      desktop.reset();
      wake();
    },
    takenByWindow(id, browserRevision) {
      if (!outcomes.takenByWindow(id, browserRevision)) return;
      retries.stopWaiting(id);
    },
    async stop() {
      isStopped = true;
      attempts.stop();
      desktop.stop();
      retries.stop();
      await decidedWithin(STOP_DEADLINE, [...inFlight.desktop.values(), ...inFlight.others.values()], clock);
    },
  };
}

/** Rest of the wait of a notification that grew, ms. */
function pauseOf({ channel, acceptedAt, acceptedRevision }: PendingNotification, now: number): number {
  const since = acceptedAt === null ? Number.POSITIVE_INFINITY : now - acceptedAt;
  const pause = channel === 'desktop' ? 'desktop' : acceptedRevision === 1 ? 'second' : 'others';
  // A clock that was set back makes the elapsed time unknown.
  return since < 0 ? 0 : GROWTH_PAUSE[pause] - since;
}

/** Resolves when all attempts are decided, or after this time, ms. */
function decidedWithin(deadline: number, attempts: readonly Promise<void>[], clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(deadline, resolve);
    void Promise.all(attempts).then(() => {
      cancel();
      resolve();
    });
  });
}
