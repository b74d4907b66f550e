// Main, core: puts the last sound backup in the place of a ledger that was quarantined: years of events, and what the user did with them, come from
// there; what came since is filled again from the service, and does not sound again where the damaged ledger had seen it.
import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { backupsOf } from '../files/backup.ts';
import { createMetadataStore } from './metadata.ts';

/** What was true of a run of this program when the backup was made, and is not any more. */
const RUN_KEYS = ['connected_until', 'downtime_from', 'downtime_until', 'downtime_cause', 'outage', 'self_test'];

/**
 * @param name of the ledger's file in `folder`; there is none now
 * @param open opens and checks it; throws where it is not sound
 * @param connectedUntil world time, ISO: what occurred before it was notified, or could not be received
 * @returns name of the backup, or null where none is of use; then there is no file
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

/** The log is read on from the backup's cursor as it is read for the first time: up to the line it is the past. */
const resetBaseline = (db: Database, connectedUntil: string): void =>
  db.transaction(() => {
    db.prepare('DELETE FROM metadata WHERE name IN (SELECT value FROM json_each(?))').run(JSON.stringify(RUN_KEYS));
    const metadata = createMetadataStore(db);
    metadata.set('baseline', connectedUntil);
    metadata.set('caught_up', 'no');
  })();
