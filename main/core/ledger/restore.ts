// Main, core: replaces a lost ledger with its last good backup.
// The backup returns years of events and the user's annotations. Back-fill returns later events: it continues
// at the backup's cursor, and the history of notifications names those that are not notified again.
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { ALL_CALENDARS } from '../../../shared/domain/sessions.ts';
import { message } from '../../../shared/text/message.ts';
import { backupsOf } from '../files/backup.ts';
import { createMetadata } from '../files/metadata.ts';
import { syncFolder } from '../files/private-file.ts';
import type { NotificationHistory } from '../ports.ts';
import { type LedgerLoss, storeLoss } from './loss.ts';
import { messageColumn } from './message-column.ts';
import type { MetadataKey } from './metadata.ts';

/** Metadata of the run that made the backup; it no longer applies. */
const RUN_KEYS: readonly MetadataKey[] = [
  ...(['downtime_from', 'downtime_until', 'downtime_cause', 'outage', 'self_test', 'absent_from'] as const),
  ...ALL_CALENDARS.map((market) => `outage_${market}` as const),
];

export interface RestoredBackup {
  readonly name: string;
  /** World time until which its log was known, ISO; null: never. */
  readonly connectedUntil: string | null;
}

export interface RestoreOptions {
  /** Opens and checks a copy; throws where it is damaged. */
  readonly open: (path: string) => Database;
  readonly history: NotificationHistory | null;
  /**
   * World time, ISO, before which events were notified or could not be received. null: the history of
   * notifications names the events notified since the backup.
   */
  readonly baseline: string | null;
  /** The loss, to be stored in the restored ledger. */
  readonly lossOf: (backup: RestoredBackup) => LedgerLoss;
}

/**
 * @param name of the ledger's file in `folder`; it does not exist now
 * @returns the loss, which is in the file from its first instant on; null when no backup is usable: then
 * there is no file
 */
export function restoreBackup(folder: string, name: string, options: RestoreOptions): LedgerLoss | null {
  const path = join(folder, name);
  // The copy gets the ledger's name once it is complete, so a killed program starts over.
  const next = `${path}.next`;
  for (const backup of backupsOf(folder, name)) {
    try {
      clear(next);
      copyFileSync(backup, next);
      chmodSync(next, 0o600);
      const db = options.open(next);
      let loss: LedgerLoss;
      try {
        if (!hasEvents(db)) throw new Error('a copy of an empty ledger');
        loss = prepare(db, basename(backup), options);
      } finally {
        db.close();
      }
      renameSync(next, path);
      syncFolder(folder);
      return loss;
    } catch {
      // An older backup may be sound; without any, a new ledger begins.
      clear(next);
    }
  }
  return null;
}

const clear = (path: string): void => {
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
};

export const hasEvents = (db: Database): boolean => db.prepare('SELECT 1 FROM events LIMIT 1').get() !== undefined;

const prepare = (db: Database, name: string, { history, baseline, lossOf }: RestoreOptions): LedgerLoss =>
  db.transaction(() => {
    db.prepare('DELETE FROM metadata WHERE name IN (SELECT value FROM json_each(?))').run(JSON.stringify(RUN_KEYS));
    const metadata = createMetadata<MetadataKey>(db);
    if (history !== null) closeShown(db, history);
    if (baseline !== null) {
      metadata.set('baseline', baseline);
      metadata.set('caught_up', 'no');
    }
    const loss = lossOf({ name, connectedUntil: metadata.get('connected_until') ?? metadata.get('proven_until') });
    storeLoss(metadata, loss);
    return loss;
  })();

/** Closes queued notifications that were completely shown after the backup. */
function closeShown(db: Database, { shown }: NotificationHistory): void {
  db.prepare(
    `UPDATE notifications SET outcome = 'shown', batch = NULL, detail = @detail, taken_revision = revision
     WHERE channel = 'desktop' AND outcome IN ('intent', 'failed', 'batched', 'pending', 'muted')
       AND id IN (SELECT value FROM json_each(@shown))
       AND NOT EXISTS (SELECT 1 FROM notifications AS joined WHERE joined.digest_id = notifications.id
         AND joined.id NOT IN (SELECT value FROM json_each(@shown)))`,
  ).run({ detail: messageColumn(message('delivery.before_loss')), shown: JSON.stringify([...shown]) });
}
