// Main, core: the archive's queries that run off the core's thread: searches, check, backup.
// The same code answers in the thread (reader-thread.ts) and, in tests, in the thread of the test.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BriefingPage, BriefingQuery, Hit, NewsPage, NewsQuery } from '../../../shared/channels/archive.ts';
import { type BackupRequest, type BackupResult, backUp } from '../files/backup.ts';
import { listBriefings, listNews } from './lists.ts';
import { createSearch, type SearchRequest } from './search.ts';
import { ARCHIVE_NAME } from './tables.ts';

/** Every task with its request and answer. */
export interface ReaderTasks {
  readonly search: { readonly ask: SearchRequest; readonly answer: Hit[] };
  readonly briefings: { readonly ask: BriefingQuery; readonly answer: BriefingPage };
  readonly news: { readonly ask: { readonly query: NewsQuery; readonly sources: string[] }; readonly answer: NewsPage };
  /** null: the file is sound; otherwise the fault. */
  readonly check: { readonly ask: Record<string, never>; readonly answer: string | null };
  readonly backup: { readonly ask: BackupRequest; readonly answer: BackupResult };
  /** The file was or will be replaced: closes the old one. */
  readonly reopen: { readonly ask: Record<string, never>; readonly answer: null };
}
export type TaskName = keyof ReaderTasks;

export interface ArchiveReader {
  /** @throws RefusedError; DamageError where the file is damaged; Error with a message */
  ask<Name extends TaskName>(name: Name, ask: ReaderTasks[Name]['ask']): Promise<ReaderTasks[Name]['answer']>;
  close(): Promise<void>;
}
export type ReaderFactory = (folder: string, script?: URL) => ArchiveReader;

/** The file that was read is damaged. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** Answers over a read-only connection. */
export function createTaskRunner(folder: string): {
  answer<Name extends TaskName>(name: Name, ask: ReaderTasks[Name]['ask']): Promise<ReaderTasks[Name]['answer']>;
  close(): void;
} {
  let open: { readonly db: Database.Database; readonly search: ReturnType<typeof createSearch> } | null = null;
  const opened = () => {
    if (open !== null) return open;
    const db = new Database(join(folder, ARCHIVE_NAME), { readonly: true, fileMustExist: true, timeout: 2000 });
    try {
      // The index of a large archive exceeds the default cache. The unit is KB.
      db.pragma('cache_size = -16000');
      open = { db, search: createSearch(db) };
      return open;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  const close = (): void => {
    open?.db.close();
    open = null;
  };
  const tasks: { [Name in TaskName]: (ask: ReaderTasks[Name]['ask']) => ReaderTasks[Name]['answer'] } = {
    search: (ask) => opened().search(ask),
    briefings: (ask) => listBriefings(opened().db, ask),
    news: ({ query, sources }) => listNews(opened().db, query, sources),
    check() {
      const checkResult = opened().db.pragma('quick_check(1)', { simple: true });
      return checkResult === 'ok' ? null : String(checkResult);
    },
    backup: (ask) => backUp(folder, ask),
    reopen() {
      close();
      return null;
    },
  };
  return {
    answer: async (name, ask) => tasks[name](ask),
    close,
  };
}
