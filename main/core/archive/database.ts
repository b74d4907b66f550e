// Main, core: opens the archive's two files and repairs each with the help of the other.
// archive.sqlite can be fetched again; flags.sqlite has the user's flags, which cannot. A damaged file is
// quarantined, never deleted.
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { renameBackups } from '../files/backup.ts';
import { type FileForm, isDamage, openSqliteFile, quarantineFile } from '../files/sqlite-file.ts';
import { ARCHIVE_MIGRATIONS, FLAGS_MIGRATIONS } from './migrations.ts';
import { ARCHIVE_TABLES } from './tables.ts';

export const ARCHIVE_NAME = 'archive.sqlite';
export const FLAGS_NAME = 'flags.sqlite';
/** The name of FLAGS_NAME until November 2026. */
const FORMER_FLAGS_NAME = 'marks.sqlite';

/** The user's flags cannot be fetched again. */
const FLAGS_FORM: FileForm = {
  what: 'file of flags',
  migrations: FLAGS_MIGRATIONS,
  synchronous: 'FULL',
  largestChecked: Number.POSITIVE_INFINITY,
};
/** The whole archive can be fetched again. */
const ARCHIVE_FORM: FileForm = {
  what: 'archive',
  tables: ARCHIVE_TABLES,
  migrations: ARCHIVE_MIGRATIONS,
  synchronous: 'NORMAL',
  largestChecked: 0,
};

export interface OpenedArchive {
  readonly db: Database;
  readonly flags: Database;
  /** Names of quarantined files, in the same folder. */
  readonly quarantined: readonly string[];
  /**
   * The file of flags was damaged and is empty now: restore the flags from the last backup and the copies in
   * the archive.
   */
  readonly areFlagsLost: boolean;
}

/**
 * @param stamp becomes part of the name of a quarantined file
 * @throws FutureFileError, and any error of the file system (full, read-only, locked)
 */
export function openArchive(folder: string, stamp: string): OpenedArchive {
  renameFormerFlags(folder);
  const quarantined: string[] = [];
  const open = (name: string, form: FileForm): Database => {
    const path = join(folder, name);
    try {
      return openSqliteFile(path, form);
    } catch (error) {
      if (!isDamage(error)) throw error;
      quarantined.push(quarantineFile(folder, name, stamp));
      return openSqliteFile(path, form);
    }
  };
  const flags = open(FLAGS_NAME, FLAGS_FORM);
  const areFlagsLost = quarantined.length > 0;
  try {
    return { db: open(ARCHIVE_NAME, ARCHIVE_FORM), flags, quarantined, areFlagsLost };
  } catch (error) {
    flags.close();
    throw error;
  }
}

/** Path of the file of flags in a folder that this version may not have opened yet. */
export function flagsPath(folder: string): string {
  const path = join(folder, FLAGS_NAME);
  const former = join(folder, FORMER_FLAGS_NAME);
  return !existsSync(path) && existsSync(former) ? former : path;
}

/**
 * Renames the main file last: a program that was killed in between finds it under the old name and continues.
 */
function renameFormerFlags(folder: string): void {
  renameBackups(folder, FORMER_FLAGS_NAME, FLAGS_NAME);
  if (flagsPath(folder) === join(folder, FLAGS_NAME)) return;
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(join(folder, FORMER_FLAGS_NAME) + suffix))
      renameSync(join(folder, FORMER_FLAGS_NAME) + suffix, join(folder, FLAGS_NAME) + suffix);
}
