// Service, store: a copy of a database has what it had when the copy was complete.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { withCopy } from './database-copy.ts';
import { openReplica } from './store.ts';

function filled(rows: number) {
  const database = openReplica(null);
  database.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, body TEXT)');
  const insert = database.prepare('INSERT INTO item (body) VALUES (?)');
  const add = (count: number) =>
    database.transaction(() => {
      for (let index = 0; index < count; index++) insert.run('x'.repeat(400));
    })();
  add(rows);
  return { database, add };
}

const rowsOf = (database: SQLite.Database): unknown => database.prepare('SELECT count(*) FROM item').pluck().get();

test('a copy has what was written while it was made, and nothing later, and is deleted after its use', async () => {
  const { database, add } = filled(60_000);
  let isDone = false;
  let turns = 0;
  const write = (): void => {
    if (isDone) return;
    turns += 1;
    add(3);
    setImmediate(write);
  };
  setImmediate(write);
  const [copied, then, file] = await withCopy(database, async (path) => {
    const now = rowsOf(database);
    add(5);
    const copy = new SQLite(path, { readonly: true });
    const rows = rowsOf(copy);
    copy.close();
    return [rows, now, path] as const;
  });
  isDone = true;
  expect(turns).toBeGreaterThan(3);
  expect(copied).toBe(then);
  expect(existsSync(file)).toBe(false);
});

test('a replica has the contents of a snapshot, and can be written to', async () => {
  const { database } = filled(1_000);
  const contents = await withCopy(database, (path) => readFile(path));
  const replica = openReplica(contents);
  expect(rowsOf(replica)).toBe(1_000);
  replica.exec("INSERT INTO item (body) VALUES ('y')");
  expect([rowsOf(replica), rowsOf(database)]).toEqual([1_001, 1_000]);
  expect(existsSync(replica.name)).toBe(false);
});

test('a database that is closed while it is copied refuses the copy', async () => {
  const { database } = filled(60_000);
  const copy = withCopy(database, () => Promise.resolve());
  setImmediate(() => setImmediate(() => database.close()));
  await expect(copy).rejects.toThrow();
});
