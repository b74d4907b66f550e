// Main, core: schedules the queued notifications of the ledger, and decides due batches.

import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import type { EventBus, Followers } from '../events.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MUTE_BATCH, type QueuedNotification } from '../ledger/notification-queue.ts';
import type { Logger } from '../ports.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createGroupDispatch, entryOf } from './group-dispatch.ts';
import { DOWNTIME_BATCH, remainingWait } from './groups.ts';
import { hasHeld, holdTimeOf } from './hold-time.ts';
import { createMutedQueue } from './muted-queue.ts';
import type { DispatchPolicy } from './policy.ts';

export interface NotificationQueue {
  /** A notification was queued, or a mute ended. */
  arrived(): void;
  readonly on: Required<Pick<Followers, 'caughtUp' | 'ledgerWritten' | 'mutesChanged' | 'rulesChanged'>>;
  /** Resumes the queue of an earlier run. */
  start(): void;
  stop(): void;
  /** The currently muted alerts. */
  heldBack(): readonly AlertLabels[];
}

export interface NotificationQueueOptions {
  readonly ledger: Ledger;
  readonly policy: DispatchPolicy;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
  readonly clock: Clock;
  readonly world: { now(): number; view(): { readonly speed: number } };
  readonly logger: Logger;
}

/** Delay after a failed write, ms. */
const RETRY = 5_000;
/** Interval of the checks for ended mutes, ms. */
const MUTE_CHECK_INTERVAL = 1_000;

export function createNotificationQueue(options: NotificationQueueOptions): NotificationQueue {
  const { ledger, policy, dispatcher, events, clock, world, logger } = options;
  const { notifications } = ledger;
  const groups = createGroupDispatch(options);
  const muted = createMutedQueue({ ledger, policy, groups, world, logger });
  const timers = new Map<string, Cancel>();
  let cancelChecks: Cancel = () => undefined;

  const announce = (ledgerIds: readonly number[]): void => {
    if (ledgerIds.length === 0) return;
    dispatcher.wake();
    events.emit('alertsChanged', { ledgerIds });
  };
  const arm = (batch: string, ms: number): void => {
    if (timers.has(batch)) return;
    const decideLater = (): void => {
      timers.delete(batch);
      decide(batch);
    };
    timers.set(batch, clock.after(ms, decideLater));
  };
  /** Writes the decisions about a batch; retries when the ledger cannot be written. */
  const decide = (batch: string): void => {
    let rows: readonly QueuedNotification[] = [];
    try {
      ledger.transaction(() => {
        rows = notifications.queued(batch);
        if (dropBrief(batch, rows)) return;
        if (groups.release(rows)) muted.expect();
      });
    } catch (error) {
      logger.warn({ batch, problem: messageOf(error) }, 'a batch could not be decided; retrying');
      arm(batch, RETRY);
      return;
    }
    announce(rows.map(({ ledgerId }) => ledgerId));
  };
  /** Drops a notification whose state did not hold long enough. */
  const dropBrief = (batch: string, [row]: readonly QueuedNotification[]): boolean => {
    const hold = holdTimeOf(batch);
    const entry = row === undefined || hold === null ? undefined : entryOf(ledger, row.ledgerId);
    if (row === undefined || hold === null || entry === undefined) return false;
    const least = hold * Math.max(1, world.view().speed);
    if (hasHeld(entry, laterChanges(ledger, entry), least)) return false;
    groups.drop(row, message('dropped.brief'));
    return true;
  };
  const resume = (): void => {
    for (const batch of notifications.queuedBatches()) {
      if (batch === MUTE_BATCH) muted.expect();
      if (batch === MUTE_BATCH || timers.has(batch)) continue;
      const [first] = notifications.queued(batch);
      if (first === undefined) continue;
      const wait = remainingWait(batch, first.since, clock.now());
      if (wait === 0 || (batch.startsWith('group:') && groups.joins(first))) decide(batch);
      else arm(batch, wait);
    }
  };
  const checkMutes = (): void => {
    const { ledgerIds, isChanged } = muted.check();
    announce(ledgerIds);
    if (isChanged) events.signal('mutesChanged');
  };

  const arrived = (): void => {
    resume();
    checkMutes();
  };
  return {
    arrived,
    on: {
      // All missed events were fetched.
      caughtUp() {
        timers.get(DOWNTIME_BATCH)?.();
        if (timers.delete(DOWNTIME_BATCH)) decide(DOWNTIME_BATCH);
      },
      // The file may have notifications that an earlier run queued.
      ledgerWritten: arrived,
      mutesChanged: arrived,
      rulesChanged: arrived,
    },
    start() {
      resume();
      cancelChecks = every(clock, MUTE_CHECK_INTERVAL, checkMutes);
    },
    stop() {
      cancelChecks();
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
    heldBack: muted.alerts,
  };
}
