// Service, store: migrates a database to the newest version, one numbered step at a time.
import type { Database } from 'better-sqlite3';
import { log } from './migrations/0001-log.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { episodes } from './migrations/0003-episodes.ts';
import { accounts } from './migrations/0004-accounts.ts';
import { briefings } from './migrations/0005-briefings.ts';
import { news } from './migrations/0006-news.ts';
import { names } from './migrations/0007-names.ts';
import { pushedState } from './migrations/0008-pushed-state.ts';
import { owners } from './migrations/0009-owners.ts';
import { episodeClaims } from './migrations/0010-episode-claims.ts';
import { cluster } from './migrations/0011-cluster.ts';
import { priceQuestions } from './migrations/0012-price-questions.ts';
import { StoreError } from './store-error.ts';

/**
 * Number n of the list migrates a store from version n-1 to n. A released step must never change; append a
 * new one.
 */
const MIGRATIONS: readonly string[] = [
  log,
  webhooks,
  episodes,
  accounts,
  briefings,
  news,
  names,
  pushedState,
  owners,
  episodeClaims,
  cluster,
  priceQuestions,
];

/** "BARO" as a number: separates our stores from other SQLite files. */
const APPLICATION_ID = 0x4241524f;

/** Whether it is a store, of any version. */
export const isStore = (database: Database): boolean =>
  Number(database.pragma('application_id', { simple: true })) === APPLICATION_ID;

/** Reports whether there is nothing to migrate. */
export const isCurrent = (database: Database): boolean =>
  isStore(database) && Number(database.pragma('user_version', { simple: true })) === MIGRATIONS.length;

/**
 * Applies the missing steps up to version `to`, each in its own transaction.
 * @throws StoreError for a database of another program or of a newer version
 */
export function migrate(database: Database, file: string, to = MIGRATIONS.length): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  const owner = Number(database.pragma('application_id', { simple: true }));
  const tables = Number(database.prepare('SELECT count(*) FROM sqlite_master').pluck().get());
  if (owner !== APPLICATION_ID && (version !== 0 || owner !== 0 || tables !== 0)) {
    throw new StoreError(`${file} is a database of another program. Give another file with --db.`);
  }
  if (version > MIGRATIONS.length) {
    throw new StoreError(
      `${file} was written by a newer version (store version ${version}, this one knows ${MIGRATIONS.length}). Update Barograph, or give another file with --db.`,
    );
  }
  for (const [index, step] of MIGRATIONS.slice(0, to).entries()) {
    if (index < version) continue;
    database.transaction(() => {
      database.exec(step);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${index + 1}`);
    })();
  }
}
