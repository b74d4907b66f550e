// Service, store: migrates a database to the newest version, one numbered step at a time.
import type { Database } from 'better-sqlite3';
import { StoreError } from './store-error.ts';
import { TABLES } from './tables.ts';

/** The version that the first step makes; stores of earlier versions were never released. */
const FIRST = 12;
/** Each makes the next version. A released step must never change; append a new one. */
const MIGRATIONS: readonly string[] = [TABLES];
const NEWEST = FIRST + MIGRATIONS.length - 1;

/** "BARO" as a number: separates our stores from other SQLite files. */
const APPLICATION_ID = 0x4241524f;

/** Whether it is a store, of any version. */
export const isStore = (database: Database): boolean =>
  Number(database.pragma('application_id', { simple: true })) === APPLICATION_ID;

/** Reports whether there is nothing to migrate. */
export const isCurrent = (database: Database): boolean =>
  isStore(database) && Number(database.pragma('user_version', { simple: true })) === NEWEST;

/**
 * Applies the missing steps, each in its own transaction.
 * @throws StoreError for a database of another program, of a newer version, or of one before the first
 */
export function migrate(database: Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const owner = Number(database.pragma('application_id', { simple: true }));
  const tables = Number(database.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (owner !== APPLICATION_ID && (version !== 0 || owner !== 0 || tables !== 0)) {
    throw new StoreError(`${file} is a database of another program. Give another file with --db.`);
  }
  if (version > NEWEST) {
    throw new StoreError(
      `${file} was written by a newer version (store version ${version}, this one knows ${NEWEST}). Update Barograph, or give another file with --db.`,
    );
  }
  if (version > 0 && version < FIRST) {
    throw new StoreError(
      `${file} was written by a version before the first release (store version ${version}; the first is ${FIRST}). Give another file with --db.`,
    );
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (FIRST + index <= version) continue;
    database.transaction(() => {
      database.exec(step);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${FIRST + index}`);
    })();
  }
}
