// Main, core: gives a SQLite file the current tables, at once or by numbered migrations.
import type { Database } from 'better-sqlite3';

/**
 * Never edited once released; a new version is a new numbered migration. One that takes the place of several
 * has the number of the last.
 */
export interface Migration {
  readonly version: number;
  readonly sql: string;
  /** Does what SQL cannot, after `sql` and in the same transaction. */
  readonly fill?: (db: Database) => void;
}

/** A file of a newer Barograph, which is not changed. */
export class FutureFileError extends Error {
  override readonly name = 'FutureFileError';
}

/**
 * Makes the tables of the newest version in an empty database.
 * @param version of the last migration; all of them would make the same tables
 */
export function createTables(db: Database, tables: string, version: number): void {
  db.transaction(() => {
    db.exec(tables);
    db.pragma(`user_version = ${version}`);
  })();
}

export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0;

/** True for a database that was never written. */
export const isBlank = (db: Database): boolean =>
  Number(db.pragma('user_version', { simple: true })) === 0 &&
  db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;

/**
 * Runs the missing migrations, each in its own transaction.
 * @param what names the file in error messages
 * @throws FutureFileError when the file's version is newer than this program
 */
export function migrate(db: Database, migrations: readonly Migration[], what = 'file'): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  const newest = newestVersion(migrations);
  if (found > newest)
    throw new FutureFileError(
      `The ${what} ${db.name} has form ${found}; this Barograph knows forms up to ${newest}. It was written by a newer version: install that one, or choose another data folder.`,
    );
  for (const migration of migrations.filter(({ version }) => version > found))
    db.transaction(() => {
      db.exec(migration.sql);
      migration.fill?.(db);
      db.pragma(`user_version = ${migration.version}`);
    })();
}
