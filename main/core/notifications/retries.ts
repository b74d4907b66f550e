// Main, core: schedules the next attempt of notifications that failed or grew.
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { PendingNotification } from '../ledger/notifications.ts';

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };

export interface RetryDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** Attempts the due notifications. */
  wake(): void;
}

const delayAfter = (failures: number, random: () => number): number => backoffDelay(failures, RETRY, random, 500);

/** Delays of failed or grown notifications, each by itself: a wake must not shorten them. */
export function createRetries({ clock, random, wake }: RetryDeps) {
  const waiting = new Map<string, { readonly revision: number; readonly cancel: Cancel }>();
  /** Number of failed attempts, also when the ledger could not count them. */
  const failures = new Map<string, number>();
  const stopWaiting = (id: string): void => {
    waiting.get(id)?.cancel();
    waiting.delete(id);
  };
  const wait = ({ id, revision }: PendingNotification, ms: number): void => {
    const again = (): void => {
      waiting.delete(id);
      wake();
    };
    waiting.set(id, { revision, cancel: clock.after(ms, again) });
  };
  return {
    size: () => waiting.size,
    wait,
    stopWaiting,
    /** True while it waits for its next attempt. Growth ends the wait of an earlier revision. */
    isWaiting({ id, revision }: PendingNotification): boolean {
      const before = waiting.get(id);
      if (before === undefined) return false;
      if (before.revision === revision) return true;
      failures.delete(id);
      stopWaiting(id);
      return false;
    },
    /** Counts the failure and waits, `least` ms at least; the wait grows with each failure. */
    waitAfterFailure(notification: PendingNotification, least = 0): void {
      const before = Math.max(notification.attempts, failures.get(notification.id) ?? 0);
      failures.set(notification.id, before + 1);
      wait(notification, Math.max(least, delayAfter(before, random)));
    },
    forget: (id: string) => void failures.delete(id),
    stop(): void {
      for (const { cancel } of waiting.values()) cancel();
    },
  };
}

/** The common next attempt of all notifications while the desktop is away. */
export function createDesktopRetry({ clock, random, wake }: RetryDeps) {
  /** Null: the desktop is not known to be away. */
  let pending: Cancel | null = null;
  /** Attempts in a row at which the desktop was away. */
  let timesAway = 0;
  const stop = (): void => {
    pending?.();
    pending = null;
  };
  return {
    isAway: () => pending !== null,
    retryLater() {
      if (pending !== null) return;
      pending = clock.after(delayAfter(timesAway, random), () => {
        pending = null;
        wake();
      });
      timesAway += 1;
    },
    /** The desktop accepted a notification, or may accept one: the next wait is short. */
    reset() {
      stop();
      timesAway = 0;
    },
    stop,
  };
}

export type Retries = ReturnType<typeof createRetries>;
export type DesktopRetry = ReturnType<typeof createDesktopRetry>;
