// Main, core: the user's flags on briefings (read, starred, read later), which no service can restore.
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { backupsOf } from '../files/backup.ts';
import { quarantinedOf } from '../files/sqlite-file.ts';
import type { ArchiveMetadata } from './metadata.ts';
import { ARCHIVE_NAME } from './tables.ts';

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
 * Gives a new archive the flags of the files that earlier versions had, of the backups, and of quarantined
 * archives, as far as they can be read; the newest last.
 */
export function restoreFlags(folder: string, db: Database.Database, metadata: ArchiveMetadata): void {
  const former = [FORMER, FLAGS_NAME].map((name) => join(folder, name)).filter((path) => existsSync(path));
  const copies = [FORMER, FLAGS_NAME, ARCHIVE_NAME].flatMap((name) => [
    ...backupsOf(folder, name).reverse(),
    ...quarantinedOf(folder, name).sort(),
  ]);
  // A folder may have been copied without its times.
  const sources = [...copies, ...former]
    .sort((a, b) => writtenAt(a) - writtenAt(b))
    .map((path) => ({ path, ...readFlags(path) }));
  const broken = sources.filter(({ path, isWhole }) => former.includes(path) && !isWhole);
  // The briefings had copies of what such a file cannot give.
  const own = broken.length === 0 ? [] : rowsOf(db, FLAGGED).rows;
  const put = db.prepare('INSERT OR REPLACE INTO flags VALUES (:id, :unread, :starred, :later)');
  db.pragma('synchronous = FULL');
  db.transaction(() => {
    for (const { rows, readBefore } of sources) {
      for (const row of rows) put.run(row);
      if (readBefore !== null) metadata.set('read_before', readBefore);
    }
    for (const row of own) put.run(row);
    metadata.set('flags_restored', 'yes');
  })();
  db.pragma('synchronous = NORMAL');
  for (const { path, isWhole } of sources) if (former.includes(path) && isWhole) removeFile(path);
}

/** With its WAL, which may be newer. */
const writtenAt = (path: string): number =>
  Math.max(...[path, `${path}-wal`].filter((one) => existsSync(one)).map((one) => statSync(one).mtimeMs));

/** A file that stays is as old at a later restore, and newer copies win. */
function removeFile(path: string): void {
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  } catch {
    // Another program has it open.
  }
}

const FlagRowSchema = z.object({ id: z.string(), unread: z.int(), starred: z.int(), later: z.int() });
const FLAGGED = 'SELECT id, unread, starred, later FROM briefings WHERE unread = 0 OR starred = 1 OR later = 1';

/** The rows up to the first damaged page, without those that make no sense. */
function rowsOf(db: Database.Database, sql: string): { readonly rows: FlagRow[]; readonly isWhole: boolean } {
  const rows: FlagRow[] = [];
  try {
    for (const row of db.prepare<[], unknown>(sql).iterate()) {
      const read = FlagRowSchema.safeParse(row);
      if (read.success) rows.push(read.data);
    }
    return { rows, isWhole: true };
  } catch {
    return { rows, isWhole: false };
  }
}

function readFlags(path: string): {
  readonly rows: FlagRow[];
  readonly readBefore: string | null;
  readonly isWhole: boolean;
} {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { fileMustExist: true });
    const isFormer = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'marks'").get() !== undefined;
    const { rows, isWhole } = rowsOf(db, `SELECT id, unread, starred, later FROM ${isFormer ? 'marks' : 'flags'}`);
    const copies = isWhole ? [] : rowsOf(db, FLAGGED).rows;
    return { rows: [...copies, ...rows], isWhole, readBefore: readBeforeOf(db, isFormer ? 'facts' : 'metadata') };
  } catch {
    return { rows: [], isWhole: false, readBefore: null };
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
