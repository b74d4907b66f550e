// Main, core: migrates a SQLite file to the current version, one numbered migration at a time.
import type { Database } from 'better-sqlite3';

/** Never edited once released; a new version is a new numbered migration. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
  /** What SQL cannot do, after `sql` and in the same transaction. */
  readonly fill?: (db: Database) => void;
}

/** A file of a newer Barograph, which is not changed. */
export class FutureFileError extends Error {
  override readonly name = 'FutureFileError';
}

/**
 * Runs the missing migrations, each in its own transaction.
 * @param what names the file in error messages
 * @throws FutureFileError when the file's version is newer than this program
 */
export function migrate(db: Database, migrations: readonly Migration[], what = 'file'): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > migrations.length)
    throw new FutureFileError(
      `The ${what} ${db.name} has form ${found}; this Barograph knows forms up to ${migrations.length}. It was written by a newer version: install that one, or choose another data folder.`,
    );
  for (const migration of migrations.slice(found))
    db.transaction(() => {
      db.exec(migration.sql);
      migration.fill?.(db);
      db.pragma(`user_version = ${migration.version}`);
    })();
}
