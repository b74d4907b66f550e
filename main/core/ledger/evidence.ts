// Main, core: finds evidence of a lost ledger in other files, and the time of its last known write.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupsOf } from '../files/backup.ts';
import { openUntouched, quarantinedOf } from '../files/sqlite-file.ts';
import type { NotificationHistory } from '../ports.ts';

/** What this computer stores about a profile outside its folder. */
export interface LedgerEvidence {
  /** When the profile was first monitored, this computer's clock, ms; null: unknown. */
  readonly since: number | null;
  /**
   * Notifications that this and earlier runs dispatched to the desktop; null: the shell stores no history.
   */
  readonly history: () => NotificationHistory | null;
}

export const NO_EVIDENCE: LedgerEvidence = { since: null, history: () => null };

/**
 * Longest time that an alert may be queued, for its batch or for its state to hold, ms. A history of
 * notifications is complete only up to this long before its newest entry.
 */
export const LONGEST_QUEUE = 10 * 60_000;
/** Files that only exist beside a ledger. */
const COMPANIONS = ['archive.sqlite', 'flags.sqlite', 'marks.sqlite'];

/**
 * Time until which a lost ledger was written, this computer's clock, ms.
 * @param name of its file in the folder of the profile
 * @returns null where there is no evidence of a ledger
 */
export function ledgerKeptUntil(folder: string, name: string, { since, history }: LedgerEvidence): number | null {
  const last = history()?.newest ?? lastPoll(join(folder, 'archive.sqlite'));
  const known = [since, last === null ? null : last - LONGEST_QUEUE].filter((at) => at !== null);
  if (known.length > 0) return Math.max(...known);
  // The WAL of a file with content may be new.
  const wal = hasContent(join(folder, name)) ? [] : [`${name}-wal`];
  const files = [...COMPANIONS, ...wal].map((file) => join(folder, file)).filter(hasContent);
  files.push(...backupsOf(folder, name), ...quarantinedOf(folder, name));
  return files.length === 0 ? null : Math.max(...files.map((file) => statSync(file).mtimeMs));
}

const hasContent = (path: string): boolean => existsSync(path) && statSync(path).size > 0;

/** Time at which the archive last received signals, ms; null: never, or unreadable without a write. */
function lastPoll(path: string): number | null {
  if (!hasContent(path)) return null;
  try {
    const db = openUntouched(path);
    if (db === null) return null;
    try {
      return db.prepare<[], { at: number }>("SELECT at_ms AS at FROM answers WHERE name = 'rows'").get()?.at ?? null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}
