// Main, core: when a notification that failed or grew is tried again.
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import type { PendingNotification } from '../ledger/notifications.ts';

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };

export interface RetryDeps {
  readonly clock: Clock;
  readonly random: () => number;
  /** Tries what is due. */
  wake(): void;
}

const delayAfter = (failures: number, random: () => number): number => backoffDelay(failures, RETRY, random, 500);

/** Failed or grown notifications, each until its own next attempt: a wake must not shorten the delay. */
export function createRetries({ clock, random, wake }: RetryDeps) {
  const waiting = new Map<string, { readonly revision: number; readonly cancel: Cancel }>();
  /** Failed attempts since they began, also where the ledger could not count them. */
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
    /** Whether it waits for its next attempt; one that grew waits no longer for what failed before. */
    isWaiting({ id, revision }: PendingNotification): boolean {
      const before = waiting.get(id);
      if (before === undefined) return false;
      if (before.revision === revision) return true;
      failures.delete(id);
      stopWaiting(id);
      return false;
    },
    /** Counts the failure; each one makes the next wait longer. */
    waitAfterFailure(notification: PendingNotification): void {
      const before = Math.max(notification.attempts, failures.get(notification.id) ?? 0);
      failures.set(notification.id, before + 1);
      wait(notification, delayAfter(before, random));
    },
    forget: (id: string) => void failures.delete(id),
    stop(): void {
      for (const { cancel } of waiting.values()) cancel();
    },
  };
}

/** When the desktop is away, all that wait for it have one next attempt. */
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
    /** The desktop took a notification, or may again: the next wait is short. */
    reset() {
      stop();
      timesAway = 0;
    },
    stop,
  };
}

export type Retries = ReturnType<typeof createRetries>;
export type DesktopRetry = ReturnType<typeof createDesktopRetry>;
