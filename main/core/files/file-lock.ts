// Main, core: one process at a time, where several of ours change the same file. The lock is the operating system's, on a SQLite file: it ends
// with its process however that ends.
import Database from 'better-sqlite3';

/** Another process of ours needs milliseconds, ms. */
const LOCK_TIMEOUT = 5_000;

/**
 * Runs `job`, which must not wait for anything, while no other process of ours is inside with the same path.
 * @throws Error where the turn does not come within five seconds
 */
export function withFileLock<Value>(path: string, job: () => Value): Value {
  const lock = new Database(`${path}.lock`, { timeout: LOCK_TIMEOUT });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return job();
  } finally {
    lock.close();
  }
}
