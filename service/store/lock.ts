// Service, store: holds one store for one service by a lock of the operating system.
// The lock is on a SQLite file beside the store and ends with the process, even if killed. The store
// itself stays open to the command line, which issues and revokes keys while the service runs.
import { closeSync, openSync } from 'node:fs';
import SQLite from 'better-sqlite3';
import type { Cancel } from '../../shared/lib/clock.ts';

/** Time for a predecessor to exit, ms. */
const TIMEOUT_MS = 2_000;

/**
 * @returns the function that releases the lock
 * @throws SqliteError of code SQLITE_BUSY when another service holds it
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

/**
 * Creates the file with mode 0600 unless it exists. An existing file must not even be opened: closing it
 * would release this process's locks on it.
 */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
