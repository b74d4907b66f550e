// Main, core: writes the decisions about queued notifications, and steps in their traces.

import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageColumn } from '../ledger/message-column.ts';
import { digestId } from '../ledger/notification-ids.ts';
import { MUTE_BATCH, type QueuedNotification, WATCH_BATCH } from '../ledger/notification-queue.ts';
import { type BatchDecision, decideBatch } from './batching.ts';
import { groupOf, joinedBy, LONGEST_GROWTH } from './growth.ts';
import type { DispatchPolicy } from './policy.ts';
import { digestEventOf, worstOf } from './worst.ts';

/** Call these functions within a transaction. */
export interface BatchRelease {
  /** Decides the rows of a due batch. Returns whether it muted any. */
  release(batch: string, rows: readonly QueuedNotification[]): boolean;
  mute(row: QueuedNotification, reason: Message): void;
  drop(row: QueuedNotification, reason: Message | null): void;
}

export interface BatchReleaseDeps {
  readonly ledger: Ledger;
  readonly policy: Pick<
    DispatchPolicy,
    'pause' | 'mayMute' | 'mutedBy' | 'inhibitor' | 'channelsOf' | 'groups' | 'labelsOf'
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly riskOrder: () => RiskOrder;
}

export const entryOf = (ledger: Pick<Ledger, 'entries'>, ledgerId: number): EntryRow | undefined =>
  ledger.entries.byLedgerIds([ledgerId])[0];

export function createBatchRelease(deps: BatchReleaseDeps): BatchRelease {
  const { ledger, policy, clock } = deps;
  const { notifications, trace } = ledger;
  const { sendOne, sendDigest } = createSending(deps);

  const drop: BatchRelease['drop'] = (row, reason) => {
    notifications.move(row.id, 'dropped', reason, null, clock.now());
    trace.append(row.ledgerId, 'dropped', reason, clock.now());
  };
  const mute: BatchRelease['mute'] = (row, reason) => {
    notifications.move(row.id, 'muted', reason, MUTE_BATCH, clock.now());
    trace.append(row.ledgerId, 'waits', message('trace.held_back', { reason }), clock.now());
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
        mute(decision.row, decision.reason);
        return;
      case 'send':
        sendOne(decision.row, decision.reason);
    }
  };

  const mutedOf = (rows: readonly QueuedNotification[]): Map<number, Message> => {
    const muted = new Map<number, Message>();
    // Usually nothing is muted, and reading the entries may be expensive: there may be thousands.
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
    mute,
    drop,
  };
}

/** Makes queued notifications pending, alone or as a digest, or joins them to a notification that grows. */
function createSending({ ledger, policy, clock, riskOrder }: BatchReleaseDeps) {
  const { notifications, trace } = ledger;

  const inhibitorOf = ({ symbol, transition }: EntryRow) => policy.inhibitor(symbol, transition?.to_state ?? null);
  const copyToChannels = (rows: readonly QueuedNotification[], id: string): void => {
    for (const channel of policy.channelsOf(rows.flatMap(({ rules }) => rules)))
      notifications.copyTo(channel, id, clock.now());
  };
  /** The notification that rows of these events join, and why; null: none. */
  const joined = (entries: readonly EntryRow[]): { readonly id: string; readonly why: Message } | null => {
    const [inhibitor = null, ...more] = entries.map((entry) => inhibitorOf(entry));
    if (inhibitor !== null && inhibitor.notificationId !== null && !more.includes(null))
      return { id: inhibitor.notificationId, why: message('queued.inhibited', { symbol: inhibitor.symbol }) };
    const now = clock.now();
    const recent = notifications.recent(now - LONGEST_GROWTH, now);
    const groups = policy.groups();
    const grouped = new Set(entries.map((entry) => groupOf(policy.labelsOf(entry), groups)));
    // Alerts of several groups get their own digest, because no notification of a group covers all of them.
    if (grouped.size > 1) return null;
    for (const entry of entries) {
      const event = { labels: policy.labelsOf(entry), occurredAt: entry.occurred_s };
      const id = joinedBy(recent, event, now, groups);
      if (id !== null) return { id, why: message('trace.joined', { id }) };
    }
    return null;
  };
  const joinRows = (rows: readonly QueuedNotification[], { id, why }: NonNullable<ReturnType<typeof joined>>): void => {
    const at = clock.now();
    notifications.grow(
      id,
      rows.map((row) => row.id),
      at,
    );
    trace.appendToAll(
      rows.map(({ ledgerId }) => ledgerId),
      'digest',
      why,
      at,
    );
    copyToChannels(rows, id);
  };
  const sendOne = (row: QueuedNotification, reason: Message | null): void => {
    const isOfWatch = row.batch === WATCH_BATCH;
    const grown = isOfWatch ? null : joined(ledger.entries.byLedgerIds([row.ledgerId]));
    if (grown !== null) {
      joinRows([row], grown);
      return;
    }
    notifications.move(row.id, 'intent', isOfWatch ? row.reason : reason, null, clock.now());
    copyToChannels([row], row.id);
  };
  const sendDigest = (rows: readonly [QueuedNotification, ...QueuedNotification[]]): void => {
    const entries = ledger.entries.byLedgerIds(rows.map(({ ledgerId }) => ledgerId));
    // It says what was High Risk at the beginning of a watch, not what turned since.
    const grown = rows[0].batch === WATCH_BATCH ? null : joined(entries);
    if (grown !== null) {
      joinRows(rows, grown);
      return;
    }
    const [{ id: firstId, reason: firstReason }] = rows;
    const id = digestId(firstId);
    const at = clock.now();
    const rules = [...new Set(rows.flatMap((row) => row.rules))];
    const gravest = worstOf(entries.map(digestEventOf), riskOrder())?.ledger_id ?? 0;
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
      trace.appendToAll(ledgerIds, 'digest', step, at);
    }
    copyToChannels(rows, id);
  };
  return { sendOne, sendDigest };
}
