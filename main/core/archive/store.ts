// Main, core: the archive's files, open, with everything that reads and writes them on the core's thread. One writer: this one.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { type AlertWords, createAlertWords } from './alert-words.ts';
import { type BriefingStore, createBriefingStore } from './briefings.ts';
import { ARCHIVE_NAME, openArchive } from './database.ts';
import { createMarks, type Marks } from './marks.ts';
import { createNewsStore, type NewsStore } from './news.ts';
import { createReadings, type Readings } from './readings.ts';

/**
 * briefings_path: where this service has its briefings.
 * briefings_walked, news_walked: "yes" once the list was read without a break down to what is kept.
 * briefings_full: this computer's time, ms, of the last reading of the whole list.
 * maintained: this computer's time, ms, of the last daily round.
 */
export type ArchiveFact = 'briefings_path' | 'briefings_walked' | 'briefings_full' | 'news_walked' | 'maintained';

export interface ArchiveStore {
  readonly db: Database.Database;
  readonly marks: Marks;
  readonly briefings: BriefingStore;
  readonly news: NewsStore;
  readonly alerts: AlertWords;
  readonly readings: Readings;
  /** Names of damaged files that were set aside at opening. */
  readonly aside: readonly string[];
  readonly marksLost: boolean;
  fact(name: ArchiveFact): string | null;
  setFact(name: ArchiveFact, value: string): void;
  transaction<Value>(work: () => Value): Value;
  /** On disk: archive, index, and what was not yet moved into them. */
  bytes(): number;
  close(): void;
}

/** @param stamp names a damaged file that is set aside. @throws as openArchive does */
export function openStore(folder: string, stamp: string): ArchiveStore {
  const { db, marks: marksDb, aside, marksLost } = openArchive(folder, stamp);
  const marks = createMarks(marksDb);
  const readFact = db.prepare<[string], { value: string }>('SELECT value FROM facts WHERE name = ?');
  const putFact = db.prepare('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value');
  const transact = db.transaction((work: () => unknown) => work());
  const briefings = createBriefingStore(db, marks);
  const size = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  if (!marksLost) briefings.copyMarks();
  return {
    db,
    marks,
    briefings,
    news: createNewsStore(db),
    alerts: createAlertWords(db),
    readings: createReadings(db),
    aside,
    marksLost,
    fact: (name) => readFact.get(name)?.value ?? null,
    setFact: (name, value) => void putFact.run(name, value),
    transaction: (work) => transact(work) as ReturnType<typeof work>,
    bytes: () => size(join(folder, ARCHIVE_NAME)) + size(join(folder, `${ARCHIVE_NAME}-wal`)),
    close() {
      db.close();
      marksDb.close();
    },
  };
}
