// Main, core: the user's flags on briefings (read, starred, read later), which no service can restore.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { backupsOf } from '../files/backup.ts';
import type { ArchiveMetadata } from './metadata.ts';

export interface Flags {
  readonly unread: boolean;
  readonly starred: boolean;
  readonly later: boolean;
}

export interface FlagStore {
  /** The flags that the user set; null: none. */
  of(id: string): Flags | null;
  /** An absent flag does not change; unknown ids are skipped. */
  change(ids: readonly string[], change: Partial<Flags>): void;
}

interface FlagRow {
  readonly id: string;
  readonly unread: number;
  readonly starred: number;
  readonly later: number;
}

export const flagsOf = ({ unread, starred, later }: Omit<FlagRow, 'id'>): Flags => ({
  unread: unread === 1,
  starred: starred === 1,
  later: later === 1,
});

export function createFlagStore(db: Database.Database): FlagStore {
  const one = db.prepare<[string], Omit<FlagRow, 'id'>>('SELECT unread, starred, later FROM flags WHERE id = ?');
  const change = db.prepare(
    `INSERT OR REPLACE INTO flags
     SELECT id, coalesce(:unread, unread), coalesce(:starred, starred), coalesce(:later, later)
     FROM briefings WHERE id IN (SELECT value FROM json_each(:ids))`,
  );
  const numberOf = (flag: boolean | undefined): number | null => (flag === undefined ? null : Number(flag));
  return {
    of(id) {
      const row = one.get(id);
      return row === undefined ? null : flagsOf(row);
    },
    change(ids, { unread, starred, later }) {
      const values = { unread: numberOf(unread), starred: numberOf(starred), later: numberOf(later) };
      // A power cut may cost what can be fetched again, but no flag.
      db.pragma('synchronous = FULL');
      try {
        change.run({ ids: JSON.stringify(ids), ...values });
      } finally {
        db.pragma('synchronous = NORMAL');
      }
    },
  };
}

/** Name of the daily copies of the flags. Until November 2026 it was a file beside the archive, as was FORMER. */
export const FLAGS_NAME = 'flags.sqlite';
const FORMER = 'marks.sqlite';
/** The tables of the archive that are copied daily. */
export const FLAG_TABLES = ['flags', 'metadata'];

/**
 * Gives a new archive the flags of the files that earlier versions had, of the backups, and of the archive
 * that it replaces, as far as they can be read.
 * @param damaged path of the replaced archive; null: none
 */
export function restoreFlags(
  folder: string,
  db: Database.Database,
  metadata: ArchiveMetadata,
  damaged: string | null,
): void {
  const former = [FORMER, FLAGS_NAME].map((name) => join(folder, name)).filter((path) => existsSync(path));
  const read: string[] = [];
  const backups = [FORMER, FLAGS_NAME].flatMap((name) => backupsOf(folder, name).reverse());
  const put = db.prepare('INSERT OR REPLACE INTO flags VALUES (:id, :unread, :starred, :later)');
  db.pragma('synchronous = FULL');
  db.transaction(() => {
    // The newest flags are written last.
    for (const path of [...backups, ...former, ...(damaged === null ? [] : [damaged])]) {
      const found = readFlags(path);
      if (found === null) continue;
      read.push(path);
      for (const row of found.rows) put.run(row);
      if (found.readBefore !== null) metadata.set('read_before', found.readBefore);
    }
    metadata.set('flags_restored', 'yes');
  })();
  db.pragma('synchronous = NORMAL');
  for (const path of former.filter((each) => read.includes(each)))
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** @returns null where the flags of the file cannot be read */
function readFlags(path: string): { readonly rows: FlagRow[]; readonly readBefore: string | null } | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { fileMustExist: true });
    const isFormer = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'marks'").get() !== undefined;
    const rows = db
      .prepare<[], FlagRow>(`SELECT id, unread, starred, later FROM ${isFormer ? 'marks' : 'flags'}`)
      .all();
    return { rows, readBefore: readBeforeOf(db, isFormer ? 'facts' : 'metadata') };
  } catch {
    return null;
  } finally {
    db?.close();
  }
}

function readBeforeOf(db: Database.Database, table: string): string | null {
  try {
    const value = db.prepare<[], string>(`SELECT value FROM ${table} WHERE name = 'read_before'`).pluck().get();
    return value ?? null;
  } catch {
    return null;
  }
}
