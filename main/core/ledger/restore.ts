// Main, core: replaces a quarantined ledger with its last sound backup.
// The backup returns years of events and the user's annotations. Back-fill returns later events, and those
// that the damaged ledger had received are not notified again.
import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { backupsOf } from '../files/backup.ts';
import { createMetadataStore } from './metadata.ts';

/** Metadata of the run that made the backup; it no longer applies. */
const RUN_KEYS = ['connected_until', 'downtime_from', 'downtime_until', 'downtime_cause', 'outage', 'self_test'];

/**
 * @param name of the ledger's file in `folder`; it does not exist now
 * @param open opens and checks it; throws where it is damaged
 * @param connectedUntil world time, ISO: earlier events were notified, or could not be received
 * @returns name of the backup, or null when none is usable; then there is no file
 */
export function restoreBackup(
  folder: string,
  name: string,
  open: (path: string) => Database,
  connectedUntil: string,
): string | null {
  const path = join(folder, name);
  for (const backup of backupsOf(folder, name)) {
    try {
      copyFileSync(backup, path, constants.COPYFILE_EXCL);
      chmodSync(path, 0o600);
      const db = open(path);
      try {
        resetBaseline(db, connectedUntil);
      } finally {
        db.close();
      }
      return basename(backup);
    } catch {
      // An older one may be sound; without any, a new ledger begins.
      for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
    }
  }
  return null;
}

/**
 * Back-fill continues from the backup's cursor as if for the first time: events before the baseline are
 * history.
 */
const resetBaseline = (db: Database, connectedUntil: string): void =>
  db.transaction(() => {
    db.prepare('DELETE FROM metadata WHERE name IN (SELECT value FROM json_each(?))').run(JSON.stringify(RUN_KEYS));
    const metadata = createMetadataStore(db);
    metadata.set('baseline', connectedUntil);
    metadata.set('caught_up', 'no');
  })();
