// Service, store: one service per store. The lock is the operating system's, on a SQLite file beside the store: it ends with the process,
// however that ends, and leaves the store itself open to the command line, which issues and revokes keys while the service runs.
import { closeSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import type { Cancel } from '../../shared/lib/clock.ts';

/** A predecessor that is just ending may take this long, ms. */
const TIMEOUT_MS = 2_000;

/**
 * @returns what gives the lock back
 * @throws SqliteError of code SQLITE_BUSY when another service has it
 */
export function lockStore(file: string): Cancel {
  const path = `${file}.lock`;
  createPrivate(path);
  const lock = new SQLite(path, { timeout: TIMEOUT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => void lock.close();
}

/** Makes the file with mode 0600 unless it is there. One that is there is not even opened: closing it would end this process's locks on it. */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
