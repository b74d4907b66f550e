// Main, core: relay.sqlite: the targets with their pending events, dead letters, trails, metadata.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { createDeadLetterStore, type DeadLetterStore } from './dead-letter-store.ts';
import { createForwardQueue, type ForwardQueue } from './forward-queue.ts';
import { RELAY_MIGRATIONS } from './migrations.ts';

const NAME = 'relay.sqlite';

/**
 * subscription: its id at the service. unnamed_subscription: its address where the service gave no id.
 * can_read: the service has shown a subscription. subscribe_key: idempotency key of a request without a
 * usable answer. printed: ledger id up to which a terminal has printed the ledger.
 */
export type RelayMetadataKey = 'subscription' | 'unnamed_subscription' | 'can_read' | 'subscribe_key' | 'printed';

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
