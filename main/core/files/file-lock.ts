// Main, core: a lock between processes, held on a SQLite file: the operating system ends it with its process.
import Database from 'better-sqlite3';
import type { Cancel } from '../../../shared/lib/clock.ts';

/** Another process of ours needs milliseconds, ms. */
const LOCK_TIMEOUT = 5_000;

/**
 * Takes the lock that `path` stands for.
 * @returns releases it
 * @throws an error for which `isLocked` holds where another process has it for `timeout` ms
 */
export function lockFile(path: string, timeout: number): Cancel {
  const lock = new Database(path, { timeout });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => void lock.close();
}

/** True for the error of a lock that another process has. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

/**
 * Runs `job`, which must not wait for anything, while no other process of ours is inside with the same path.
 * @throws Error where the turn does not come within five seconds
 */
export function withFileLock<Value>(path: string, job: () => Value): Value {
  const release = lockFile(`${path}.lock`, LOCK_TIMEOUT);
  try {
    return job();
  } finally {
    release();
  }
}
