// Main, core: the archive's open file and its stores; only the core's thread writes to it.
// All but the user's flags can be fetched again.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createMetadata } from '../files/metadata.ts';
import { type FileForm, hasDamage, openSqliteFile } from '../files/sqlite-file.ts';
import { type AlertIndex, createAlertIndex } from './alert-index.ts';
import { type AnswerStore, createAnswerStore } from './answers.ts';
import { type BriefingStore, createBriefingStore } from './briefings.ts';
import { createFlagStore, type FlagStore, restoreFlags } from './flags.ts';
import type { ArchiveMetadata } from './metadata.ts';
import { createNewsStore, type NewsStore } from './news.ts';
import { createRelatedBriefings, type RelatedBriefings } from './related-briefings.ts';
import { ARCHIVE_MIGRATIONS, ARCHIVE_NAME, ARCHIVE_TABLES } from './tables.ts';

const FORM: FileForm = {
  what: 'archive',
  tables: ARCHIVE_TABLES,
  migrations: ARCHIVE_MIGRATIONS,
  synchronous: 'NORMAL',
  largestChecked: 0,
};

export interface ArchiveStore {
  readonly db: Database;
  readonly metadata: ArchiveMetadata;
  readonly flags: FlagStore;
  readonly briefings: BriefingStore;
  readonly related: RelatedBriefings;
  readonly news: NewsStore;
  readonly alerts: AlertIndex;
  readonly answers: AnswerStore;
  transaction<Value>(work: () => Value): Value;
  /** Checks the whole file. */
  isDamaged(): boolean;
  /** Size on disk: archive, index, and WAL. */
  bytes(): number;
  close(): void;
}

/** @throws FutureFileError, errors of damage, and any error of the file system (full, read-only, locked) */
export function openStore(folder: string): ArchiveStore {
  const path = join(folder, ARCHIVE_NAME);
  const db = openSqliteFile(path, FORM);
  try {
    const metadata: ArchiveMetadata = createMetadata(db);
    if (metadata.get('flags_restored') === null) restoreFlags(folder, db, metadata);
    const flags = createFlagStore(db);
    const transact = db.transaction((work: () => unknown) => work());
    const size = (file: string): number => (existsSync(file) ? statSync(file).size : 0);
    return {
      db,
      metadata,
      flags,
      briefings: createBriefingStore(db, flags, metadata),
      related: createRelatedBriefings(db),
      news: createNewsStore(db),
      alerts: createAlertIndex(db),
      answers: createAnswerStore(db),
      transaction: (work) => transact(work) as ReturnType<typeof work>,
      isDamaged: () => hasDamage(db),
      bytes: () => size(path) + size(`${path}-wal`),
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
