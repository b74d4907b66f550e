// Main, core: opens the ledger's file; a damaged file is renamed, never deleted, and replaced.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { FutureFileError } from '../files/migrate.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { MIGRATIONS } from './migrations.ts';
import { restoreBackup } from './restore.ts';

export interface OpenedDatabase {
  readonly db: Database.Database;
  /** Set when the file was damaged and a new one was made. */
  readonly quarantined: Quarantine | null;
}

export interface Quarantine {
  /** Name of the damaged file in the same folder. */
  readonly name: string;
  /**
   * World time until which the damaged ledger was connected, ISO; the time of its last write when that is
   * unreadable.
   */
  readonly connectedUntil: string;
  /** Name of the backup that replaces it; null: there is no backup, and a new ledger begins. */
  readonly restored: string | null;
}

export const LEDGER_NAME = 'ledger.sqlite';
/**
 * File beside a ledger that was found damaged while in use: the next start quarantines it without a check.
 */
export const DAMAGE_MARKER = 'ledger.is-damaged';
/**
 * A larger file is not checked at start (about a second for a million events); damage in it is found in use.
 */
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
 * @throws FutureFileError, and any error of the file system (full, read-only, locked)
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
  // The old name: the file has not been renamed yet.
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
      // The file may never have been migrated: up to version 4 the table is called `facts`.
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
    // Fall back to the time of its last write.
  }
  return new Date(writtenAt).toISOString();
}
