// Main, core: opens the SQLite files of a profile: private, migrated; a damaged one is quarantined.
import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Migration, migrate } from './migrate.ts';
import { createPrivateFile } from './private-file.ts';

/** True for errors of a damaged file (not of a full disk or a locked file). */
export const isDamage = (error: unknown): boolean =>
  error instanceof Database.SqliteError && (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB');

export interface FileForm {
  /** Names the file in error messages. */
  readonly what: string;
  readonly migrations: readonly Migration[];
  /**
   * FULL: a commit that returned is on the disk. NORMAL: a power cut may lose a commit, never half of one.
   */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Largest file that is checked when it is opened, bytes; 0: none is. */
  readonly largestChecked: number;
}

/**
 * @param path ":memory:" keeps everything in memory
 * @throws FutureFileError, damage (`isDamage`), and any error of the file system (full, read-only, locked)
 */
export function openSqliteFile(path: string, form: FileForm): Database.Database {
  // The file is created before SQLite opens it, so that it is private; its WAL gets the same mode.
  if (path !== ':memory:') createPrivateFile(path);
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${form.synchronous}`);
    db.pragma('busy_timeout = 2000');
    migrate(db, form.migrations, form.what);
    if (!db.memory && statSync(path).size <= form.largestChecked) {
      const result = db.pragma('quick_check(1)', { simple: true });
      if (result !== 'ok') throw new Database.SqliteError(String(result), 'SQLITE_CORRUPT');
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Renames a file and its companions to NAME.damaged-STAMP.sqlite. @returns the new name */
export function quarantineFile(folder: string, name: string, stamp: string): string {
  const base = `${name.replace('.sqlite', '')}.damaged-${stamp.replaceAll(/[^0-9A-Za-z]/g, '')}`;
  let number = 1;
  let quarantined = `${base}.sqlite`;
  while (existsSync(join(folder, quarantined))) quarantined = `${base}-${++number}.sqlite`;
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(join(folder, name) + suffix))
      renameSync(join(folder, name) + suffix, join(folder, quarantined) + suffix);
  return quarantined;
}
