// Service, store: a copy of an open database as a file, for a worker or a snapshot; in memory it may be too large.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';

/** Copied in one turn: some milliseconds. */
const PAGES = 1_000;

/**
 * Deletes the copy when `use` has ended.
 * @param use called in the turn that completes the copy, so that the copy has what the database has then
 * @throws the error of SQLite, also when the database is closed meanwhile; what `use` throws
 */
export async function withCopy<Result>(database: Database, use: (file: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'barograph-copy-'));
  try {
    const file = join(folder, 'copy.db');
    await database.backup(file, { progress: () => PAGES });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
