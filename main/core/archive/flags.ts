// Main, core: the user's flags on briefings (read, starred, read later), in a file of their own.
// No service can restore them.
import type { Database } from 'better-sqlite3';
import { createMetadata } from '../files/metadata.ts';

export interface Flags {
  readonly unread: boolean;
  readonly starred: boolean;
  readonly later: boolean;
}
export interface BriefingFlags extends Flags {
  readonly id: string;
}

/**
 * version: grows with every write; the archive stores the version that it has copied.
 * checked, backup: of the last check of the archive and the last backup, as the view shows them, JSON.
 * maintained: day of the last daily round, this computer's clock, YYYY-MM-DD.
 * read_before: world time, ISO. Items published before it count as read until the user changes them: a first
 * start shows no backlog.
 */
export type FlagMetadataKey = 'version' | 'read_before' | 'checked' | 'backup' | 'maintained';

export interface FlagStore {
  of(id: string): Flags | null;
  all(): BriefingFlags[];
  /** `at`: this computer's clock, ms. */
  write(rows: readonly BriefingFlags[], at: number): void;
  version(): number;
  getMetadata(name: FlagMetadataKey): string | null;
  setMetadata(name: FlagMetadataKey, value: string): void;
}

export interface FlagRow {
  readonly id: string;
  readonly unread: number;
  readonly starred: number;
  readonly later: number;
}

export const flagsOf = ({ unread, starred, later }: Omit<FlagRow, 'id'>): Flags => ({
  unread: unread === 1,
  starred: starred === 1,
  later: later === 1,
});

/** The flags as SQLite stores them. */
export const flagNumbers = ({ unread, starred, later }: Flags) => ({
  unread: Number(unread),
  starred: Number(starred),
  later: Number(later),
});

export function createFlagStore(db: Database): FlagStore {
  const one = db.prepare<[string], FlagRow>('SELECT id, unread, starred, later FROM flags WHERE id = ?');
  const all = db.prepare<[], FlagRow>('SELECT id, unread, starred, later FROM flags ORDER BY id');
  const put = db.prepare(
    `INSERT INTO flags (id, unread, starred, later, at_ms) VALUES (:id, :unread, :starred, :later, :at)
     ON CONFLICT (id) DO UPDATE SET unread = excluded.unread, starred = excluded.starred, later = excluded.later, at_ms = excluded.at_ms`,
  );
  const metadata = createMetadata<FlagMetadataKey>(db);
  const version = (): number => Number(metadata.get('version') ?? 0);
  const write = db.transaction((rows: readonly BriefingFlags[], at: number) => {
    for (const { id, ...flags } of rows) put.run({ id, at, ...flagNumbers(flags) });
    metadata.set('version', String(version() + 1));
  });
  return {
    of(id) {
      const row = one.get(id);
      return row === undefined ? null : flagsOf(row);
    },
    all: () => all.all().map((row) => ({ id: row.id, ...flagsOf(row) })),
    write: (rows, at) => void write(rows, at),
    version,
    getMetadata: metadata.get,
    setMetadata: metadata.set,
  };
}
