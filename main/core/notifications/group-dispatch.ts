// Main, core: writes the decisions about queued notifications, and steps in their traces: those that waited together
// join the notification of their group, or become one.
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { messageColumn } from '../ledger/message-column.ts';
import { MUTE_BATCH, type QueuedNotification, WATCH_BATCH } from '../ledger/notification-queue.ts';
import { groupOf, joinedBy, LONGEST_GROWTH } from './groups.ts';
import { listedWith } from './inhibition.ts';
import type { DispatchPolicy } from './policy.ts';

/** Call these functions within a transaction. */
export interface GroupDispatch {
  /** Decides rows that waited together. Returns whether it muted any. */
  release(rows: readonly QueuedNotification[]): boolean;
  /** True when its group has a notification that it joins, so that it need not wait. */
  joins(row: QueuedNotification): boolean;
  mute(row: QueuedNotification, reason: Message): void;
  drop(row: QueuedNotification, reason: Message | null): void;
}

export interface GroupDispatchDeps {
  readonly ledger: Ledger;
  readonly policy: Pick<
    DispatchPolicy,
    'pause' | 'mayMute' | 'mutedBy' | 'inhibitor' | 'channelsOf' | 'groups' | 'labelsOf'
  >;
  readonly clock: Pick<Clock, 'now'>;
}

export const entryOf = (ledger: Pick<Ledger, 'entries'>, ledgerId: number): EntryRow | undefined =>
  ledger.entries.byLedgerIds([ledgerId])[0];

const idsOf = (rows: readonly QueuedNotification[]): string[] => rows.map(({ id }) => id);
const ledgerIdsOf = (rows: readonly QueuedNotification[]): number[] => rows.map(({ ledgerId }) => ledgerId);

export function createGroupDispatch({ ledger, policy, clock }: GroupDispatchDeps): GroupDispatch {
  const { notifications, trace } = ledger;

  const drop: GroupDispatch['drop'] = (row, reason) => {
    notifications.move(row.id, 'dropped', reason, null, clock.now());
    trace.append(row.ledgerId, 'dropped', reason, clock.now());
  };
  const mute: GroupDispatch['mute'] = (row, reason) => {
    notifications.move(row.id, 'muted', reason, MUTE_BATCH, clock.now());
    trace.append(row.ledgerId, 'waits', message('trace.held_back', { reason }), clock.now());
  };
  const mutedBy = ({ ledgerId }: QueuedNotification): Message | null => {
    const entry = entryOf(ledger, ledgerId);
    return entry === undefined ? null : policy.mutedBy(entry);
  };
  /** The notification that these events join, and why; null: none. */
  const joined = (entries: readonly EntryRow[]): { readonly id: string; readonly why: Message } | null => {
    const [inhibitor = null, ...more] = entries.map(({ symbol, transition }) =>
      policy.inhibitor(symbol, transition?.to_state ?? null),
    );
    if (inhibitor !== null && inhibitor.notificationId !== null && !more.includes(null))
      return { id: inhibitor.notificationId, why: listedWith(inhibitor) };
    const now = clock.now();
    const recent = notifications.recent(now - LONGEST_GROWTH, now);
    const groups = policy.groups();
    // Missed alerts of several groups are one notification: none of a group covers all of them.
    if (new Set(entries.map((entry) => groupOf(policy.labelsOf(entry), groups))).size > 1) return null;
    for (const entry of entries) {
      const event = { labels: policy.labelsOf(entry), occurredAt: entry.occurred_s };
      const id = joinedBy(recent, event, now, groups);
      if (id !== null) return { id, why: message('trace.joined', { id }) };
    }
    return null;
  };
  const isOfWatch = ({ batch }: QueuedNotification): boolean => batch === WATCH_BATCH;
  const send = (rows: readonly QueuedNotification[]): void => {
    const [first, ...others] = rows;
    if (first === undefined) return;
    const at = clock.now();
    // It says what was High Risk at the beginning of a watch, not what turned since.
    const grown = isOfWatch(first) ? null : joined(ledger.entries.byLedgerIds(ledgerIdsOf(rows)));
    const id = grown?.id ?? first.id;
    if (grown !== null) {
      notifications.grow(id, idsOf(rows), at);
      trace.appendToAll(ledgerIdsOf(rows), 'digest', grown.why, at);
    } else {
      // Why it waited is in its trace; why it comes after a mute, or with others, is in its text.
      const isSaid = isOfWatch(first) || first.outcome === 'muted' || others.length > 0;
      notifications.move(id, 'intent', isSaid ? first.reason : null, null, at);
      if (others.length > 0) {
        notifications.join(idsOf(others), id, at);
        appendGrouped(rows, at);
      }
    }
    for (const channel of policy.channelsOf(rows.flatMap(({ rules }) => rules))) notifications.copyTo(channel, id, at);
  };
  const appendGrouped = (rows: readonly QueuedNotification[], at: number): void => {
    for (const same of Map.groupBy(rows, ({ reason }) => messageColumn(reason)).values()) {
      const reason = same[0]?.reason ?? message('queued.burst');
      trace.appendToAll(ledgerIdsOf(same), 'digest', message('trace.digest', { others: rows.length - 1, reason }), at);
    }
  };

  return {
    release(rows) {
      const acknowledged = ledger.annotations.acknowledgedOf(ledgerIdsOf(rows));
      // Usually nothing is muted, and reading the entries may be expensive: there may be thousands.
      const mayMute = policy.mayMute();
      const pause = policy.pause();
      let hasMuted = false;
      const ready = rows.filter((row) => {
        const reason = mayMute ? mutedBy(row) : null;
        if (acknowledged.has(row.ledgerId)) drop(row, message('dropped.acknowledged'));
        else if (reason !== null) {
          mute(row, reason);
          hasMuted = true;
        } else if (pause === null) return true;
        else drop(row, pause);
        return false;
      });
      send(ready);
      return hasMuted;
    },
    joins: ({ ledgerId }) => joined(ledger.entries.byLedgerIds([ledgerId])) !== null,
    mute,
    drop,
  };
}
