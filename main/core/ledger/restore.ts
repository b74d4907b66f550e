// Main, core: puts the last sound backup in the place of a ledger that was set aside: years of events, and what the user did with them, come from
// there; what came since is filled again from the service, and does not sound again where the damaged ledger had seen it.
import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { backupsOf } from '../archive/backup.ts';
import { createFactStore } from './facts.ts';

/** What was true of a run of this program when the backup was made, and is not any more. */
const OF_THAT_RUN = ['sight_until', 'away_from', 'away_until', 'away_cause', 'blind', 'drill'];

/**
 * @param name of the ledger's file in `folder`; there is none now
 * @param open opens and checks it; throws where it is not sound
 * @param sightUntil world time, ISO: what occurred before it was told, or could not be seen
 * @returns name of the backup, or null where none is of use; then there is no file
 */
export function restoreBackup(
  folder: string,
  name: string,
  open: (path: string) => Database,
  sightUntil: string,
): string | null {
  const path = join(folder, name);
  for (const backup of backupsOf(folder, name)) {
    try {
      copyFileSync(backup, path, constants.COPYFILE_EXCL);
      chmodSync(path, 0o600);
      const db = open(path);
      try {
        drawLine(db, sightUntil);
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
const drawLine = (db: Database, sightUntil: string): void =>
  db.transaction(() => {
    db.prepare('DELETE FROM facts WHERE name IN (SELECT value FROM json_each(?))').run(JSON.stringify(OF_THAT_RUN));
    const facts = createFactStore(db);
    facts.set('first_sight', sightUntil);
    facts.set('caught_up', 'no');
  })();
