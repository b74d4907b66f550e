// Main, core: relay.sqlite: the targets, their pending events, and dead letters.
// The ledger is the queue's source: a target has a position in it, and the transaction that advances the
// position writes the events up to it as rows here.
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { type TargetFilter, TargetFilterSchema } from '../../../shared/channels/relay.ts';
import { HOUR_MS } from '../../../shared/lib/time.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { RELAY_MIGRATIONS } from './migrations.ts';

const NAME = 'relay.sqlite';

/**
 * name: of this relay, in trails. subscription: its id at the service. printed: ledger id up to which a
 * terminal has printed the ledger.
 */
export type RelayMetadataKey = 'name' | 'subscription' | 'printed';

export interface StoredTarget {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly filter: TargetFilter;
  readonly allowPublic: boolean;
  readonly position: number;
  /** World time, seconds. */
  readonly since: number;
}

export interface PendingForward {
  readonly id: number;
  readonly eventId: string;
  readonly body: string;
  readonly attempts: number;
}

export interface DeadLetter {
  readonly eventId: string;
  readonly body: string;
  readonly why: 'too_old' | 'ahead' | 'unreadable';
  /** This computer's clock, ms. */
  readonly receivedAt: number;
}

/** Counts of one target. Times: this computer's clock, ms. */
export interface Tally {
  readonly queue: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** When the next one is tried; null: nothing is pending. */
  readonly nextAt: number | null;
  readonly last: {
    readonly at: number;
    readonly eventId: string;
    readonly status: number | null;
    readonly error: string | null;
  } | null;
}

export interface RelayStore {
  targets(): StoredTarget[];
  addTarget(target: StoredTarget): void;
  removeTarget(id: string): void;
  /** Makes rows for these events and advances the target's position, in one transaction. `now`: ms. */
  enqueue(
    target: string,
    position: number,
    events: readonly { readonly eventId: string; readonly body: string }[],
    now: number,
  ): void;
  /** Resets every position beyond the ledger's end: the ledger was lost and is filled again. */
  rewind(highest: number): void;
  /** The first due event, oldest first; a time so far off that only a set clock explains it counts as due. */
  due(target: string, now: number): PendingForward | null;
  settle(id: number, outcome: 'delivered' | 'failed', at: number, status: number | null, error: string | null): void;
  retry(id: number, dueAt: number, at: number, status: number, error: string): void;
  /** Pauses a target that did not answer: its pending events wait, and no attempt is counted. */
  rest(target: string, id: number, until: number, at: number, error: string): void;
  tally(target: string): Tally;
  addDeadLetter(one: DeadLetter): void;
  deadLetters(): DeadLetter[];
  countDeadLetters(): number;
  dropDeadLetter(eventId: string): void;
  /** Relays that an event had passed before this one; null: none. */
  trail(eventId: string): string | null;
  setTrail(eventId: string, trail: string): void;
  getMetadata(name: RelayMetadataKey): string | null;
  setMetadata(name: RelayMetadataKey, value: string | null): void;
  /**
   * Deletes events settled or quarantined before this instant, and gives up events pending since then, ms.
   */
  prune(before: number): void;
  close(): void;
}

/** Longest wait between two attempts, ms. */
const LONGEST_WAIT = 2 * HOUR_MS;
const MOST_DEAD_LETTERS = 1_000;

const TargetRowSchema = z.object({
  id: z.string(),
  url: z.string(),
  secret: z.string(),
  filter: z.string().transform((text) => TargetFilterSchema.parse(JSON.parse(text))),
  allow_public: z.number(),
  position: z.number(),
  since_s: z.number(),
});

/**
 * @param folder of the profile; ":memory:" keeps everything in memory
 * @param stamp becomes part of the name of a quarantined file
 * @param say receives one line when a file was quarantined
 */
export function openRelayStore(folder: string, stamp: string, say: (line: string) => void): RelayStore {
  return createRelayStore(open(folder, stamp, say));
}

