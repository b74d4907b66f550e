// Main, core: opens the archive's two files: archive.sqlite can be fetched again, flags.sqlite holds what only the user can give.
// A damaged file is quarantined, never deleted; each file helps to restore the other.
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { isDamage } from '../ledger/database.ts';
import { FutureLedgerError, migrate } from '../ledger/migrations.ts';
import { renameBackups } from './backup.ts';
import { ARCHIVE_MIGRATIONS, FLAGS_MIGRATIONS } from './migrations.ts';

export const ARCHIVE_NAME = 'archive.sqlite';
export const FLAGS_NAME = 'flags.sqlite';
/** What FLAGS_NAME was called up to November 2026. */
const FORMER_FLAGS_NAME = 'marks.sqlite';

export interface OpenedArchive {
  readonly db: Database.Database;
  readonly flags: Database.Database;
  /** Names of quarantined files, in the same folder. */
  readonly quarantined: readonly string[];
  /** The file of flags was damaged and is empty now: restore the flags from the last backup and from the copies in the archive. */
  readonly areFlagsLost: boolean;
}

/**
 * @param stamp becomes part of the name of a quarantined file
 * @throws FutureLedgerError, and whatever the file system says (full, read-only, locked)
 */
export function openArchive(folder: string, stamp: string): OpenedArchive {
  renameFormerFlags(folder);
  const quarantined: string[] = [];
  const open = (name: string, prepare: (db: Database.Database) => void): Database.Database => {
    const path = join(folder, name);
    try {
      return openFile(path, prepare);
    } catch (error) {
      if (error instanceof FutureLedgerError || !isDamage(error)) throw error;
      quarantined.push(quarantineFile(folder, name, stamp));
      return openFile(path, prepare);
    }
  };
  const flags = open(FLAGS_NAME, (db) => {
    // What the user did is his: a commit that returned is on the disk.
    db.pragma('synchronous = FULL');
    migrate(db, FLAGS_MIGRATIONS, 'file of flags');
    const checkResult = db.pragma('quick_check(1)', { simple: true });
    if (checkResult !== 'ok') throw new Database.SqliteError(String(checkResult), 'SQLITE_CORRUPT');
  });
  const areFlagsLost = quarantined.length > 0;
  try {
    const db = open(ARCHIVE_NAME, (opened) => {
      // It can be fetched again: a commit may be lost in a power cut, never half of one.
      opened.pragma('synchronous = NORMAL');
      migrate(opened, ARCHIVE_MIGRATIONS, 'archive');
    });
    return { db, flags, quarantined, areFlagsLost };
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

/** The file itself comes last: a program that is killed on the way finds it under the old name and goes on. */
function renameFormerFlags(folder: string): void {
  renameBackups(folder, FORMER_FLAGS_NAME, FLAGS_NAME);
  if (flagsPath(folder) === join(folder, FLAGS_NAME)) return;
  for (const suffix of ['-wal', '-shm', ''])
    if (existsSync(join(folder, FORMER_FLAGS_NAME) + suffix))
      renameSync(join(folder, FORMER_FLAGS_NAME) + suffix, join(folder, FLAGS_NAME) + suffix);
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

function openFile(path: string, prepare: (db: Database.Database) => void): Database.Database {
  // Made by us first, so that it is the user's alone; its WAL takes over the mode.
  closeSync(openSync(path, 'a', 0o600));
  const db = new Database(path);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('busy_timeout = 2000');
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
