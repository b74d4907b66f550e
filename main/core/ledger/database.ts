// Main, core: opens the ledger's file. What is damaged is quarantined under another name, never deleted, and a new one begins.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { FutureLedgerError, migrate } from './migrations.ts';
import { restoreBackup } from './restore.ts';

export interface OpenedDatabase {
  readonly db: Database.Database;
  /** Set when the file was damaged and a new one was begun. */
  readonly quarantined: Quarantine | null;
}

export interface Quarantine {
  /** Name of the damaged file in the same folder. */
  readonly name: string;
  /** World time up to which the damaged ledger had seen everything, as far as it can still be read; else when it was last written, ISO. */
  readonly connectedUntil: string;
  /** Name of the backup that stands in its place; null: there is none, and a new ledger begins. */
  readonly restored: string | null;
}

export const LEDGER_NAME = 'ledger.sqlite';
/** Left beside a ledger that was found damaged while it was in use: the next start quarantines it without asking it. */
export const DAMAGE_MARKER = 'ledger.is-damaged';
/** A larger file is not read through at every start (about a second for a million events); damage in it is found in use. */
export const LARGEST_CHECKED = 256 * 1024 * 1024;

/** True for errors that say that the file itself is damaged (not that the disk is full or the file is locked). */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB');

/** Makes the next start quarantine this ledger. */
export function markDamaged(db: Database.Database): void {
  if (!db.memory) writeFileSync(join(dirname(db.name), DAMAGE_MARKER), '');
}

/**
 * @param folder of the profile; ":memory:" keeps everything in memory
 * @param stamp makes the name under which a damaged file is quarantined
 * @throws FutureLedgerError, and whatever the file system says (full, read-only, locked)
 */
export function openDatabase(folder: string, stamp: string): OpenedDatabase {
  if (folder === ':memory:') return { db: prepare(new Database(':memory:')), quarantined: null };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LEDGER_NAME);
  const marker = join(folder, DAMAGE_MARKER);
  try {
    if (!existsSync(marker)) return { db: openChecked(path), quarantined: null };
  } catch (error) {
    if (error instanceof FutureLedgerError || !isDamage(error)) throw error;
  }
  const quarantine = existsSync(path) ? quarantineFile(folder, stamp) : null;
  const restored =
    quarantine === null ? null : restoreBackup(folder, LEDGER_NAME, openChecked, quarantine.connectedUntil);
  rmSync(marker, { force: true });
  return { db: openChecked(path), quarantined: quarantine === null ? null : { ...quarantine, restored } };
}

/** Renames the ledger and its companions to ledger.damaged-STAMP.sqlite. */
function quarantineFile(folder: string, stamp: string): Omit<Quarantine, 'restored'> {
  const path = join(folder, LEDGER_NAME);
  const connectedUntil = lastConnectedAt(path);
  const name = `ledger.damaged-${stamp.replaceAll(/[^0-9A-Za-z]/g, '')}.sqlite`;
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(path + suffix)) renameSync(path + suffix, join(folder, name) + suffix);
  return { name, connectedUntil };
}

function lastConnectedAt(path: string): string {
  const writtenAt = Math.max(
    ...[path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs),
  );
  try {
    const db = new Database(path, { readonly: true });
    try {
      // The file may never have been migrated: up to the fourth form the table is called `facts`.
      const tables = db
        .prepare<[], string>("SELECT name FROM sqlite_master WHERE name IN ('metadata', 'facts')")
        .pluck();
      const [table] = tables.all();
      const row = db.prepare<[], { value: string }>(`SELECT value FROM ${table} WHERE name = 'proven_until'`).get();
      if (row !== undefined) return row.value;
    } finally {
      db.close();
    }
  } catch {
    // Then the time of its last writing has to do.
  }
  return new Date(writtenAt).toISOString();
}

function openChecked(path: string): Database.Database {
  // Made by us first, so that it is the user's alone; its WAL takes over the mode.
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  try {
    prepare(db);
    const result = statSync(path).size > LARGEST_CHECKED ? 'ok' : db.pragma('quick_check(1)', { simple: true });
    if (result !== 'ok') throw new Database.SqliteError(String(result), 'SQLITE_CORRUPT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: Database.Database): Database.Database {
  db.pragma('journal_mode = WAL');
  // A commit that returned is on the disk: the promise rests on it.
  db.pragma('synchronous = FULL');
  db.pragma('busy_timeout = 2000');
  migrate(db);
  return db;
}
