// Main, core: the queue of the outbox: notifications that wait for a batch, a hold time or a mute.

import type { Message } from '../../../shared/text/message.ts';
import type { Connection } from '../files/connection.ts';
import type { EntryRow } from './entries.ts';
import { messageColumn, readMessageColumn } from './message-column.ts';

/**
 * alert: about an event. again: a mute ended and the state is still active. digest: lists several, of earlier
 * versions, whose rows about several events had ids of their own. notice: about no event; the reason is its text.
 * self_test: the reason is its symbol, as plain text. outage: an outage or its end; the lines of the reason are
 * title and text.
 */
export type NotificationKind = 'alert' | 'again' | 'digest' | 'notice' | 'self_test' | 'outage';
/**
 * batched: waits for the rest of its batch. pending: its state must hold first. muted: waits for the end of a
 * mute.
 */
export type QueuedOutcome = 'batched' | 'pending' | 'muted';
/** The batch of what is High Risk when its symbol begins to be watched. */
export const WATCH_BATCH = 'watched';
/** The batch of all muted notifications. */
export const MUTE_BATCH = 'mute';

/** A queued notification. */
export interface QueuedNotification {
  readonly id: string;
  readonly ledgerId: number;
  readonly kind: NotificationKind;
  readonly rules: readonly string[];
  readonly outcome: QueuedOutcome;
  readonly reason: Message | null;
  readonly batch: string;
  /** Start of the wait, this computer's clock, ms. */
  readonly since: number;
}

/** A notification that another one names, or that one itself, with the line about its event. */
export interface Member
  extends Pick<EntryRow, 'ledger_id' | 'symbol' | 'to_state' | 'sources' | 'received_ms' | 'occurred_s'> {
  readonly id: string;
  /** Percent; null: it has none. */
  readonly confidence: number | null;
}

export interface NotificationQueueStore {
  /** The notifications of a batch, in the order of their events. */
  queued(batch: string): QueuedNotification[];
  /** Batches with queued notifications. The cost grows with the number of batches, not of notifications. */
  queuedBatches(): string[];
  /** Moves a queued notification on. */
  move(
    id: string,
    to: 'intent' | 'dropped' | QueuedOutcome,
    reason: Message | null,
    batch: string | null,
    at: number,
  ): void;
  /** The notifications that this one names, itself among them, in the order of their events. */
  membersOf(id: string): Member[];
  /** Ends these notifications: the first revision of another one names them. */
  join(ids: readonly string[], to: string, at: number): void;
}

interface Row {
  id: string;
  ledgerId: number;
  kind: NotificationKind;
  rules: string;
  outcome: QueuedOutcome;
  reason: string;
  batch: string;
  since: number;
}

const IS_WAITING = "outcome IN ('batched', 'pending', 'muted')";
/** The ids of a comma list. */
export const listOf = (text: string): string[] => (text === '' ? [] : text.split(','));

export function createNotificationQueueStore(db: Connection): NotificationQueueStore {
  // The index is named because the planner would otherwise read every notification, in the requested order.
  const waitingRows = `FROM notifications INDEXED BY notifications_waiting WHERE ${IS_WAITING}`;
  const waiting = db.prepare<[string], Row>(
    `SELECT id, ledger_id AS ledgerId, kind, rules, outcome, reason, batch, intent_ms AS since ${waitingRows} AND batch = ? ORDER BY ledger_id`,
  );
  // Steps from each batch to the next one.
  const queuedBatches = db.prepare<[], { batch: string }>(
    `WITH RECURSIVE batches (batch) AS (SELECT min(batch) ${waitingRows} AND batch >= ''
       UNION ALL SELECT (SELECT min(batch) ${waitingRows} AND batch > batches.batch) FROM batches WHERE batches.batch IS NOT NULL)
     SELECT batch FROM batches WHERE batch IS NOT NULL`,
  );
  const move = db.prepare(
    `UPDATE notifications SET outcome = ?, reason = ?, batch = ?, intent_ms = ? WHERE id = ? AND ${IS_WAITING}`,
  );
  const listed = `FROM notifications JOIN events USING (ledger_id) WHERE digest_id = @id OR (id = @id AND kind <> 'digest')`;
  const members = db.prepare<[{ id: string }], Member>(
    `SELECT id, ledger_id, symbol, to_state, confidence, sources, received_ms, occurred_s ${listed} ORDER BY ledger_id`,
  );
  const join = db.prepare(
    `UPDATE notifications SET outcome = 'digest', digest_id = ?, batch = NULL, outcome_ms = ?
     WHERE id IN (SELECT value FROM json_each(?)) AND ${IS_WAITING}`,
  );

  return {
    queuedBatches: () => queuedBatches.all().map((row) => row.batch),
    queued: (batch) =>
      waiting.all(batch).map((row) => ({ ...row, rules: listOf(row.rules), reason: readMessageColumn(row.reason) })),
    move: (id, to, reason, batch, at) => void move.run(to, messageColumn(reason), batch, at, id),
    membersOf: (id) => members.all({ id }),
    join: (ids, to, at) => void join.run(to, at, JSON.stringify(ids)),
  };
}
