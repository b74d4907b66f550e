// Main, core: the outbox: one permanent row per notification, from the decision to the outcome.
// The desktop replaces a notification that has the same id.
import type { Database } from 'better-sqlite3';
import { type NotificationDispatch, NotificationDispatchSchema } from '../../../shared/channels/state.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from './entries.ts';

/**
 * alert: about an event. again: a mute ended and the state is still active. digest: lists several. notice:
 * about no event; the reason is its text. self_test: the reason is its symbol. outage: an outage or its end;
 * the lines of the reason are title and text.
 */
export type NotificationKind = 'alert' | 'again' | 'digest' | 'notice' | 'self_test' | 'outage';
/**
 * batched: waits for the rest of its batch. pending: its state must hold first. muted: waits for the end of a
 * mute.
 */
export type QueuedOutcome = 'batched' | 'pending' | 'muted';
/** The batch of all muted notifications. */
export const MUTE_BIN = 'mute';

/** A notification as it is first written. */
export interface NewNotification {
  /** Derived from the event's id. */
  readonly id: string;
  readonly kind: NotificationKind;
  /** Ids of the rules that matched, in order. */
  readonly rules: readonly string[];
  /** Percent at the time of the decision; null when unknown. */
  readonly baseRate: number | null;
  readonly outcome: 'intent' | 'dropped' | QueuedOutcome;
  /** Why it is queued or dropped; empty when it is dispatched at once. */
  readonly reason: string;
  /** Batch of a queued notification. */
  readonly batch: string | null;
}

/** To be dispatched now. */
export interface Intent {
  readonly id: string;
  /** 0: about no event. */
  readonly ledgerId: number;
  readonly kind: NotificationKind;
  /** "desktop", or the id of the rule whose channel it uses. */
  readonly channel: string;
  readonly baseRate: number | null;
  readonly reason: string;
  readonly attempts: number;
  /** This computer's clock, ms. */
  readonly since: number;
}

/** A queued notification. */
export interface QueuedNotification {
  readonly id: string;
  readonly ledgerId: number;
  readonly kind: NotificationKind;
  readonly rules: readonly string[];
  readonly outcome: QueuedOutcome;
  readonly reason: string;
  readonly batch: string;
  /** Start of the wait, this computer's clock, ms. */
  readonly since: number;
}

/** A notification that a digest lists, with the digest's line about its event. */
export interface Member
  extends Pick<EntryRow, 'ledger_id' | 'symbol' | 'to_state' | 'sources' | 'received_ms' | 'occurred_s'> {
  readonly id: string;
}

/** A notification as the inbox shows it. */
export interface NotificationRow {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly channel: string;
  readonly rules: readonly string[];
  readonly outcome: string;
  readonly reason: string;
  readonly digestId: string | null;
  readonly at: number;
  readonly detail: string;
}

export type DeliveryOutcome = NotificationDispatch['outcome'] | 'sent' | 'dropped';

export interface NotificationStore {
  /** Writes a desktop notification; keeps an existing one and returns false. `at`: ms. */
  write(ledgerId: number, notification: NewNotification, at: number): boolean;
  /** Copies a notification to the channel of a rule. */
  copyTo(rule: string, id: string, at: number): void;
  /** Notifications that no channel has confirmed, oldest event first, at most `limit`. */
  openIntents(limit: number): Intent[];
  /** Returns the events of the notification. */
  record(id: string, outcome: DeliveryOutcome, at: number, detail: string): number[];
  /** The notifications of a batch, in the order of their events. */
  queued(batch: string): QueuedNotification[];
  /** Batches with queued notifications. The cost depends on the number of batches, not of notifications. */
  queuedBatches(): string[];
  /** Moves a queued notification on. */
  move(id: string, to: 'intent' | 'dropped' | QueuedOutcome, reason: string, batch: string | null, at: number): void;
  /** The notifications that a digest lists, in the order of their events. */
  membersOf(digestId: string): Member[];
  /** Settles these notifications: a digest lists them. */
  join(ids: readonly string[], digestId: string, at: number): void;
  of(ledgerId: number): NotificationRow[];
  /** Its outcome; null: no notification has this id. */
  find(id: string): Pick<NotificationRow, 'outcome' | 'detail'> | null;
  /** How the desktop received it: alone or in a digest. */
  dispatchOf(ledgerId: number): NotificationDispatch | null;
  /** Events of a notification that the desktop or a window names. */
  eventsOf(id: string): number[];
  /** Time of the decision about the newest market notification for the desktop, this computer's clock, ms. */
  newestOnDesktop(): number | null;
}

