// Test: the archive's file: its former forms, damage, and the survival of the user's flags.
import {
  closeSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { briefingOf } from '../../../test/harness/briefing-server.ts';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { readBriefing, readBriefingText } from '../compat/read-articles.ts';
import { backUp } from '../files/backup.ts';
import { FutureFileError } from '../files/migrate.ts';
import { quarantineFile } from '../files/sqlite-file.ts';
import { FLAG_TABLES } from './flags.ts';
import { type ArchiveStore, openStore } from './store.ts';
import { ARCHIVE_TABLES } from './tables.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
let folder = { path: '', remove: (): void => undefined };
let open: ArchiveStore[] = [];
beforeEach(() => {
  folder = folderInMemory();
});
afterEach(() => {
  for (const store of open) store.close();
  open = [];
  folder.remove();
});

const start = (): ArchiveStore => {
  const store = openStore(folder.path);
  open.push(store);
  return store;
};
/** As the program does: a damaged file is set aside. */
const startAnew = (): ArchiveStore => {
  expect(start).toThrow(Database.SqliteError);
  quarantineFile(folder.path, 'archive.sqlite', '2026-03-02T14:30:00.000Z');
  return start();
};
const stop = (store: ArchiveStore): void => {
  store.close();
  open = open.filter((one) => one !== store);
};
const fill = (store: ArchiveStore, ids: readonly string[]): void => {
  for (const [index, id] of ids.entries()) {
    const given = briefingOf({ id, date: new Date(NOW - index * 1000).toISOString() });
    const head = readBriefing(given);
    const text = readBriefingText(given, id);
    if (head === null || text === null) throw new Error('no briefing');
    store.briefings.put(head);
    store.briefings.putText(text);
  }
};
const flags = (store: ArchiveStore, id: string) => {
  const { unread, starred, later } = store.briefings.read(id) ?? {};
  return { unread, starred, later };
};
const file = (name: string): string => join(folder.path, name);
/** Overwrites the middle of a file, beyond the first page. */
const spoil = (name: string): void => {
  const db = new Database(file(name));
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const { size } = statSync(file(name));
  truncateSync(file(name), 0);
  writeFileSync(file(name), Buffer.alloc(size, 0x5a));
};

test('the file is the user’s alone', () => {
  start();
  for (const name of ['archive.sqlite', 'archive.sqlite-wal'])
    expect((statSync(file(name)).mode & 0o777).toString(8)).toBe('600');
});

/** Overwrites the root page of a table alone: opening the file succeeds. */
const spoilTable = (table: string): void => {
  const db = new Database(file('archive.sqlite'));
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table));
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const open = openSync(file('archive.sqlite'), 'r+');
  writeSync(open, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size);
  closeSync(open);
};
const backUpFlags = (day = '2026-03-01') =>
  backUp(folder.path, { names: ['flags.sqlite'], day, tables: { of: 'archive.sqlite', names: FLAG_TABLES } });

test('the items of a spoiled archive get the flags of the backup when they are fetched again', () => {
  const first = start();
  fill(first, ['a', 'b']);
  first.flags.change(['a', 'unknown'], { unread: false, starred: true });
  first.flags.change(['a'], { later: true });
  first.metadata.set('read_before', '2026-01-01T00:00:00.000Z');
  backUpFlags();
  first.flags.change(['b'], { later: true });
  stop(first);
  spoil('archive.sqlite');
  const second = startAnew();
  expect(second.metadata.get('read_before')).toBe('2026-01-01T00:00:00.000Z');
  fill(second, ['a', 'b']);
  expect(flags(second, 'a')).toEqual({ unread: false, starred: true, later: true });
  expect(flags(second, 'b')).toEqual({ unread: true, starred: false, later: false });
});

test('damage outside of the schema is found too; the damaged file has newer flags than the backup', () => {
  const first = start();
  fill(first, ['a']);
  first.flags.change(['a'], { later: true });
  backUpFlags();
  first.flags.change(['a'], { starred: true });
  stop(first);
  spoilTable('metadata');
  const second = startAnew();
  expect(second.flags.of('a')).toEqual({ unread: true, starred: true, later: true });
});

