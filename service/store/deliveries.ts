// Service, store: the pending deliveries of each subscription, and every attempt at them.
// A row is pending until it is delivered or given up.
import type { Database } from 'better-sqlite3';
import type { EventEnvelope } from '../../shared/wire/events.ts';

export type DeliveryKind = 'event' | 'replay' | 'test';
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Times in ms of the clock of the retries. */
export interface StoredDelivery {
  readonly id: number;
  readonly subscriptionId: string;
  readonly seq: number;
  readonly eventId: string;
  readonly event: string;
  readonly kind: DeliveryKind;
  readonly status: DeliveryStatus;
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly settledAt: number | null;
  readonly rung: number;
  /** The envelope; null when the log no longer has it. */
  readonly body: string | null;
}

export interface Attempt {
  /** Ms of the clock of the retries. */
  readonly at: number;
  /** HTTP status; null when there was none. */
  readonly status: number | null;
  readonly latencyMs: number;
  /** Why the attempt failed; null when it succeeded. */
  readonly error: string | null;
  /** Beginning of the answer's body. */
  readonly response: string | null;
}

export interface DeliveryStore {
  /**
   * Adds a pending row, due at `at`. For kind `event` an existing row stays unchanged. Returns its id, 0 for
   * an existing one.
   */
  add(
    subscriptionId: string,
    envelope: Pick<EventEnvelope, 'seq' | 'event_id' | 'event'>,
    kind: DeliveryKind,
    at: number,
  ): number;
  find(id: number): StoredDelivery | null;
  /** Pending rows due at or before `now`, the longest due first. */
  due(subscriptionId: string, now: number, limit: number): StoredDelivery[];
  /** The due time of the next pending row after `now`, or null. */
  nextDue(subscriptionId: string, now: number): number | null;
  recordAttempt(id: number, attempt: Attempt): void;
  attempts(id: number): (Attempt & { number: number })[];
  settle(id: number, status: 'delivered' | 'failed', at: number): void;
  retryAt(id: number, dueAt: number, rung: number): void;
  /**
   * Makes undelivered rows created at or after `from` due at `now`, as first attempts. Returns their number.
   */
  recover(subscriptionId: string, from: number, now: number): number;
  /** Gives up pending rows created before `instant`. */
  expire(subscriptionId: string, instant: number, now: number): void;
  /** Newest first, below id `below`. */
  list(subscriptionId: string, status: DeliveryStatus | null, below: number | null, limit: number): StoredDelivery[];
  /** Deletes rows settled before `instant`, at most `limit`; how many it deleted. */
  prune(instant: number, limit: number): number;
}

const COLUMNS = `d.id, d.subscription_id AS subscriptionId, seq, d.event_id AS eventId, d.event, d.kind, d.status,
  d.created_at AS createdAt, d.due_at AS dueAt, d.settled_at AS settledAt, d.rung, e.body`;

export function openDeliveries(database: Database): DeliveryStore {
  const rows = <Given extends unknown[]>(rest: string) =>
    database.prepare<Given, StoredDelivery>(
      `SELECT ${COLUMNS} FROM deliveries d LEFT JOIN events e USING (seq) ${rest}`,
    );
  const add = database.prepare<[string, number, string, string, DeliveryKind, number, number]>(
    `INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at, due_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT DO NOTHING`,
  );
  const byId = rows<[number]>('WHERE d.id = ?');
  const due = rows<[string, number, number]>(
    "WHERE d.subscription_id = ? AND d.status = 'pending' AND d.due_at <= ? ORDER BY d.due_at, d.id LIMIT ?",
  );
  const nextDue = database
    .prepare<[string, number], number | null>(
      "SELECT min(due_at) FROM deliveries WHERE subscription_id = ? AND status = 'pending' AND due_at > ?",
    )
    .pluck();
  const record = database.prepare<[number, number, number, number | null, number, string | null, string | null]>(
    `INSERT INTO attempts (delivery_id, number, at, status, latency_ms, error, response)
     VALUES (?, (SELECT count(*) + 1 FROM attempts WHERE delivery_id = ?), ?, ?, ?, ?, ?)`,
  );
  const attempts = database.prepare<[number], Attempt & { number: number }>(
    `SELECT number, at, status, latency_ms AS latencyMs, error, response FROM attempts WHERE delivery_id = ? ORDER BY number`,
  );
  const settle = database.prepare<[string, number, number]>(
    'UPDATE deliveries SET status = ?, due_at = NULL, settled_at = ?, rung = rung + 1 WHERE id = ?',
  );
  const retry = database.prepare<[number, number, number]>('UPDATE deliveries SET due_at = ?, rung = ? WHERE id = ?');
  const recover = database.prepare<[number, string, number]>(
    `UPDATE deliveries SET status = 'pending', due_at = ?, settled_at = NULL, rung = 0
     WHERE subscription_id = ? AND created_at >= ? AND status IN ('pending', 'failed') AND kind <> 'test'`,
  );
  const expire = database.prepare<[number, string, number]>(
    "UPDATE deliveries SET status = 'failed', due_at = NULL, settled_at = ? WHERE subscription_id = ? AND status = 'pending' AND created_at < ?",
  );
  const listed = rows<[string, number, number]>('WHERE d.subscription_id = ? AND d.id < ? ORDER BY d.id DESC LIMIT ?');
  const listedBy = rows<[string, number, string, number]>(
    'WHERE d.subscription_id = ? AND d.id < ? AND d.status = ? ORDER BY d.id DESC LIMIT ?',
  );
  const prune = database.prepare<[number, number]>(
    'DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE settled_at < ? ORDER BY settled_at LIMIT ?)',
  );

  return {
    add(subscriptionId, { seq, event_id, event }, kind, at) {
      const { changes, lastInsertRowid } = add.run(subscriptionId, seq, event_id, event, kind, at, at);
      return changes === 0 ? 0 : Number(lastInsertRowid);
    },
    find: (id) => byId.get(id) ?? null,
    due: (subscriptionId, now, limit) => due.all(subscriptionId, now, limit),
    nextDue: (subscriptionId, now) => nextDue.get(subscriptionId, now) ?? null,
    recordAttempt: (id, { at, status, latencyMs, error, response }) =>
      void record.run(id, id, at, status, latencyMs, error, response),
    attempts: (id) => attempts.all(id),
    settle: (id, status, at) => void settle.run(status, at, id),
    retryAt: (id, dueAt, rung) => void retry.run(dueAt, rung, id),
    recover: (subscriptionId, from, now) => recover.run(now, subscriptionId, from).changes,
    expire: (subscriptionId, instant, now) => void expire.run(now, subscriptionId, instant),
    list: (subscriptionId, status, below, limit) =>
      status === null
        ? listed.all(subscriptionId, below ?? Number.MAX_SAFE_INTEGER, limit)
        : listedBy.all(subscriptionId, below ?? Number.MAX_SAFE_INTEGER, status, limit),
    prune: (instant, limit) => prune.run(instant, limit).changes,
  };
}
