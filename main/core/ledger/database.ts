// Main, core: opens the ledger's file. What is damaged is quarantined under another name, never deleted, and a new one begins.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { FutureFileError } from '../files/migrate.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { MIGRATIONS } from './migrations.ts';
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
const LEDGER_FORM: FileForm = {
  what: 'ledger',
  migrations: MIGRATIONS,
  synchronous: 'FULL',
  largestChecked: LARGEST_CHECKED,
};

/** Makes the next start quarantine this ledger. */
export function markDamaged(db: Database.Database): void {
  if (!db.memory) writeFileSync(join(dirname(db.name), DAMAGE_MARKER), '');
}

/**
 * @param folder of the profile; ":memory:" keeps everything in memory
 * @param stamp makes the name under which a damaged file is quarantined
 * @throws FutureFileError, and whatever the file system says (full, read-only, locked)
 */
export function openDatabase(folder: string, stamp: string): OpenedDatabase {
  const open = (path: string): Database.Database => openSqliteFile(path, LEDGER_FORM);
  if (folder === ':memory:') return { db: open(folder), quarantined: null };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, LEDGER_NAME);
  const marker = join(folder, DAMAGE_MARKER);
  try {
    if (!existsSync(marker)) return { db: open(path), quarantined: null };
  } catch (error) {
    if (error instanceof FutureFileError || !isDamage(error)) throw error;
  }
  const quarantined = existsSync(path) ? quarantine(folder, stamp) : null;
  const restored = quarantined === null ? null : restoreBackup(folder, LEDGER_NAME, open, quarantined.connectedUntil);
  rmSync(marker, { force: true });
  return { db: open(path), quarantined: quarantined === null ? null : { ...quarantined, restored } };
}

function quarantine(folder: string, stamp: string): Omit<Quarantine, 'restored'> {
  // It is read under the old name.
  const connectedUntil = lastConnectedAt(join(folder, LEDGER_NAME));
  return { name: quarantineFile(folder, LEDGER_NAME, stamp), connectedUntil };
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
