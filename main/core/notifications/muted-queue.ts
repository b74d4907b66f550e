// Main, core: holds back muted notifications; those of active alerts are released after the mute.

import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageColumn } from '../ledger/message-column.ts';
import { MUTE_BATCH, type QueuedNotification } from '../ledger/notification-queue.ts';
import type { Logger } from '../ports.ts';
import { entryOf, type GroupDispatch } from './group-dispatch.ts';
import { hasRunOut } from './mutes.ts';
import type { DispatchPolicy } from './policy.ts';

export interface MuteCheck {
  /** Events that were released or dropped, or whose mute has another reason now. */
  readonly ledgerIds: readonly number[];
  readonly isChanged: boolean;
}

export interface MutedQueue {
  /** Call when the ledger may have muted notifications. */
  expect(): void;
  /** Ends expired mutes, and releases their notifications. */
  check(): MuteCheck;
  /** The currently muted alerts. */
  alerts(): readonly AlertLabels[];
}

const NOTHING: MuteCheck = { ledgerIds: [], isChanged: false };

export interface MutedQueueDeps {
  readonly ledger: Ledger;
  readonly policy: Pick<DispatchPolicy, 'mutedBy' | 'labelsOf'>;
  readonly groups: GroupDispatch;
  /** World time, ms. */
  readonly world: { now(): number };
  readonly logger: Logger;
}

export function createMutedQueue({ ledger, policy, groups, world, logger }: MutedQueueDeps): MutedQueue {
  const { notifications } = ledger;
  /** False: no notification is muted, so the ledger is not read. */
  let isExpected = false;

  const releaseMuted = (): number[] => {
    const rows = notifications.queued(MUTE_BATCH);
    const ready: QueuedNotification[] = [];
    const over: QueuedNotification[] = [];
    const mutedAnew: number[] = [];
    for (const row of rows) {
      const entry = entryOf(ledger, row.ledgerId);
      if (entry === undefined) continue;
      const reason = policy.mutedBy(entry);
      if (reason !== null && messageColumn(reason) === messageColumn(row.reason)) continue;
      const isActive = laterChanges(ledger, entry).length === 0;
      if (reason === null) (isActive ? ready : over).push(row);
      else if (isActive) {
        // Another mute holds it now: the reason names that one.
        groups.mute(row, reason);
        mutedAnew.push(row.ledgerId);
      }
    }
    for (const row of over) groups.drop(row, message('muted.over', { reason: row.reason ?? '' }));
    const isMutedAgain = groups.release(ready);
    isExpected = isMutedAgain || rows.length > ready.length + over.length;
    return [...over, ...ready].map(({ ledgerId }) => ledgerId).concat(mutedAnew);
  };
  return {
    expect() {
      isExpected = true;
    },
    check() {
      const active = ledger.mutes.active();
      if (active.length === 0 && !isExpected) return NOTHING;
      const now = world.now();
      const ended = active.filter((mute) => hasRunOut(mute, now));
      try {
        const ledgerIds = ledger.transaction(() => {
          for (const mute of ended) ledger.mutes.end(mute.id, timestamp(mute.untilAt ?? now), 'its time came');
          return releaseMuted();
        });
        return { ledgerIds, isChanged: ledgerIds.length > 0 || ended.length > 0 };
      } catch (error) {
        logger.warn({ problem: messageOf(error) }, 'the end of a mute could not be written; retrying');
        return NOTHING;
      }
    },
    alerts: () =>
      isExpected
        ? notifications.queued(MUTE_BATCH).flatMap(({ ledgerId }) => {
            const entry = entryOf(ledger, ledgerId);
            return entry === undefined ? [] : [policy.labelsOf(entry)];
          })
        : [],
  };
}
