// Main, core: the archive's open files and their stores; only the core's thread writes to them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { backupsOf } from '../files/backup.ts';
import { createMetadata } from '../files/metadata.ts';
import { migrate } from '../files/migrate.ts';
import { hasDamage, isDamage, quarantineFile } from '../files/sqlite-file.ts';
import { type AlertIndex, createAlertIndex } from './alert-index.ts';
import { type BriefingStore, createBriefingStore } from './briefings.ts';
import { ARCHIVE_NAME, FLAGS_NAME, type OpenedArchive, openArchive } from './database.ts';
import { createFlagCopies, type FlagCopies } from './flag-copies.ts';
import { type BriefingFlags, createFlagStore, type FlagStore } from './flags.ts';
import { FLAGS_MIGRATIONS } from './migrations.ts';
import { createNewsStore, type NewsStore } from './news.ts';
import { createQueryCache, type QueryCache } from './query-cache.ts';
import { createRelatedBriefings, type RelatedBriefings } from './related-briefings.ts';
import { createSymbolNoteIndex, type SymbolNoteIndex } from './symbol-note-index.ts';

/**
 * briefings_path: the path of this service's briefings.
 * briefings_walked, news_walked: "yes" after an uninterrupted read of the list down to the retention.
 * briefings_full: this computer's time, ms, of the last reading of the whole list.
 */
export type ArchiveMetadataKey = 'briefings_path' | 'briefings_walked' | 'briefings_full' | 'news_walked';

export interface ArchiveStore {
  readonly db: Database.Database;
  readonly flags: FlagStore;
  readonly briefings: BriefingStore;
  readonly flagBriefings: FlagCopies['flag'];
  readonly related: RelatedBriefings;
  readonly news: NewsStore;
  readonly alerts: AlertIndex;
  readonly symbolNotes: SymbolNoteIndex;
  readonly queryCache: QueryCache;
  /** Names of files quarantined at opening. */
  readonly quarantined: readonly string[];
  getMetadata(name: ArchiveMetadataKey): string | null;
  setMetadata(name: ArchiveMetadataKey, value: string): void;
  transaction<Value>(work: () => Value): Value;
  /** Checks the whole file of this name. */
  isDamaged(name: typeof ARCHIVE_NAME | typeof FLAGS_NAME): boolean;
  /** Size on disk: archive, index, and WAL. */
  bytes(): number;
  close(): void;
}

/** Restores the user's flags from the newest readable backup, then from the archive's newer copies. */
function restoreFlags(folder: string, flags: FlagStore, copies: FlagCopies, at: number): void {
  const backup = backupsOf(folder, FLAGS_NAME).flatMap((path) => readFlags(path) ?? [])[0];
  if (backup?.readBefore != null) flags.setMetadata('read_before', backup.readBefore);
  flags.setMetadata('version', String(copies.copiedVersion()));
  flags.write([...(backup?.rows ?? []), ...copies.all()], at);
}

/** Reads a backup. An older version is migrated in memory, and does not change on disk. */
function readFlags(path: string): { readonly rows: BriefingFlags[]; readonly readBefore: string | null } | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(readFileSync(path));
    migrate(db, FLAGS_MIGRATIONS, 'backup of the flags');
    const flags = createFlagStore(db);
    return { rows: flags.all(), readBefore: flags.getMetadata('read_before') };
  } catch {
    // An older backup may be readable.
    return null;
  } finally {
    db?.close();
  }
}

/** @param now becomes part of the names of quarantined files, ms. @throws as openArchive does */
export function openStore(folder: string, now: number): ArchiveStore {
  const stamp = timestamp(now);
  const opened = openArchive(folder, stamp);
  let damaged: string;
  try {
    return createStore(folder, opened, now);
  } catch (error) {
    // The archive is not checked at opening: its first reads find damage outside of the schema.
    damaged = isDamage(error) && hasDamage(opened.flags) ? FLAGS_NAME : ARCHIVE_NAME;
    close(opened);
    if (!isDamage(error)) throw error;
  }
  const quarantined = [...opened.quarantined, quarantineFile(folder, damaged, stamp)];
  const again = openArchive(folder, stamp);
  try {
    return createStore(
      folder,
      {
        ...again,
        quarantined: [...quarantined, ...again.quarantined],
        areFlagsLost: opened.areFlagsLost || again.areFlagsLost || damaged === FLAGS_NAME,
      },
      now,
    );
  } catch (error) {
    close(again);
    throw error;
  }
}

function close({ db, flags }: Pick<OpenedArchive, 'db' | 'flags'>): void {
  db.close();
  flags.close();
}

/** @throws errors of damage, which no opening of the archive finds */
function createStore(
  folder: string,
  { db, flags: flagsDb, quarantined, areFlagsLost }: OpenedArchive,
  now: number,
): ArchiveStore {
  const flags = createFlagStore(flagsDb);
  const metadata = createMetadata<ArchiveMetadataKey>(db);
  const transact = db.transaction((work: () => unknown) => work());
  const briefingFlags = createFlagCopies(db, flags);
  const size = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  if (areFlagsLost || flags.version() < briefingFlags.copiedVersion()) restoreFlags(folder, flags, briefingFlags, now);
  briefingFlags.copyAll();
  return {
    db,
    flags,
    briefings: createBriefingStore(db, flags),
    flagBriefings: briefingFlags.flag,
    related: createRelatedBriefings(db),
    news: createNewsStore(db),
    alerts: createAlertIndex(db),
    symbolNotes: createSymbolNoteIndex(db),
    queryCache: createQueryCache(db),
    quarantined,
    getMetadata: metadata.get,
    setMetadata: metadata.set,
    transaction: (work) => transact(work) as ReturnType<typeof work>,
    isDamaged: (name) => hasDamage(name === FLAGS_NAME ? flagsDb : db),
    bytes: () => size(join(folder, ARCHIVE_NAME)) + size(join(folder, `${ARCHIVE_NAME}-wal`)),
    close: () => close({ db, flags: flagsDb }),
  };
}
