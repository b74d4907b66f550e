// Service, store: brings an SQLite file of the service to its newest form, one numbered step at a time.
import type { Database } from 'better-sqlite3';
import { STORE_MIGRATIONS } from './migrations.ts';
import { StoreError } from './store-error.ts';

/** "BARO" as a number: separates our stores from other SQLite files. Tapes have the next number. */
const APPLICATION_ID = 0x4241524f;

/** A kind of file, with the steps of its form. */
export interface FileForm {
  readonly applicationId: number;
  readonly steps: readonly string[];
  /** What to do with a file of another program, and with one of a newer version; each ends a sentence. */
  readonly foreign: string;
  readonly newer: string;
}

const STORE: FileForm = {
  applicationId: APPLICATION_ID,
  steps: STORE_MIGRATIONS,
  foreign: '. Give another file with --db.',
  newer: 'give another file with --db.',
};
export const TAPE_ID = APPLICATION_ID + 1;

const pragma = (database: Database, name: string): number => Number(database.pragma(name, { simple: true }));

/** Whether it is a store, of any version. */
export const isStore = (database: Database): boolean => pragma(database, 'application_id') === APPLICATION_ID;

/** Reports whether there is nothing to migrate. */
export const isCurrent = (database: Database): boolean =>
  isStore(database) && pragma(database, 'user_version') === STORE_MIGRATIONS.length;

/**
 * Applies the missing steps up to version `to`, each in its own transaction.
 * @throws StoreError for a database of another program or of a newer version
 */
export function migrate(database: Database, file: string, to = Number.POSITIVE_INFINITY, form = STORE): void {
  const { applicationId, steps, foreign, newer } = form;
  const [version, owner] = [pragma(database, 'user_version'), pragma(database, 'application_id')];
  const tables = Number(database.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (owner !== applicationId && (version !== 0 || owner !== 0 || tables !== 0))
    throw new StoreError(`${file} is a database of another program${foreign}`);
  if (version > steps.length)
    throw new StoreError(
      `${file} was written by a newer version (its form is ${version}, this one knows ${steps.length}). Update Barograph, or ${newer}`,
    );
  for (const [index, step] of steps.slice(0, to).entries()) {
    if (index < version) continue;
    database.transaction(() => {
      database.exec(step);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${index + 1}`);
    })();
  }
}
