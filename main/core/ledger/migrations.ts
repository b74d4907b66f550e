// Main, core: the history of the ledger's form. A migration is never edited once released; a new form is a new numbered file.
import type { Database } from 'better-sqlite3';
import * as first from './migrations/001-events.ts';
import * as second from './migrations/002-alerting.ts';
import * as third from './migrations/003-alias.ts';
import * as fourth from './migrations/004-newest-notification.ts';
import * as fifth from './migrations/005-names.ts';

interface Migration {
  readonly version: number;
  readonly sql: string;
}
export const MIGRATIONS: readonly Migration[] = [first, second, third, fourth, fifth];
export const LEDGER_VERSION = MIGRATIONS.length;

/** A file written by a newer Barograph: it is left alone. */
export class FutureLedgerError extends Error {
  override readonly name = 'FutureLedgerError';
}

/**
 * Brings an open database to the present form, each step in a transaction of its own.
 * @param what names the file in error messages
 * @throws FutureLedgerError when its form is newer than this program
 */
export function migrate(db: Database, migrations: readonly Migration[] = MIGRATIONS, what = 'ledger'): void {
  const found = Number(db.pragma('user_version', { simple: true }));
  if (found > migrations.length)
    throw new FutureLedgerError(
      `The ${what} ${db.name} has form ${found}; this Barograph knows forms up to ${migrations.length}. It was written by a newer version: install that one, or choose another data folder.`,
    );
  for (const migration of migrations.slice(found))
    db.transaction(() => {
      db.exec(migration.sql);
      db.pragma(`user_version = ${migration.version}`);
    })();
}
