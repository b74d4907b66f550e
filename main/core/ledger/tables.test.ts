// Main, core, test: a new ledger file has the tables and rows that all migrations make.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { contentOf } from '../../../test/harness/sqlite-content.ts';
import { createTables, migrate } from '../files/migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { LEDGER_TABLES } from './tables.ts';

test('the current tables equal those that the migrations make', () => {
  const made = new Database(':memory:');
  createTables(made, LEDGER_TABLES, MIGRATIONS.length);
  const migrated = new Database(':memory:');
  migrate(migrated, MIGRATIONS);
  expect(contentOf(made)).toEqual(contentOf(migrated));
  made.close();
  migrated.close();
});
