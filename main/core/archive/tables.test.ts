// Test: a new archive file has the tables and rows that all migrations make.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { contentOf } from '../../../test/harness/sqlite-content.ts';
import { createTables, migrate } from '../files/migrate.ts';
import { ARCHIVE_MIGRATIONS } from './migrations.ts';
import { ARCHIVE_TABLES } from './tables.ts';

test('a new file has the same tables as a migrated one', () => {
  const made = new Database(':memory:');
  createTables(made, ARCHIVE_TABLES, ARCHIVE_MIGRATIONS.length);
  const migrated = new Database(':memory:');
  migrate(migrated, ARCHIVE_MIGRATIONS);
  expect(contentOf(made)).toEqual(contentOf(migrated));
  made.close();
  migrated.close();
});