test('a replacement of a damaged archive that was interrupted has its flags at the next start', () => {
  const first = start();
  fill(first, ['a']);
  first.flags.change(['a'], { starred: true });
  stop(first);
  quarantineFile(folder.path, 'archive.sqlite', '2026-03-02T14:30:00.000Z');
  expect(start().flags.of('a')).toEqual({ unread: true, starred: true, later: false });
});

test('flags without sense in a damaged archive are skipped, the others are kept', () => {
  const first = start();
  fill(first, ['a', 'b']);
  first.flags.change(['a'], { starred: true });
  stop(first);
  const db = new Database(file('archive.sqlite'));
  db.unsafeMode();
  db.pragma('writable_schema = ON');
  db.exec(
    "UPDATE sqlite_schema SET sql = replace(sql, 'later INTEGER NOT NULL', 'later INTEGER') WHERE name = 'flags'",
  );
  db.close();
  const changed = new Database(file('archive.sqlite'));
  changed.exec("DROP TRIGGER flags_written; INSERT INTO flags VALUES ('b', 1, 1, NULL)");
  changed.close();
  spoilTable('metadata');
  const second = startAnew();
  expect([second.flags.of('a'), second.flags.of('b')]).toEqual([{ unread: true, starred: true, later: false }, null]);
});

test('flags are those of the briefings where their own table is damaged', () => {
  const first = start();
  fill(first, ['a']);
  first.flags.change(['a'], { starred: true });
  stop(first);
  spoilTable('flags');
  spoilTable('metadata');
  expect(startAnew().flags.of('a')).toEqual({ unread: true, starred: true, later: false });
});

test('an old file of flags that could not be removed does not replace newer flags', () => {
  const first = start();
  fill(first, ['a']);
  first.flags.change(['a'], { starred: true });
  backUpFlags();
  first.flags.change(['a'], { later: true });
  stop(first);
  const former = new Database(file('flags.sqlite'));
  former.exec(`CREATE TABLE flags (id TEXT PRIMARY KEY, unread, starred, later);
    INSERT INTO flags VALUES ('a', 0, 0, 0);`);
  former.close();
  utimesSync(file('flags.sqlite'), 1, 1);
  spoilTable('metadata');
  expect(startAnew().flags.of('a')).toEqual({ unread: true, starred: true, later: true });
});

test('a changed row keeps its text and its flags until the new text arrives', () => {
  const store = start();
  fill(store, ['a']);
  store.flags.change(['a'], { starred: true });
  const head = readBriefing(
    briefingOf({ id: 'a', date: new Date(NOW - 5_000).toISOString(), title: 'Corrected', symbols: ['QQQ', 'TLT'] }),
  );
  if (head === null) throw new Error('no briefing');
  expect([store.briefings.put(head), store.briefings.put(head)]).toEqual([true, false]);
  expect(store.briefings.read('a')).toMatchObject({
    head: { title: 'Corrected' },
    text: { body: expect.stringContaining('text') },
    starred: true,
  });
  expect(store.briefings.pendingTexts(10)).toEqual(['a']);
  expect(store.db.prepare('SELECT symbol FROM briefing_symbols ORDER BY symbol').all()).toEqual([
    { symbol: 'QQQ' },
    { symbol: 'TLT' },
  ]);
});

test('retention spares starred items, and removes expired ones from the index', () => {
  const store = start();
  fill(store, ['a', 'b', 'c']);
  store.flags.change(['b'], { starred: true });
  expect(store.briefings.prune(NOW + 1)).toBe(2);
  expect(store.db.prepare("SELECT rowid FROM briefings_fts WHERE briefings_fts MATCH 'text'").all()).toHaveLength(1);
  store.db.exec("INSERT INTO briefings_fts (briefings_fts, rank) VALUES ('integrity-check', 1)");
  expect(store.db.prepare('SELECT count(*) AS n FROM briefing_symbols').get()).toEqual({ n: 1 });
});

