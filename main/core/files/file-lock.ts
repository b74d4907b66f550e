// Main, core: a lock between processes, on a SQLite file: the operating system releases it at exit.
import Database from 'better-sqlite3';
import type { Cancel } from '../../../shared/lib/clock.ts';

/** Longest wait for the lock, ms: another process of ours holds it for milliseconds. */
const LOCK_TIMEOUT = 5_000;

/**
 * Takes the lock of `path`.
 * @returns a function that releases it
 * @throws an error for which `isLocked` holds where another process keeps it for `timeout` ms
 */
export function lockFile(path: string, timeout: number): Cancel {
  const lock = new Database(path, { timeout });
  try {
    // On a read-only disk this locks nothing, but the read still notices the lock of another process.
    lock.exec('BEGIN EXCLUSIVE; SELECT count(*) FROM sqlite_master');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => void lock.close();
}

/** True for the error of a lock that another process holds. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

/**
 * Runs the synchronous `job` while no other process of ours runs one with the same path.
 * @throws Error when the lock is not free within five seconds
 */
export function withFileLock<Value>(path: string, job: () => Value): Value {
  const release = lockFile(`${path}.lock`, LOCK_TIMEOUT);
  try {
    return job();
  } finally {
    release();
  }
}
