// Main, core: brings a SQLite file to the present form, one numbered migration at a time.
import type { Database } from 'better-sqlite3';

/** Never edited once released; a new form is a new numbered migration. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** A file written by a newer Barograph: it is left alone. */
export class FutureFileError extends Error {
  override readonly name = 'FutureFileError';
}

/**
 * Runs the migrations that the file does not have yet, each in a transaction of its own.
 * @param what names the file in error messages
 * @throws FutureFileError when its form is newer than this program
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
      db.pragma(`user_version = ${migration.version}`);
    })();
}