interface Row {
  id: string;
  ledgerId: number;
  kind: NotificationKind;
  channel: string;
  rules: string;
  baseRate: number | null;
  intentMs: number;
  outcome: string;
  reason: string;
  batch: string | null;
  digestId: string | null;
  outcomeMs: number | null;
  detail: string;
  attempts: number;
}

const COLUMNS = `id, ledger_id AS ledgerId, kind, channel, rules, base_rate AS baseRate, intent_ms AS intentMs, outcome, reason, batch,
  digest_id AS digestId, outcome_ms AS outcomeMs, detail, attempts`;
const IS_WAITING = "outcome IN ('batched', 'pending', 'muted')";
const list = (text: string): string[] => (text === '' ? [] : text.split(','));

export function createNotificationStore(db: Database): NotificationStore {
  const put =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts)
    VALUES (?, ?, 'desktop', ?, ?, ?, ?, ?, ?, ?, '', 0) ON CONFLICT DO NOTHING`);
  const copy =
    db.prepare(`INSERT INTO notifications (id, ledger_id, channel, kind, rules, base_rate, intent_ms, outcome, reason, batch, detail, attempts)
    SELECT id || '@' || ?, ledger_id, ?, kind, rules, base_rate, ?, 'intent', reason, NULL, '', 0 FROM notifications WHERE id = ? ON CONFLICT DO NOTHING`);
  const open = db.prepare<[number], Intent>(
    `SELECT id, ledger_id AS ledgerId, kind, channel, base_rate AS baseRate, reason, attempts, intent_ms AS since FROM notifications
     WHERE outcome IN ('intent', 'failed') ORDER BY ledger_id LIMIT ?`,
  );
  // An abandoned notification stays so, whatever a running attempt returns.
  const set = db.prepare(
    "UPDATE notifications SET outcome = ?, outcome_ms = ?, detail = ?, attempts = attempts + 1 WHERE id = ? AND outcome <> 'dropped'",
  );
  // The index is named because the planner would otherwise read every notification, in the requested order.
  const waitingRows = `FROM notifications INDEXED BY notifications_waiting WHERE ${IS_WAITING}`;
  const waiting = db.prepare<[string], Row>(`SELECT ${COLUMNS} ${waitingRows} AND batch = ? ORDER BY ledger_id`);
  // Steps from each batch to the next one.
  const queuedBatches = db.prepare<[], { batch: string }>(
    `WITH RECURSIVE batches (batch) AS (SELECT min(batch) ${waitingRows} AND batch >= ''
       UNION ALL SELECT (SELECT min(batch) ${waitingRows} AND batch > batches.batch) FROM batches WHERE batches.batch IS NOT NULL)
     SELECT batch FROM batches WHERE batch IS NOT NULL`,
  );
  const move = db.prepare(
    `UPDATE notifications SET outcome = ?, reason = ?, batch = ?, intent_ms = ? WHERE id = ? AND ${IS_WAITING}`,
  );
  const named = db.prepare<[string], { ledgerId: number }>(
    'SELECT ledger_id AS ledgerId FROM notifications WHERE digest_id = ? ORDER BY ledger_id',
  );
  const members = db.prepare<[string], Member>(
    `SELECT id, ledger_id, symbol, to_state, sources, received_ms, occurred_s FROM notifications JOIN events USING (ledger_id)
     WHERE digest_id = ? ORDER BY ledger_id`,
  );
  const join = db.prepare(
    `UPDATE notifications SET outcome = 'digest', digest_id = ?, batch = NULL, outcome_ms = ?
     WHERE id IN (SELECT value FROM json_each(?)) AND ${IS_WAITING}`,
  );
  const ofEvent = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM notifications WHERE ledger_id = ? AND kind <> 'digest'`,
  );
  /**
   * Oldest first, sorted here: a sorter in SQLite would be made for every event, and most events have no
   * rows.
   */
  const rowsOf = (ledgerId: number): Row[] =>
    ofEvent.all(ledgerId).sort((a, b) => a.intentMs - b.intentMs || (a.id < b.id ? -1 : 1));
  const byId = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM notifications WHERE id = ?`);
  const newest = db.prepare<[], { at: number }>(
    `SELECT intent_ms AS at FROM notifications INDEXED BY notifications_newest
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'shown', 'in_app') AND kind NOT IN ('self_test', 'outage') ORDER BY intent_ms DESC LIMIT 1`,
  );

  /** `x@rule` is `x` on another channel. */
  const namedBy = (row: Row): number[] => {
    if (row.kind !== 'digest') return row.ledgerId === 0 ? [] : [row.ledgerId];
    const [first = row.id] = row.id.split('@');
    return named.all(first).map(({ ledgerId }) => ledgerId);
  };

  return {
    write: (ledgerId, { id, kind, rules, baseRate, outcome, reason, batch }, at) =>
      put.run(id, ledgerId, kind, rules.join(','), baseRate, at, outcome, reason, batch).changes > 0,
    copyTo: (rule, id, at) => void copy.run(rule, rule, at, id),
    openIntents: (limit) => open.all(limit),
    record(id, outcome, at, detail) {
      set.run(outcome, at, detail.slice(0, 500), id);
      const row = byId.get(id);
      return row === undefined ? [] : namedBy(row);
    },
    queuedBatches: () => queuedBatches.all().map((row) => row.batch),
    queued: (batchName) =>
      waiting.all(batchName).map(({ id, ledgerId, kind, rules, outcome, reason, batch, intentMs }) => ({
        id,
        ledgerId,
        kind,
        rules: list(rules),
        outcome: outcome as QueuedOutcome,
        reason,
        batch: batch ?? '',
        since: intentMs,
      })),
    move: (id, to, reason, batch, at) => void move.run(to, reason, batch, at, id),
    membersOf: (digestId) => members.all(digestId),
    join: (ids, digestId, at) => void join.run(digestId, at, JSON.stringify(ids)),
    of: (ledgerId) =>
      rowsOf(ledgerId).map((row) => ({
        id: row.id,
        kind: row.kind,
        channel: row.channel,
        rules: list(row.rules),
        outcome: row.outcome,
        reason: row.reason,
        digestId: row.digestId,
        at: row.outcomeMs ?? row.intentMs,
        detail: row.detail,
      })),
    find(id) {
      const row = byId.get(id);
      return row === undefined ? null : { outcome: row.outcome, detail: row.detail };
    },
    dispatchOf(ledgerId) {
      const own = rowsOf(ledgerId).findLast(
        ({ channel, outcome }) => channel === 'desktop' && outcome !== 'muted' && outcome !== 'dropped',
      );
      if (own === undefined) return null;
      const row = own.digestId === null ? own : (byId.get(own.digestId) ?? own);
      const isWaiting = row.outcome === 'batched' || row.outcome === 'pending';
      return NotificationDispatchSchema.parse({
        notification_id: row.id,
        outcome: isWaiting ? 'intent' : row.outcome,
        at: timestamp(row.outcomeMs ?? row.intentMs),
        detail: row.detail,
      });
    },
    eventsOf(id) {
      const row = byId.get(id);
      return row === undefined ? [] : namedBy(row);
    },
    newestOnDesktop: () => newest.get()?.at ?? null,
  };
}
