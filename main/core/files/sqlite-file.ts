// Main, core: opens the SQLite files of a profile: private, migrated; a damaged one is quarantined.
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createTables, isBlank, type Migration, migrate, newestVersion } from './migrate.ts';
import { createPrivateFile, refuseOtherKind } from './private-file.ts';

/** True for errors of a damaged file (not of a full disk or a locked file). */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB');

/** Checks the whole file: its pages, and its indexes against their tables. */
export function hasDamage(db: Database.Database): boolean {
  try {
    return db.pragma('integrity_check(1)', { simple: true }) !== 'ok';
  } catch (error) {
    return isDamage(error);
  }
}

/** True for errors of a file that cannot be opened or written: full, read-only or failing disk, lock. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof Database.SqliteError
    ? UNWRITABLE.some((code) => error.code.startsWith(code))
    : error instanceof Error && 'code' in error && UNWRITABLE_FILE.includes(String(error.code));

const UNWRITABLE = ['FULL', 'READONLY', 'BUSY', 'LOCKED', 'IOERR', 'CANTOPEN', 'PERM', 'PROTOCOL'].map(
  (code) => `SQLITE_${code}`,
);
const UNWRITABLE_FILE = [
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EBUSY', 'EMFILE', 'ENFILE'],
  // A folder or a pipe in place of the file, or of its folder.
  ...['NOT_A_FILE', 'ENOTDIR'],
];

export interface FileForm {
  /** Names the file in error messages. */
  readonly what: string;
  /** SQL that makes the tables of the newest version. Absent: all migrations make them. */
  readonly tables?: string;
  readonly migrations: readonly Migration[];
  /**
   * FULL: a commit that returned is on the disk. NORMAL: a power cut may lose a commit, never half of one.
   */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Largest file that is checked when it is opened, bytes; 0: none is. */
  readonly largestChecked: number;
  /**
   * Rows are removed from this file, which can give back free pages a few at a time. Absent: it only grows.
   */
  readonly shrinks?: true;
}

/**
 * @param path ":memory:" keeps everything in memory
 * @throws FutureFileError, damage (`isDamage`), and any error of the file system (full, read-only, locked)
 */
export function openSqliteFile(path: string, form: FileForm): Database.Database {
  const isNew = path === ':memory:' || !existsSync(path) || statSync(path).size === 0;
  // The file is created before SQLite opens it, so that it is private; its WAL gets the same mode.
  if (path !== ':memory:') createPrivateFile(path);
  const db = new Database(path, { timeout: BUSY_TIMEOUT });
  try {
    // An existing file keeps its mode until it is rewritten, and the pragma would wait for its lock.
    if (form.shrinks && isNew) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${form.synchronous}`);
    if (form.tables !== undefined && isBlank(db)) createTables(db, form.tables, newestVersion(form.migrations));
    else migrate(db, form.migrations, form.what);
    if (!db.memory && statSync(path).size <= form.largestChecked) {
      const result = db.pragma('quick_check(1)', { simple: true });
      if (result !== 'ok') throw new Database.SqliteError(String(result), 'SQLITE_CORRUPT');
    }
    if (form.shrinks && !db.memory) makeShrinkable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Value of the pragma `auto_vacuum`. */
const INCREMENTAL = 2;
/** A file with more content is rewritten only when a third of it is free, bytes: the start waits for it. */
const LARGEST_REWRITTEN = 256 * 1024 * 1024;

/** Rewrites a file of an earlier version, whose free pages would otherwise stay in it. */
function makeShrinkable(db: Database.Database): void {
  if (canShrink(db)) return;
  const { pages, free, bytes } = pagesOf(db);
  if (bytes > LARGEST_REWRITTEN && free < pages / 3) return;
  try {
    db.pragma('busy_timeout = 0');
    // The new mode takes effect when the file is rewritten.
    db.pragma('auto_vacuum = INCREMENTAL');
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Without room for a copy, or beside another program, it stays as it is until a later start.
    if (!isUnwritable(error)) throw error;
  } finally {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

/** Whether free pages can be given back a few at a time. */
export const canShrink = (db: Database.Database): boolean => db.pragma('auto_vacuum', { simple: true }) === INCREMENTAL;

/** Number of pages in the file, number of free ones, and the bytes of the used ones. */
export function pagesOf(db: Database.Database): {
  readonly pages: number;
  readonly free: number;
  readonly bytes: number;
} {
  const read = (name: string): number => Number(db.pragma(name, { simple: true }));
  const [pages, free] = [read('page_count'), read('freelist_count')];
  return { pages, free, bytes: (pages - free) * read('page_size') };
}

/**
 * Longest wait for another program that has locked the file, ms. Everything else of the profile waits too.
 */
export const BUSY_TIMEOUT = 2_000;

/**
 * Opens a database without creating the companion files of its WAL. A database in use is read in place; one
 * that was closed cleanly has no companions and is read from memory.
 * @returns null where one of the companions is missing
 * @throws NotAFileError, and SQLite's errors
 */
export function openUntouched(path: string): Database.Database | null {
  refuseOtherKind(path);
  if (existsSync(`${path}-shm`)) return new Database(path, { readonly: true, fileMustExist: true });
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) return null;
  const bytes = readFileSync(path);
  // Bytes 18 and 19 of the header are 2 for a WAL, which a copy in memory lacks, and 1 for none.
  if (bytes.length > 19 && bytes[18] === 2 && bytes[19] === 2) bytes.fill(1, 18, 20);
  return new Database(bytes, { readonly: true });
}

/**
 * Renames a file and its companions to NAME.damaged-STAMP.sqlite, or another `kind`. @returns the new name
 */
export function quarantineFile(folder: string, name: string, stamp: string, kind = 'damaged'): string {
  const quarantined = quarantineName(folder, name, stamp, kind);
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(join(folder, name) + suffix))
      renameSync(join(folder, name) + suffix, join(folder, quarantined) + suffix);
  return quarantined;
}

/** Paths of the quarantined files of this name, of any kind. */
export function quarantinedOf(folder: string, name: string): string[] {
  if (!existsSync(folder)) return [];
  const base = name.replace('.sqlite', '');
  return readdirSync(folder)
    .filter((file) => file !== name && file.startsWith(`${base}.`) && file.endsWith('.sqlite'))
    .map((file) => join(folder, file));
}

/** A free name for a quarantined file. */
export function quarantineName(folder: string, name: string, stamp: string, kind: string): string {
  const base = `${name.replace('.sqlite', '')}.${kind}-${stamp.replaceAll(/[^0-9A-Za-z]/g, '')}`;
  let number = 1;
  let quarantined = `${base}.sqlite`;
  while (existsSync(join(folder, quarantined))) quarantined = `${base}-${++number}.sqlite`;
  return quarantined;
}
