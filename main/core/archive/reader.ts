// Main, core: what is read from the archive away from the core's thread: searches, lists with words, the check, the backup.
// The same code answers in the thread (reader-thread.ts) and, in tests, beside it.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { BriefingPage, BriefingQuery, Hit, NewsPage, NewsQuery } from '../../../shared/channels/archive.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type BackupRequest, type BackupResult, backUp } from '../files/backup.ts';
import { isDamage } from '../files/sqlite-file.ts';
import { ARCHIVE_NAME } from './database.ts';
import { listBriefings, listNews } from './lists.ts';
import { createSearch, type SearchRequest } from './search.ts';

/** Everything that can be asked, and what is answered. */
export interface ReaderTasks {
  readonly search: { readonly ask: SearchRequest; readonly answer: Hit[] };
  readonly briefings: { readonly ask: BriefingQuery; readonly answer: BriefingPage };
  readonly news: { readonly ask: { readonly query: NewsQuery; readonly sources: string[] }; readonly answer: NewsPage };
  /** null: it is sound; else what is wrong. */
  readonly check: { readonly ask: Record<string, never>; readonly answer: string | null };
  readonly backup: { readonly ask: BackupRequest; readonly answer: BackupResult };
  /** The file is about to be replaced, or was: what is open belongs to the old one. */
  readonly reopen: { readonly ask: Record<string, never>; readonly answer: null };
}
export type TaskName = keyof ReaderTasks;

export interface ArchiveReader {
  /** @throws RefusedError; DamageError where the file is damaged; Error with a message */
  ask<Name extends TaskName>(name: Name, ask: ReaderTasks[Name]['ask']): Promise<ReaderTasks[Name]['answer']>;
  close(): Promise<void>;
}
export type ReaderFactory = (folder: string, script?: URL) => ArchiveReader;

/** What was read is damaged. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** What answers, over a connection that can only read. */
export function createTaskRunner(folder: string): {
  answer<Name extends TaskName>(name: Name, ask: ReaderTasks[Name]['ask']): Promise<ReaderTasks[Name]['answer']>;
  close(): void;
} {
  let open: { readonly db: Database.Database; readonly search: ReturnType<typeof createSearch> } | null = null;
  const opened = () => {
    if (open !== null) return open;
    const db = new Database(join(folder, ARCHIVE_NAME), { readonly: true, fileMustExist: true, timeout: 2000 });
    try {
      // Where there is much to search, the index is larger than what is cached by itself, KB.
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

/** Answers in the thread that asks: for tests. */
export const startNearReader: ReaderFactory = (folder) => {
  const runner = createTaskRunner(folder);
  return {
    ask: (name, ask) =>
      runner.answer(name, ask).catch((error: unknown) => {
        throw isDamage(error) ? new DamageError(messageOf(error)) : error;
      }),
    close: async () => runner.close(),
  };
};
