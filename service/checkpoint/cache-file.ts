// Service, checkpoint: the file beside the store that keeps what the next start need not compute again.
// It may be deleted while no service runs; then the next start computes everything. No backup has it.
import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import SQLite, { type Database } from 'better-sqlite3';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import type { Steps } from '../steps.ts';
import { createPrivate } from '../store/lock.ts';
import { CACHE_ID } from '../store/migrate.ts';

/** The number of the form below; a file of another number is replaced. */
const FORM = 1;
const TABLES = `
  -- Rows of one symbol, one after the other.
  CREATE TABLE block (id INTEGER PRIMARY KEY AUTOINCREMENT, sum INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
  -- Values by name, and the parts of large ones by number.
  CREATE TABLE value (
    name TEXT NOT NULL,
    part INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (name, part)
  ) STRICT;
`;

/** Parts that one step writes: some ms. */
const PARTS_A_STEP = 8;

/** Path of a file that SQLite makes in the system's folder for them, and deletes when it is closed. */
export const TEMPORARY = '';

export const cacheFileOf = (store: string): string => `${store.replace(/\.(db|sqlite)$/, '')}-cache.db`;

/** Every body has a checksum: what it does not match is not there. */
export interface CacheFile {
  /** The head (0) or a part (1 ...) of a value, as it was written; undefined: it is not there. */
  read(name: string, part?: number): unknown;
  isWhole(name: string, part: number): boolean;
  /** Replaces a value; the one before remains until all parts are written. @param head called after the last part */
  replace(name: string, parts: Iterable<unknown>, head: () => unknown): Steps<void>;
  /** Removes all values. */
  clear(): void;
  readonly blocks: {
    add(numbers: Float64Array): number;
    /** undefined: it is not there. */
    read(id: number): Float64Array | undefined;
    isWhole(id: number): boolean;
    ids(): number[];
    remove(ids: readonly number[]): void;
  };
  readonly isOpen: boolean;
  /** Deletes the file, which cannot be used; all further calls throw. */
  abandon(): void;
  close(): void;
}

/** Deletes the file with its side files. */
function removeFile(path: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
}

/**
 * Opens the file, mode 0600; a damaged one and one of another form are replaced.
 * @returns null, with a warning, if there can be none: then everything is computed, and kept in memory
 */
export function openCacheFile(path: string, logger: Logger): CacheFile | null {
  for (const isLast of [false, true]) {
    try {
      const database = openDatabase(path);
      if (database !== null) return cacheOf(database, path);
      removeFile(path);
    } catch (error) {
      const isDamaged = error instanceof SQLite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
      if (!isDamaged || isLast) {
        logger.warn({ file: path, error: messageOf(error) }, 'there is no cache: the next start computes everything');
        return null;
      }
      removeFile(path);
    }
  }
  return null;
}

/** @returns null for a file of another form */
function openDatabase(path: string): Database | null {
  if (path !== TEMPORARY) createPrivate(path);
  const database = new SQLite(path, { timeout: 1_000 });
  try {
    // One service alone: another one prunes what it does not know.
    database.pragma('locking_mode = EXCLUSIVE');
    const [owner, form, tables] = ['application_id', 'user_version', 'schema_version'].map((name) =>
      Number(database.pragma(name, { simple: true })),
    );
    if (owner !== CACHE_ID && tables !== 0) throw new Error('it is a database of another program');
    if (owner === CACHE_ID && form !== FORM) {
      database.close();
      return null;
    }
    // A commit does not wait for the disk: it is a cache.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('cache_size = -1024');
    if (owner === 0) {
      database.transaction(() => {
        database.exec(TABLES);
        database.pragma(`application_id = ${CACHE_ID}`);
        database.pragma(`user_version = ${FORM}`);
      })();
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Body {
  readonly sum: number;
  readonly body: Buffer;
}

const isWhole = (found: Body | undefined): found is Body => found !== undefined && crc32(found.body) === found.sum;

function cacheOf(database: Database, path: string): CacheFile {
  const read = database.prepare<[string, number], Body>('SELECT sum, body FROM value WHERE name = ? AND part = ?');
  const write = database.prepare('INSERT INTO value (name, part, sum, body) VALUES (?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM value WHERE name = ?');
  const move = database.prepare('UPDATE value SET name = ? WHERE name = ?');
  const addBlock = database.prepare('INSERT INTO block (sum, body) VALUES (?, ?)');
  const readBlock = database.prepare<[number], Body>('SELECT sum, body FROM block WHERE id = ?');
  const blockIds = database.prepare<[], number>('SELECT id FROM block').pluck();
  const removeBlock = database.prepare('DELETE FROM block WHERE id = ?');
  return {
    read(name, part = 0) {
      const found = read.get(name, part);
      return isWhole(found) ? deserialize(found.body) : undefined;
    },
    isWhole: (name, part) => isWhole(read.get(name, part)),
    *replace(name, parts, head) {
      const next = `next ${name}`;
      const add = (part: number, value: unknown): void => {
        const body = serialize(value);
        write.run(next, part, crc32(body), body);
      };
      remove.run(next);
      let part = 0;
      for (const value of parts) {
        part += 1;
        add(part, value);
        if (part % PARTS_A_STEP === 0) yield;
      }
      add(0, head());
      database.transaction(() => {
        remove.run(name);
        move.run(name, next);
      })();
    },
    clear: () => void database.exec('DELETE FROM value'),
    blocks: {
      add(numbers) {
        const body = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        return Number(addBlock.run(crc32(body), body).lastInsertRowid);
      },
      read(id) {
        const found = readBlock.get(id);
        // A copy, because the body may begin at any address.
        return isWhole(found) ? new Float64Array(Uint8Array.from(found.body).buffer) : undefined;
      },
      isWhole: (id) => isWhole(readBlock.get(id)),
      ids: () => blockIds.all(),
      remove: database.transaction((ids: readonly number[]) => {
        for (const id of ids) removeBlock.run(id);
      }),
    },
    get isOpen() {
      return database.open;
    },
    abandon() {
      database.close();
      removeFile(path);
    },
    close: () => void database.close(),
  };
}
