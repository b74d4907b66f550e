// Service, market, tape: the databases that have a tape: a file of its own, or the replicated store of a cluster node.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { createPrivate } from '../../store/lock.ts';
import { migrate, versionOf } from '../../store/migrate.ts';
import { StoreError } from '../../store/store-error.ts';
import { TAPE } from './schema.ts';

/** A database with the tables of a tape. */
export interface TapeDatabase {
  readonly database: Database;
  /** Runs `work` in a transaction; it may run again, so it must change only the database. */
  readonly atomic: (work: () => void) => void;
  /** Age at which minutes are deleted, ms; at least MINUTES_READ_MS. */
  readonly minutesMs: number;
}

/** The file of the tape beside a store. */
export const tapeFileOf = (store: string): string => `${store.replace(/\.(db|sqlite)$/, '')}-tape.db`;

/** @throws StoreError when the file is another program's */
export function openDatabase(file: string): Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  createPrivate(file);
  const database = new SQLite(file, { timeout: 2_000 });
  try {
    versionOf(database, file, TAPE);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    migrate(database, file, TAPE);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof StoreError
      ? error
      : new StoreError(`${file} is damaged or is no tape of prices. Move it away, and the service starts a new one.`);
  }
}

/** Creates the tables of a tape in the database of a store, which has no others of these names. */
export function addTapeTables(database: Database): void {
  const has = database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'tape'").pluck();
  if (has.get() === 0) for (const step of TAPE.steps) database.exec(step);
}

/** @param file of a tape, or of the copy of a store that has one */
export const openReadOnly = (file: string): Database => new SQLite(file, { readonly: true, fileMustExist: true });
