// Main, core: finds evidence of a lost ledger in other files, and the time until which it was kept.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupsOf } from '../files/backup.ts';
import { openUntouched } from '../files/sqlite-file.ts';
import type { NotificationHistory } from '../ports.ts';

/** What is known of a profile outside its folder. */
export interface LedgerEvidence {
  /** When the profile was first monitored, this computer's clock, ms; null: unknown. */
  readonly since: number | null;
  /** What was dispatched to the desktop, also by earlier runs; null: nobody keeps that. */
  readonly history: () => NotificationHistory | null;
}

export const NO_EVIDENCE: LedgerEvidence = { since: null, history: () => null };

/**
 * What was notified is complete only up to some time before the newest notification: alerts may still have
 * waited for their batch or for their state to hold, ms. Those that were shown are known by their id.
 */
export const LONGEST_QUEUE = 10 * 60_000;
/** Files that exist only beside a ledger. */
const COMPANIONS = ['archive.sqlite', 'flags.sqlite', 'marks.sqlite'];

/**
 * Until when a lost ledger was kept, by this computer's clock, ms.
 * @param name of its file in the folder of the profile
 * @returns null where nothing tells that there was one
 */
export function ledgerKeptUntil(folder: string, name: string, { since, history }: LedgerEvidence): number | null {
  const last = history()?.newest ?? lastPoll(join(folder, 'archive.sqlite'));
  const known = [since, last === null ? null : last - LONGEST_QUEUE].filter((at) => at !== null);
  if (known.length > 0) return Math.max(...known);
  // Beside a file with content it is new itself.
  const wal = hasContent(join(folder, name)) ? [] : [`${name}-wal`];
  const files = [...COMPANIONS, ...wal].map((file) => join(folder, file)).filter(hasContent);
  files.push(...formerOf(folder, name));
  return files.length === 0 ? null : Math.max(...files.map((file) => statSync(file).mtimeMs));
}

/** Copies of the ledger, and those that were set aside. */
function formerOf(folder: string, name: string): string[] {
  if (!existsSync(folder)) return [];
  const base = name.replace('.sqlite', '');
  const quarantined = readdirSync(folder).filter((file) => file.startsWith(`${base}.`) && /\.sqlite$/.test(file));
  return [...backupsOf(folder, name), ...quarantined.filter((file) => file !== name).map((file) => join(folder, file))];
}

const hasContent = (path: string): boolean => existsSync(path) && statSync(path).size > 0;

/** When the archive last received signals, ms; null: never, or the archive cannot be read without writing to it. */
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