test('backups: complete, private, one a day, seven of them; leftovers of a killed one are removed', () => {
  const store = start();
  fill(store, ['a']);
  store.flags.change(['a'], { starred: true });
  for (let day = 10; day < 20; day += 1) backUpFlags(`2026-03-${day}`);
  writeFileSync(join(folder.path, 'backups', 'flags-2026-03-19.sqlite.next'), 'half');
  const { files } = backUpFlags('2026-03-19');
  const names = readdirSync(join(folder.path, 'backups')).sort();
  expect(names).toEqual([13, 14, 15, 16, 17, 18, 19].map((day) => `flags-2026-03-${day}.sqlite`));
  expect((statSync(files[0] ?? '').mode & 0o777).toString(8)).toBe('600');
  const copy = new Database(files[0] ?? '', { readonly: true });
  expect(copy.prepare('SELECT starred FROM flags').all()).toEqual([{ starred: 1 }]);
  copy.close();
});

test('an archive and its file of flags of form 4 become one file, once; what was in them is there', () => {
  const db = new Database(file('archive.sqlite'));
  db.exec(`${ARCHIVE_TABLES} DROP TABLE flags;
    INSERT INTO briefings VALUES (1, 'a', 'weekly', 'Old title', 'Desk', 'Summary', 'SPY,QQQ', 2, 0, 1, 0, 1, NULL, NULL, 'old words');
    INSERT INTO briefing_symbols VALUES ('SPY', 1), ('QQQ', 1);
    INSERT INTO news VALUES (2, 'n', 'Headline', '', 'Wire', '', '', 0, '');
    INSERT INTO alerts VALUES (7, 'SPY', 'SPY High Risk', 'text', 'old note', 1);
    INSERT INTO metadata VALUES ('alerts_upto', '7 evt_7');
    INSERT INTO points VALUES ('factors', 'SPY', 1, '{}');
    PRAGMA user_version = 4;`);
  db.close();
  const former = new Database(file('flags.sqlite'));
  former.exec(`CREATE TABLE flags (id TEXT PRIMARY KEY, unread, starred, later, at_ms);
    CREATE TABLE metadata (name, value);
    INSERT INTO flags VALUES ('a', 0, 1, 0, 1), ('gone', 0, 0, 1, 1);
    INSERT INTO metadata VALUES ('read_before', '2026-01-01T00:00:00.000Z');`);
  former.close();
  const store = start();
  expect(readdirSync(folder.path).filter((name) => name.startsWith('flags'))).toEqual([]);
  expect(store.flags.of('gone')).toEqual({ unread: false, starred: false, later: true });
  expect(store.metadata.get('read_before')).toBe('2026-01-01T00:00:00.000Z');
  expect(store.briefings.read('a')).toMatchObject({
    head: { title: 'Old title', symbols: ['SPY', 'QQQ'] },
    starred: true,
  });
  expect([store.briefings.pendingTexts(9), store.news.count()]).toEqual([['a'], 1]);
  expect([store.alerts.last().ledgerId, store.answers.newest('factors', 'SPY')]).toEqual([7, 1]);
  const found = store.db.prepare("SELECT rowid FROM briefings_fts WHERE briefings_fts MATCH 'words'").pluck().all();
  expect(found).toEqual([1]);
  expect(store.db.prepare('SELECT * FROM briefing_symbols ORDER BY symbol').raw().all()).toEqual([
    ['QQQ', 1],
    ['SPY', 1],
  ]);
  store.flags.change(['a'], { later: true });
  stop(store);
  expect(start().briefings.read('a')).toMatchObject({ starred: true, later: true });
});

test('an archive of a newer version is not changed', () => {
  const store = start();
  store.db.pragma('user_version = 7');
  stop(store);
  expect(start).toThrow(FutureFileError);
});

test('an archive of form 5 without cached points gets their table', () => {
  const store = start();
  store.db.exec('DROP TABLE points; PRAGMA user_version = 5');
  stop(store);
  expect(start().answers.newest('factors', 'SPY')).toBeNull();
});
