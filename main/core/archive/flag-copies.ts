// Main, core: copies the user's flags to the rows of briefings, for filters and counts of lists.
import type { Database } from 'better-sqlite3';
import { createMetadata } from '../files/metadata.ts';
import { type BriefingFlags, type FlagRow, type FlagStore, type Flags, flagNumbers, flagsOf } from './flags.ts';

export interface FlagCopies {
  /** An absent flag does not change; unknown ids are skipped. `at`: this computer's clock, ms. */
  flag(ids: readonly string[], change: Partial<Flags>, at: number): void;
  /** Copies every flag again, unless the copies are of this version. */
  copyAll(): void;
  /** All copies, to restore a lost file of flags. */
  all(): BriefingFlags[];
  /** The version of the flags that was copied. */
  copiedVersion(): number;
}

export function createFlagCopies(db: Database, flagStore: FlagStore): FlagCopies {
  const one = db.prepare<[string], FlagRow>('SELECT id, unread, starred, later FROM briefings WHERE id = ?');
  const all = db.prepare<[], FlagRow>('SELECT id, unread, starred, later FROM briefings');
  const update = db.prepare(
    `UPDATE briefings SET unread = :unread, starred = :starred, later = :later WHERE id = :id
     AND (unread <> :unread OR starred <> :starred OR later <> :later)`,
  );
  const metadata = createMetadata<'flags_version'>(db);
  const copiedVersion = (): number => Number(metadata.get('flags_version') ?? 0);
  const copy = db.transaction((rows: readonly BriefingFlags[]) => {
    for (const row of rows) update.run({ id: row.id, ...flagNumbers(row) });
    metadata.set('flags_version', String(flagStore.version()));
  });
  return {
    flag(ids, change, at) {
      const rows = [...new Set(ids)].flatMap((id): BriefingFlags[] => {
        const row = one.get(id);
        return row === undefined ? [] : [{ id, ...flagsOf(row), ...change }];
      });
      if (rows.length === 0) return;
      flagStore.write(rows, at);
      copy(rows);
    },
    copyAll() {
      if (copiedVersion() !== flagStore.version()) copy(flagStore.all());
    },
    all: () => all.all().map((row) => ({ id: row.id, ...flagsOf(row) })),
    copiedVersion,
  };
}
