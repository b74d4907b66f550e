// Main, core: decides queued notifications and writes the decisions, with a step in each event's trace.

import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageColumn } from '../ledger/message-column.ts';
import { MUTE_BATCH, type QueuedNotification } from '../ledger/notification-queue.ts';
import { type BatchDecision, decideBatch, gravestOf } from './batching.ts';
import type { DispatchPolicy } from './policy.ts';
import { digestId } from './text.ts';

/** Call its functions within a transaction. */
export interface BatchRelease {
  /** Decides the rows of a due batch. Returns whether it muted any. */
  release(batch: string, rows: readonly QueuedNotification[]): boolean;
  drop(row: QueuedNotification, reason: Message | null): void;
}

export interface BatchReleaseDeps {
  readonly ledger: Ledger;
  readonly policy: Pick<DispatchPolicy, 'pause' | 'mayMute' | 'mutedBy' | 'withChannel'>;
  readonly clock: Pick<Clock, 'now'>;
}

export const entryOf = (ledger: Pick<Ledger, 'entries'>, ledgerId: number): EntryRow | undefined =>
  ledger.entries.byLedgerIds([ledgerId])[0];

export function createBatchRelease({ ledger, policy, clock }: BatchReleaseDeps): BatchRelease {
  const { notifications, trace } = ledger;

  const copyToChannels = (rows: readonly QueuedNotification[], id: string): void => {
    for (const rule of policy.withChannel(rows.flatMap(({ rules }) => rules)))
      notifications.copyTo(rule, id, clock.now());
  };
  const sendDigest = (rows: readonly [QueuedNotification, ...QueuedNotification[]]): void => {
    const [{ id: firstId, reason: firstReason }] = rows;
    const id = digestId(firstId);
    const at = clock.now();
    const rules = [...new Set(rows.flatMap((row) => row.rules))];
    const gravest = gravestOf(ledger.entries.byLedgerIds(rows.map(({ ledgerId }) => ledgerId)));
    const digest = { id, kind: 'digest', rules, baseRate: null, outcome: 'intent', batch: null } as const;
    notifications.write(gravest, { ...digest, reason: firstReason }, at);
    notifications.join(
      rows.map((row) => row.id),
      id,
      at,
    );
    for (const same of Map.groupBy(rows, (row) => messageColumn(row.reason)).values()) {
      const reason = same[0]?.reason ?? '';
      const step = message('trace.digest', { others: rows.length - 1, reason });
      const ledgerIds = same.map(({ ledgerId }) => ledgerId);
      trace.noteEach(ledgerIds, 'digest', step, at);
    }
    copyToChannels(rows, id);
  };
  const drop: BatchRelease['drop'] = (row, reason) => {
    notifications.move(row.id, 'dropped', reason, null, clock.now());
    trace.note(row.ledgerId, 'dropped', reason, clock.now());
  };
  const write = (decision: BatchDecision): void => {
    switch (decision.kind) {
      case 'digest':
        sendDigest(decision.rows);
        return;
      case 'drop':
        drop(decision.row, decision.reason);
        return;
      case 'mute':
        notifications.move(decision.row.id, 'muted', decision.reason, MUTE_BATCH, clock.now());
        trace.note(
          decision.row.ledgerId,
          'waits',
          message('trace.held_back', { reason: decision.reason ?? '' }),
          clock.now(),
        );
        return;
      case 'send':
        notifications.move(decision.row.id, 'intent', decision.reason, null, clock.now());
        copyToChannels([decision.row], decision.row.id);
    }
  };

  const mutedOf = (rows: readonly QueuedNotification[]): Map<number, Message> => {
    const muted = new Map<number, Message>();
    // Usually nothing is muted, and there may be thousands of entries to read.
    if (!policy.mayMute()) return muted;
    for (const { ledgerId } of rows) {
      const entry = entryOf(ledger, ledgerId);
      const reason = entry === undefined ? null : policy.mutedBy(entry);
      if (reason !== null) muted.set(ledgerId, reason);
    }
    return muted;
  };
  return {
    release(batch, rows) {
      const muted = mutedOf(rows);
      const acknowledged = ledger.annotations.acknowledgedOf(rows.map(({ ledgerId }) => ledgerId));
      const decisions = decideBatch(batch, rows, { acknowledged, muted, pause: policy.pause() });
      for (const decision of decisions) write(decision);
      return decisions.some(({ kind }) => kind === 'mute');
    },
    drop,
  };
}
