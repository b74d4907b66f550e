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

/** The number of the form of tables, values and blocks. A file of another number is replaced. */
const FORM = 2;
const TABLES = `
  -- Blocks of rows, and parts of values.
  CREATE TABLE part (id INTEGER PRIMARY KEY AUTOINCREMENT, sum INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
  -- A head, and the ids of its parts.
  CREATE TABLE value (name TEXT PRIMARY KEY, sum INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
`;

/** Parts that one step writes or removes: some ms. */
const PARTS_A_STEP = 16;

/**
 * Frees the buffers of the parts that were written. V8 collects buffers only when they are some 64 MB, and then
 * they leave holes that stay in the process: 424 MB after a first start with 500 symbols, 340 to 370 with this. Node
 * has `gc` where it was started with --expose-gc; it takes a millisecond.
 */
const freeBuffers = (): unknown => globalThis.gc?.({ type: 'minor' });

/** Path of a file that SQLite makes in the system's folder for them, and deletes when it is closed. */
export const TEMPORARY = '';

export const cacheFileOf = (store: string): string => `${store.replace(/\.(db|sqlite)$/, '')}-cache.db`;

export interface CachedValue {
  readonly head: unknown;
  /** Ids. */
  readonly parts: readonly number[];
}

/** Every body has a checksum: what it does not match is not there, and undefined. */
export interface CacheFile {
  value(name: string): CachedValue | undefined;
  /** Replaces a value; the one before remains until all parts are written. @param head called after the last part */
  replace(name: string, parts: Iterable<unknown>, head: () => unknown): Steps<void>;
  /** Removes all values; their parts remain. */
  clear(): void;
  /** The part of a value. */
  part(id: number): unknown;
  /** Adds numbers as a part of no value. @returns its id */
  add(numbers: Float64Array): number;
  /** Replaces the numbers of such a part: a fifth of the work of removing and adding. */
  overwrite(id: number, numbers: Float64Array): void;
  /** The numbers of such a part. */
  numbers(id: number): Float64Array | undefined;
  isWhole(id: number): boolean;
  /** Removes parts. */
  remove(ids: readonly number[]): Steps<void>;
  /** Ids of all parts, and of those that a value has. */
  ids(): { readonly all: readonly number[]; readonly ofValues: readonly number[] };
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
    database.pragma('journal_mode = WAL');
    // Nothing waits for the disk: the checksums tell what a loss of power has left.
    database.pragma('synchronous = OFF');
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

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function cacheOf(database: Database, path: string): CacheFile {
  const readValue = database.prepare<[string], Body>('SELECT sum, body FROM value WHERE name = ?');
  const names = database.prepare<[], string>('SELECT name FROM value').pluck();
  const writeValue = database.prepare('INSERT OR REPLACE INTO value (name, sum, body) VALUES (?, ?, ?)');
  const readPart = database.prepare<[number], Body>('SELECT sum, body FROM part WHERE id = ?');
  const writePart = database.prepare('INSERT INTO part (sum, body) VALUES (?, ?)');
  const rewritePart = database.prepare('UPDATE part SET sum = ?, body = ? WHERE id = ?');
  const partIds = database.prepare<[], number>('SELECT id FROM part').pluck();
  const removePart = database.prepare('DELETE FROM part WHERE id = ?');
  const addPart = (body: Uint8Array): number => Number(writePart.run(crc32(body), body).lastInsertRowid);
  const bodyOf = (id: number): Buffer | undefined => {
    const found = readPart.get(id);
    return isWhole(found) ? found.body : undefined;
  };
  const value = (name: string): CachedValue | undefined => {
    const found = readValue.get(name);
    return isWhole(found) ? deserialize(found.body) : undefined;
  };
  const removeSome = database.transaction((ids: readonly number[]) => {
    for (const id of ids) removePart.run(id);
  });
  function* remove(ids: readonly number[]): Steps<void> {
    for (let from = 0; from < ids.length; from += PARTS_A_STEP) {
      removeSome(ids.slice(from, from + PARTS_A_STEP));
      yield;
    }
  }
  return {
    value,
    *replace(name, parts, head) {
      const before = value(name)?.parts ?? [];
      const ids: number[] = [];
      for (const part of parts) {
        ids.push(addPart(serialize(part)));
        if (ids.length % PARTS_A_STEP > 0) continue;
        freeBuffers();
        yield;
      }
      const body = serialize({ head: head(), parts: ids } satisfies CachedValue);
      writeValue.run(name, crc32(body), body);
      yield* remove(before);
    },
    clear: () => void database.exec('DELETE FROM value'),
    part(id) {
      const body = bodyOf(id);
      return body === undefined ? undefined : deserialize(body);
    },
    add: (numbers) => addPart(bytesOf(numbers)),
    overwrite(id, numbers) {
      const body = bytesOf(numbers);
      rewritePart.run(crc32(body), body, id);
    },
    numbers(id) {
      const body = bodyOf(id);
      // A copy, because the body may begin at any address.
      return body === undefined ? undefined : new Float64Array(Uint8Array.from(body).buffer);
    },
    isWhole: (id) => bodyOf(id) !== undefined,
    remove,
    ids: () => ({ all: partIds.all(), ofValues: names.all().flatMap((name) => value(name)?.parts ?? []) }),
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
