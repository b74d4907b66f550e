// Service, store: brings an SQLite file of the service to its newest form, one numbered step at a time.
import type { Database } from 'better-sqlite3';
import { STORE_MIGRATIONS } from './migrations.ts';
import { StoreError } from './store-error.ts';

/** "BARO" as a number: separates our stores from other SQLite files. Tapes and caches have the next numbers. */
const APPLICATION_ID = 0x4241524f;

/** A kind of file, with the steps of its form. */
export interface FileForm {
  readonly applicationId: number;
  readonly steps: readonly string[];
  /** What to do with a file of another program, and with one of a newer version; each ends a sentence. */
  readonly foreign: string;
  readonly newer: string;
}

export const STORE: FileForm = {
  applicationId: APPLICATION_ID,
  steps: STORE_MIGRATIONS,
  foreign: '. Give another file with --db.',
  newer: 'give another file with --db.',
};
export const TAPE_ID = APPLICATION_ID + 1;
export const CACHE_ID = APPLICATION_ID + 2;

const pragma = (database: Database, name: string): number => Number(database.pragma(name, { simple: true }));

/** Whether it is a store, of any version. */
export const isStore = (database: Database): boolean => pragma(database, 'application_id') === APPLICATION_ID;

/** Reports whether there is nothing to migrate. */
export const isCurrent = (database: Database): boolean =>
  isStore(database) && pragma(database, 'user_version') === STORE_MIGRATIONS.length;

/**
 * The number of steps that it has. Call it before the first pragma that writes: what is refused stays as it is.
 * @param file its name in error messages
 * @throws StoreError for a database of another program or of a newer version
 */
export function versionOf(database: Database, file: string, form = STORE): number {
  const { applicationId, steps, foreign, newer } = form;
  const [version, owner] = [pragma(database, 'user_version'), pragma(database, 'application_id')];
  const tables = Number(database.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (owner !== applicationId && (version !== 0 || owner !== 0 || tables !== 0))
    throw new StoreError(`${file} is a database of another program${foreign}`);
  if (version > steps.length)
    throw new StoreError(
      `${file} was written by a newer version (its form is ${version}, this one knows ${steps.length}). Update Barograph, or ${newer}`,
    );
  return version;
}

/**
 * Applies the missing steps, each in its own transaction.
 * @param to version after which it stops; default: the newest
 * @throws as `versionOf`
 */
export function migrate(database: Database, file: string, form = STORE, to = form.steps.length): void {
  const version = versionOf(database, file, form);
  for (const [index, step] of form.steps.slice(version, to).entries())
    database.transaction(() => {
      database.exec(step);
      database.pragma(`application_id = ${form.applicationId}`);
      database.pragma(`user_version = ${version + index + 1}`);
    })();
}
