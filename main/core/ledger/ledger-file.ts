// Main, core: detects a change of the open ledger's file, and writes the ledger back to its path.
// A removed or replaced file stays complete while it is open.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { openPrivateFile, syncFolder } from '../files/private-file.ts';
import { isDamage, quarantineName } from '../files/sqlite-file.ts';
import { markDamaged } from './database.ts';
import { idHash } from './removed-events.ts';
import { missingFrom } from './schema.ts';

/**
 * What happened to the file of an open ledger. emptied: it has no bytes. spoiled: another program took tables
 * or rows. damaged: a page cannot be read.
 */
export type LedgerFault = Displacement | 'spoiled' | 'damaged';
type Displacement = 'removed' | 'replaced' | 'emptied';

export interface LedgerFile {
  /** Checks the file; null: it is unchanged. */
  fault(): LedgerFault | null;
  /** Records damage, and marks the file so that the next start quarantines it. */
  noteDamage(error: unknown): void;
  /**
   * Closes the ledger, after writing it back where it was removed, replaced or emptied, if it is complete.
   */
  close(): void;
}

/** @param stamp part of the name of a quarantined file */
export function watchLedgerFile(db: Database.Database, stamp: string): LedgerFile {
  if (db.memory) return { fault: () => null, noteDamage: () => undefined, close: () => void db.close() };
  const path = db.name;
  const opened = statSync(path);
  // Prepared once: it runs every second, and `pragma` prepares each time.
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  const count = db.prepare<[], number>('SELECT count(*) FROM events').pluck();
  const outermost = db
    .prepare<[], string>(
      `SELECT event_id FROM events WHERE ledger_id IN ((SELECT min(ledger_id) FROM events), (SELECT max(ledger_id) FROM events))`,
    )
    .pluck();
  const isKnown = db.prepare<[string]>('SELECT 1 FROM events WHERE event_id = ?');
  const isRemoved = db.prepare<[number]>('SELECT 1 FROM removed_events WHERE hash = ?');
  let isDamaged = false;
  let seenVersion = version.get();
  let seen = outermost.all();

  const spoiled = (): LedgerFault | null => {
    // The version changes only when another connection writes.
    const now = version.get();
    const isForeign = now !== seenVersion;
    seenVersion = now;
    if (isForeign && missingFrom(db) !== null) return 'spoiled';
    const hasLostRows =
      isForeign && seen.some((id) => isKnown.get(id) === undefined && isRemoved.get(idHash(id)) === undefined);
    seen = outermost.all();
    return hasLostRows ? 'spoiled' : null;
  };
  const noteDamage = (error: unknown): void => {
    if (!isDamage(error)) return;
    isDamaged = true;
    markDamaged(db);
  };
  return {
    fault() {
      try {
        const fault = displacementOf(path, opened) ?? spoiled() ?? (isDamaged ? 'damaged' : null);
        if (fault === 'spoiled') markDamaged(db);
        return fault;
      } catch (error) {
        if (!isDamage(error)) throw error;
        noteDamage(error);
        return 'damaged';
      }
    },
    noteDamage,
    close() {
      const moved = displacementOf(path, opened);
      const copy = moved === null ? null : copyOf(db, path, () => count.get() ?? 0);
      if (copy !== null && moved === 'replaced') quarantine(path, stamp);
      // Removes the WAL of this name, so the copy must take the name later.
      db.close();
      if (copy === null) return;
      for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
      renameSync(copy, path);
      syncFolder(dirname(path));
    },
  };
}

/** Renames the file alone: WAL and SHM of this name belong to the open file. */
function quarantine(path: string, stamp: string): void {
  const folder = dirname(path);
  renameSync(path, join(folder, quarantineName(folder, basename(path), stamp, 'replaced')));
}

function displacementOf(path: string, opened: Stats): Displacement | null {
  const now = statSync(path, { throwIfNoEntry: false });
  if (now === undefined) return 'removed';
  if (now.ino !== opened.ino || now.dev !== opened.dev) return 'replaced';
  return now.size === 0 ? 'emptied' : null;
}

/** @returns path of a sound and complete copy; null: the disk is full, or pages are lost */
function copyOf(db: Database.Database, path: string, count: () => number): string | null {
  const next = `${path}.next`;
  try {
    rmSync(next, { force: true });
    closeSync(openPrivateFile(next, 'wx'));
    const events = count();
    db.prepare('VACUUM INTO ?').run(next);
    const copy = new Database(next, { readonly: true });
    try {
      const found = copy.prepare<[], number>('SELECT count(*) FROM events').pluck().get();
      if (found !== events || copy.pragma('quick_check(1)', { simple: true }) !== 'ok' || missingFrom(copy) !== null)
        throw new Error('the copy is not complete');
    } finally {
      copy.close();
    }
    const file = openSync(next, 'r+');
    fsyncSync(file);
    closeSync(file);
    return next;
  } catch {
    rmSync(next, { force: true });
    return null;
  }
}
