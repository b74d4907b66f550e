// Main, core: the outbox: one permanent row per notification, from the decision to the outcome.
// The desktop replaces a notification that has the same id.

import { type Message, message } from '../../../shared/text/message.ts';
import type { Connection } from '../files/connection.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';
import { createNewestNotifiedStore, type NewestNotifiedStore } from './newest-notified.ts';
import { createEscalationStore, type EscalationStore } from './notification-escalation.ts';
import { createGrowthStore, type GrowthStore } from './notification-growth.ts';
import { createOutcomeStore, type OutcomeStore } from './notification-outcomes.ts';
import {
  createNotificationQueueStore,
  type NotificationKind,
  type NotificationQueueStore,
  type QueuedOutcome,
} from './notification-queue.ts';
import { createSettlementStore, type SettlementStore } from './notification-settlement.ts';
import { createSoundStore, type SoundStore } from './notification-sounds.ts';

/** A notification as it is first written. */
export interface NewNotification {
  /** Derived from the event's id. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** Ids of the rules that matched, in order. */
  readonly rules: readonly string[];
  /** Percent at the time of the decision; null when unknown. */
  readonly baseRate: number | null;
  /** shown: it was shown before the ledger was lost. */
  readonly outcome: 'intent' | 'dropped' | 'shown' | QueuedOutcome;
  /** Why it is queued or dropped; null: dispatched at once. */
  readonly reason: Message | null;
  /** Batch of a queued notification. */
  readonly batch: string | null;
}

/** A notification that no channel has confirmed. */
export interface PendingNotification {
  readonly id: string;
  /** 0: about no event. */
  readonly ledgerId: number;
  readonly kind: NotificationKind;
  /** "desktop", or the id of its channel. */
  readonly channel: string;
  readonly baseRate: number | null;
  readonly reason: Message | null;
  readonly attempts: number;
  /** This computer's clock, ms. */
  readonly since: number;
  /** Incremented by each event that joins it. */
  readonly revision: number;
  /** The newest accepted revision; 0: none was. */
  readonly acceptedRevision: number;
  /** When it was accepted, ms; null: none was. */
  readonly acceptedAt: number | null;
  /** Of a step of an escalation: minutes after the notification; 0: none. */
  readonly step: number;
}

/** new_desktop: desktop notifications without an attempt. others: every other channel. */
export type PendingFilter = 'all' | 'desktop' | 'new_desktop' | 'others';
const CONDITIONS: Readonly<Record<PendingFilter, string>> = {
  all: 'TRUE',
  desktop: "channel = 'desktop'",
  new_desktop: "channel = 'desktop' AND outcome = 'intent'",
  others: "channel <> 'desktop'",
};

type NoticeField = 'id' | 'kind' | 'reason';
type Notice = Pick<NewNotification, NoticeField> & Partial<Omit<NewNotification, NoticeField | 'joins'>>;

export interface NotificationStore
  extends NotificationQueueStore,
    OutcomeStore,
    EscalationStore,
    SettlementStore,
    GrowthStore,
    SoundStore,
    NewestNotifiedStore {
  /** Writes a desktop notification; keeps an existing one and returns false. `at`: ms. */
  write(ledgerId: number, notification: NewNotification, at: number): boolean;
  /** Writes a desktop notification about no event, to be dispatched at once. */
  writeNotice(notice: Notice, at: number): void;
  /** Drops a notice that the desktop never accepted: another replaces it. */
  replaceNotice(id: string, at: number): void;
  /**
   * Copies a notification to a channel; a copy that exists is sent again with what joined since, as long as a new one,
   * also where the earlier one was given up.
   */
  copyTo(channel: string, id: string, at: number): void;
  /** Unconfirmed notifications, oldest event first, at most `limit`. */
  pending(limit: number, of?: PendingFilter): PendingNotification[];
  /** The notification with this id, pending or not; null: none has it. */
  byId(id: string): PendingNotification | null;
}

const COLUMNS = `id, ledger_id AS ledgerId, kind, channel, base_rate AS baseRate, reason, attempts, intent_ms AS since, revision,
  taken_revision AS acceptedRevision, CASE WHEN taken_revision > 0 THEN outcome_ms END AS acceptedAt, step_minutes AS step`;

export function createNotificationStore(db: Connection): NotificationStore {
  const put =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts, taken_revision)
    VALUES (?, ?, 'desktop', ?, ?, ?, ?, ?, ?, ?, '', 0, ?) ON CONFLICT DO NOTHING`);
  const copy =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts, revision)
    SELECT id || '@' || ?, ledger_id, ?, kind, rules, base_rate, ?, 'intent', reason, NULL, '', 0, revision FROM notifications WHERE id = ?
    ON CONFLICT DO UPDATE SET outcome = 'intent', intent_ms = excluded.intent_ms, revision = excluded.revision, attempts = 0, settled = NULL
      WHERE revision < excluded.revision`);
  const openOf = (of: PendingFilter) =>
    db.prepare<[number], Omit<PendingNotification, 'reason'> & { readonly reason: string }>(
      `SELECT ${COLUMNS} FROM notifications
       WHERE outcome IN ('intent', 'failed') AND ${CONDITIONS[of]} ORDER BY ledger_id LIMIT ?`,
    );
  const open = {
    all: openOf('all'),
    desktop: openOf('desktop'),
    new_desktop: openOf('new_desktop'),
    others: openOf('others'),
  };
  const rowById = db.prepare<[string], Omit<PendingNotification, 'reason'> & { readonly reason: string }>(
    `SELECT ${COLUMNS} FROM notifications WHERE id = ?`,
  );
  const sounds = createSoundStore(db);
  const outcomes = createOutcomeStore(db);
  const write: NotificationStore['write'] = (ledgerId, notification, at) => {
    const { id, kind, rules, baseRate, outcome, reason, batch } = notification;
    const columns = [id, ledgerId, kind, rules.join(','), baseRate, at, outcome, messageColumn(reason), batch];
    return put.run(...columns, outcome === 'shown' ? 1 : 0).changes > 0;
  };

  return {
    ...createNotificationQueueStore(db),
    ...createGrowthStore(db),
    ...createEscalationStore(db, sounds),
    ...createSettlementStore(db),
    ...sounds,
    ...outcomes,
    ...createNewestNotifiedStore(db),
    byId(id) {
      const row = rowById.get(id);
      return row === undefined ? null : { ...row, reason: readMessageColumn(row.reason) };
    },
    write,
    writeNotice({ id, kind, reason, rules = [], baseRate = null, outcome = 'intent', batch = null }, at) {
      write(0, { id, kind, reason, rules, baseRate, outcome, batch }, at);
    },
    replaceNotice(id, at) {
      const { outcome } = outcomes.find(id) ?? {};
      if (outcome === 'intent' || outcome === 'failed')
        outcomes.record(id, 'dropped', at, message('delivery.replaced'));
    },
    copyTo: (channel, id, at) => void copy.run(channel, channel, at, id),
    pending: (limit, of = 'all') =>
      open[of].all(limit).map((row) => ({ ...row, reason: readMessageColumn(row.reason) })),
  };
}
