// Main, core: the archive's files, open, with everything that reads and writes them on the core's thread. One writer: this one.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type AlertWords, createAlertWords } from './alert-words.ts';
import { backupsOf } from './backup.ts';
import { type BriefingStore, createBriefingStore } from './briefings.ts';
import { ARCHIVE_NAME, MARKS_NAME, openArchive } from './database.ts';
import { createMarks, type Marked, type Marks } from './marks.ts';
import { createNewsStore, type NewsStore } from './news.ts';
import { createReadings, type Readings } from './readings.ts';

/**
 * briefings_path: where this service has its briefings.
 * briefings_walked, news_walked: "yes" once the list was read without a break down to what is kept.
 * briefings_full: this computer's time, ms, of the last reading of the whole list.
 */
export type ArchiveFact = 'briefings_path' | 'briefings_walked' | 'briefings_full' | 'news_walked';

export interface ArchiveStore {
  readonly db: Database.Database;
  readonly marks: Marks;
  readonly briefings: BriefingStore;
  readonly news: NewsStore;
  readonly alerts: AlertWords;
  readonly readings: Readings;
  /** Names of damaged files that were set aside at opening. */
  readonly aside: readonly string[];
  fact(name: ArchiveFact): string | null;
  setFact(name: ArchiveFact, value: string): void;
  transaction<Value>(work: () => Value): Value;
  /** What is wrong with the file of marks; null: it is sound. */
  marksProblem(): string | null;
  /** On disk: archive, index, and what was not yet moved into them. */
  bytes(): number;
  close(): void;
}

/** What the user marked, from the newest backup that can be read, and from the archive's copies, which are newer. */
function restoreMarks(folder: string, marks: Marks, copies: readonly Marked[], copied: number, at: number): void {
  const backup = backupsOf(folder, MARKS_NAME).flatMap((path) => readMarks(path) ?? [])[0];
  if (backup?.readBefore != null) marks.setFact('read_before', backup.readBefore);
  marks.setFact('version', String(copied));
  marks.write([...(backup?.rows ?? []), ...copies], at);
}

function readMarks(path: string): { readonly rows: Marked[]; readonly readBefore: string | null } | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    const marks = createMarks(db);
    return { rows: marks.all(), readBefore: marks.fact('read_before') };
  } catch {
    // Then an older one has to do.
    return null;
  } finally {
    db?.close();
  }
}

/** @param now names damaged files that are set aside, ms. @throws as openArchive does */
export function openStore(folder: string, now: number): ArchiveStore {
  const stamp = timestamp(now);
  const { db, marks: marksDb, aside, marksLost } = openArchive(folder, stamp);
  const marks = createMarks(marksDb);
  const readFact = db.prepare<[string], { value: string }>('SELECT value FROM facts WHERE name = ?');
  const putFact = db.prepare(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const transact = db.transaction((work: () => unknown) => work());
  const briefings = createBriefingStore(db, marks);
  const size = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  const copied = Number(readFact.get('marks_version')?.value ?? 0);
  if (marksLost || marks.version() < copied) restoreMarks(folder, marks, briefings.marked(), copied, now);
  briefings.copyMarks();
  return {
    db,
    marks,
    briefings,
    news: createNewsStore(db),
    alerts: createAlertWords(db),
    readings: createReadings(db),
    aside,
    fact: (name) => readFact.get(name)?.value ?? null,
    setFact: (name, value) => void putFact.run(name, value),
    transaction: (work) => transact(work) as ReturnType<typeof work>,
    marksProblem() {
      try {
        const verdict = marksDb.pragma('quick_check(1)', { simple: true });
        return verdict === 'ok' ? null : String(verdict);
      } catch (thrown) {
        return messageOf(thrown);
      }
    },
    bytes: () => size(join(folder, ARCHIVE_NAME)) + size(join(folder, `${ARCHIVE_NAME}-wal`)),
    close() {
      db.close();
      marksDb.close();
    },
  };
}