function open(folder: string, stamp: string, say: (line: string) => void): Database {
  if (folder === ':memory:') return openSqliteFile(folder, RELAY_FORM);
  const path = join(folder, NAME);
  try {
    return openSqliteFile(path, RELAY_FORM);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const name = quarantineFile(folder, NAME, stamp);
    say(`The relay's file was damaged; it is kept as ${name} and a new one begun. Add the targets of the relay again.`);
    return openSqliteFile(path, RELAY_FORM);
  }
}

const RELAY_FORM: FileForm = {
  what: 'relay file',
  migrations: RELAY_MIGRATIONS,
  synchronous: 'FULL',
  largestChecked: 0,
};

function createRelayStore(db: Database): RelayStore {
  const list = db.prepare(
    'SELECT id, url, secret, filter, allow_public, position, since_s FROM targets ORDER BY rowid',
  );
  const put = db.prepare(
    'INSERT INTO targets (id, url, secret, filter, allow_public, position, since_s) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare('DELETE FROM targets WHERE id = ?');
  const dropForwards = db.prepare('DELETE FROM forwards WHERE target_id = ?');
  const putForward = db.prepare(`INSERT INTO forwards (target_id, event_id, body, status, attempts, made_ms, due_ms)
    SELECT id, ?, ?, 'pending', 0, ?, ? FROM targets WHERE id = ? ON CONFLICT DO NOTHING`);
  const rewindPositions = db.prepare('UPDATE targets SET position = 0 WHERE position > ?');
  const setPosition = db.prepare('UPDATE targets SET position = ? WHERE id = ?');
  const first = db.prepare<[string, number, number], PendingForward>(
    `SELECT id, event_id AS eventId, body, attempts FROM forwards
     WHERE target_id = ? AND status = 'pending' AND (due_ms <= ? OR due_ms > ?) ORDER BY id LIMIT 1`,
  );
  const set = db.prepare(
    'UPDATE forwards SET status = ?, attempts = attempts + 1, due_ms = ?, last_ms = ?, last_status = ?, last_error = ? WHERE id = ?',
  );
  const unanswered = db.prepare('UPDATE forwards SET last_ms = ?, last_status = NULL, last_error = ? WHERE id = ?');
  const postpone = db.prepare("UPDATE forwards SET due_ms = max(due_ms, ?) WHERE target_id = ? AND status = 'pending'");
  const giveUp = db.prepare(
    "UPDATE forwards SET status = 'failed', body = NULL, last_ms = ?, last_error = ? WHERE status = 'pending' AND made_ms < ?",
  );
  const dropBody = db.prepare('UPDATE forwards SET body = NULL WHERE id = ?');
  const counts = db.prepare<[string], { status: string; n: number; due: number }>(
    'SELECT status, count(*) AS n, min(due_ms) AS due FROM forwards WHERE target_id = ? GROUP BY status',
  );
  const latest = db.prepare<[string], { at: number; eventId: string; status: number | null; error: string | null }>(
    `SELECT last_ms AS at, event_id AS eventId, last_status AS status, last_error AS error FROM forwards
     WHERE target_id = ? AND last_ms IS NOT NULL ORDER BY last_ms DESC LIMIT 1`,
  );
  const insertDeadLetter = db.prepare(
    'INSERT INTO dead_letters (event_id, body, why, received_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const listDeadLetters = db.prepare<[], DeadLetter>(
    'SELECT event_id AS eventId, body, why, received_ms AS receivedAt FROM dead_letters ORDER BY received_ms',
  );
  const countDeadLetters = db.prepare<[], number>('SELECT count(*) FROM dead_letters').pluck();
  const dropDeadLetter = db.prepare('DELETE FROM dead_letters WHERE event_id = ?');
  const trimDeadLetters = db.prepare(
    'DELETE FROM dead_letters WHERE event_id IN (SELECT event_id FROM dead_letters ORDER BY received_ms DESC LIMIT -1 OFFSET ?)',
  );
  const getTrail = db.prepare<[string], string>('SELECT trail FROM trails WHERE event_id = ?').pluck();
  const putTrail = db.prepare('INSERT INTO trails (event_id, trail) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const selectMetadata = db.prepare<[string], string>('SELECT value FROM metadata WHERE name = ?').pluck();
  const upsertMetadata = db.prepare(
    'INSERT INTO metadata (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const deleteMetadata = db.prepare('DELETE FROM metadata WHERE name = ?');
  const pruneForwards = db.prepare("DELETE FROM forwards WHERE status <> 'pending' AND last_ms < ?");
  const pruneDeadLetters = db.prepare('DELETE FROM dead_letters WHERE received_ms < ?');
  const pruneTrails = db.prepare('DELETE FROM trails WHERE event_id NOT IN (SELECT event_id FROM forwards)');

  return {
    targets: () =>
      list.all().map((row) => {
        const { id, url, secret, filter, allow_public, position, since_s } = TargetRowSchema.parse(row);
        return { id, url, secret, filter, allowPublic: allow_public === 1, position, since: since_s };
      }),
    addTarget: ({ id, url, secret, filter, allowPublic, position, since }) =>
      void put.run(id, url, secret, JSON.stringify(filter), allowPublic ? 1 : 0, position, since),
    removeTarget: db.transaction((id: string) => {
      drop.run(id);
      dropForwards.run(id);
    }),
    enqueue: db.transaction(
      (target: string, position: number, events: readonly { eventId: string; body: string }[], now: number) => {
        for (const { eventId, body } of events) putForward.run(eventId, body, now, now, target);
        setPosition.run(position, target);
      },
    ),
    rewind: (highest) => void rewindPositions.run(highest),
    due: (target, now) => first.get(target, now, now + LONGEST_WAIT) ?? null,
    settle: db.transaction((id: number, outcome: string, at: number, status: number | null, error: string | null) => {
      set.run(outcome, 0, at, status, error, id);
      dropBody.run(id);
    }),
    retry: (id, dueAt, at, status, error) => void set.run('pending', dueAt, at, status, error, id),
    rest: db.transaction((target: string, id: number, until: number, at: number, error: string) => {
      unanswered.run(at, error, id);
      postpone.run(until, target);
    }),
    tally(target) {
      const rows = new Map(counts.all(target).map((row) => [row.status, row]));
      const pending = rows.get('pending');
      return {
        queue: pending?.n ?? 0,
        delivered: rows.get('delivered')?.n ?? 0,
        givenUp: rows.get('failed')?.n ?? 0,
        nextAt: pending?.due ?? null,
        last: latest.get(target) ?? null,
      };
    },
    addDeadLetter: db.transaction(({ eventId, body, why, receivedAt }: DeadLetter) => {
      insertDeadLetter.run(eventId, body, why, receivedAt);
      trimDeadLetters.run(MOST_DEAD_LETTERS);
    }),
    deadLetters: () => listDeadLetters.all(),
    countDeadLetters: () => countDeadLetters.get() ?? 0,
    dropDeadLetter: (eventId) => void dropDeadLetter.run(eventId),
    trail: (eventId) => getTrail.get(eventId) ?? null,
    setTrail: (eventId, trail) => void putTrail.run(eventId, trail),
    getMetadata: (name) => selectMetadata.get(name) ?? null,
    setMetadata: (name, value) => void (value === null ? deleteMetadata.run(name) : upsertMetadata.run(name, value)),
    prune: db.transaction((before: number) => {
      pruneForwards.run(before);
      giveUp.run(before, 'it was not taken for 30 days', before);
      pruneDeadLetters.run(before);
      pruneTrails.run();
    }),
    close: () => db.close(),
  };
}
