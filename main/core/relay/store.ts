// Main, core: relay.sqlite: the targets with their pending events, dead letters, trails, metadata.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { createForwardQueue, type ForwardQueue } from './forward-queue.ts';
import { RELAY_MIGRATIONS } from './migrations.ts';

const RETRY = { base: 2_000, cap: 60_000 };
const SOONEST = 1_000;

/** Wait after this many attempts that failed before, ms. */
export const retryDelay = (attempts: number, random: () => number): number =>
  backoffDelay(attempts, RETRY, random, SOONEST);

export interface DeadLetter {
  readonly eventId: string;
  readonly body: string;
  readonly why: 'too_old' | 'ahead' | 'unreadable';
  /** This computer's clock, ms. */
  readonly receivedAt: number;
}

export interface DeadLetterStore {
  add(letter: DeadLetter): void;
  all(): DeadLetter[];
  count(): number;
  delete(eventId: string): void;
  /** Deletes those received before this instant, ms. */
  prune(before: number): void;
}

const MAX_DEAD_LETTERS = 1_000;

function createDeadLetterStore(db: Database): DeadLetterStore {
  const insert = db.prepare(
    'INSERT INTO dead_letters (event_id, body, why, received_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const trim = db.prepare(
    'DELETE FROM dead_letters WHERE event_id IN (SELECT event_id FROM dead_letters ORDER BY received_ms DESC LIMIT -1 OFFSET ?)',
  );
  const select = db.prepare<[], DeadLetter>(
    'SELECT event_id AS eventId, body, why, received_ms AS receivedAt FROM dead_letters ORDER BY received_ms',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM dead_letters').pluck();
  const remove = db.prepare('DELETE FROM dead_letters WHERE event_id = ?');
  const prune = db.prepare('DELETE FROM dead_letters WHERE received_ms < ?');
  return {
    add: db.transaction(({ eventId, body, why, receivedAt }: DeadLetter) => {
      insert.run(eventId, body, why, receivedAt);
      trim.run(MAX_DEAD_LETTERS);
    }),
    all: () => select.all(),
    count: () => count.get() ?? 0,
    delete: (eventId) => void remove.run(eventId),
    prune: (before) => void prune.run(before),
  };
}

const NAME = 'relay.sqlite';

/**
 * subscription: its id at the service. unnamed_subscription: its address where the service gave no id.
 * can_read: the service has shown a subscription. subscribe_key: idempotency key of a request without a
 * usable answer. printed: ledger id up to which a terminal has printed the ledger. inbound_last: the last body at the
 * inbound address, with its time.
 */
export type RelayMetadataKey =
  | 'subscription'
  | 'unnamed_subscription'
  | 'can_read'
  | 'subscribe_key'
  | 'printed'
  | 'inbound_last';

export interface RelayStore {
  /** Name of this relay in trails; random, made with the file. */
  readonly name: string;
  readonly queue: ForwardQueue;
  readonly deadLetters: DeadLetterStore;
  /** Relays that an event had passed before this one; null: none. */
  trail(eventId: string): string | null;
  setTrail(eventId: string, trail: string): void;
  getMetadata(name: RelayMetadataKey): string | null;
  setMetadata(name: RelayMetadataKey, value: string | null): void;
  /**
   * Deletes events settled, and dead letters received, before this instant, ms; gives up events pending since
   * then.
   */
  prune(before: number): void;
  close(): void;
}

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
  const queue = createForwardQueue(db);
  const deadLetters = createDeadLetterStore(db);
  const selectTrail = db.prepare<[string], string>('SELECT trail FROM trails WHERE event_id = ?').pluck();
  const insertTrail = db.prepare('INSERT INTO trails (event_id, trail) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const pruneTrails = db.prepare('DELETE FROM trails WHERE event_id NOT IN (SELECT event_id FROM forwards)');
  const selectMetadata = db.prepare<[string], string>('SELECT value FROM metadata WHERE name = ?').pluck();
  const upsertMetadata = db.prepare(
    'INSERT INTO metadata (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const deleteMetadata = db.prepare('DELETE FROM metadata WHERE name = ?');
  const name = selectMetadata.get('name') ?? randomBytes(9).toString('base64url');
  // Nothing is written at a later opening: the disk may be full, or the file locked.
  if (selectMetadata.get('name') === undefined) upsertMetadata.run('name', name);
  return {
    name,
    queue,
    deadLetters,
    trail: (eventId) => selectTrail.get(eventId) ?? null,
    setTrail: (eventId, trail) => void insertTrail.run(eventId, trail),
    getMetadata: (key) => selectMetadata.get(key) ?? null,
    setMetadata: (key, value) => void (value === null ? deleteMetadata.run(key) : upsertMetadata.run(key, value)),
    prune: db.transaction((before: number) => {
      queue.prune(before);
      deadLetters.prune(before);
      pruneTrails.run();
    }),
    close: () => db.close(),
  };
}
