// Test: the archive's two files: versions, damage, and the survival of the user's flags.
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
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
import { FutureFileError, migrate } from '../files/migrate.ts';
import { ARCHIVE_MIGRATIONS, FLAGS_MIGRATIONS } from './migrations.ts';
import { type ArchiveStore, openStore } from './store.ts';

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
  const store = openStore(folder.path, NOW);
  open.push(store);
  return store;
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

for (const [what, migrations, tables] of [
  [
    'archive',
    ARCHIVE_MIGRATIONS,
    ['briefings', 'briefings_fts', 'news', 'alerts', 'answers', 'points', 'metadata', 'symbol_notes'],
  ],
  ['flags', FLAGS_MIGRATIONS, ['flags', 'metadata']],
] as const)
  test(`${what}: every version migrates to the next, and a newer one is not changed`, () => {
    for (let from = 0; from <= migrations.length; from += 1) {
      const db = new Database(':memory:');
      migrate(db, migrations.slice(0, from), what);
      migrate(db, migrations, what);
      expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
      for (const table of tables) expect(() => db.prepare(`SELECT count(*) FROM ${table}`).get()).not.toThrow();
      db.pragma(`user_version = ${migrations.length + 1}`);
      expect(() => migrate(db, migrations, what)).toThrow(FutureFileError);
      db.close();
    }
  });

test('the files are the user’s alone', () => {
  start();
  for (const name of ['archive.sqlite', 'flags.sqlite', 'archive.sqlite-wal', 'flags.sqlite-wal'])
    expect((statSync(file(name)).mode & 0o777).toString(8)).toBe('600');
});

test('a damaged archive is quarantined; its items get their old flags when they are fetched again', () => {
  const first = start();
  fill(first, ['a', 'b']);
  first.flagBriefings(['a'], { unread: false, starred: true }, NOW);
  first.flagBriefings(['a'], { later: true }, NOW);
  stop(first);
  spoil('archive.sqlite');
  const second = start();
  expect(second.quarantined).toEqual(['archive.damaged-20260302T143000000Z.sqlite']);
  expect(existsSync(file('archive.damaged-20260302T143000000Z.sqlite'))).toBe(true);
  fill(second, ['a', 'b']);
  expect(flags(second, 'a')).toEqual({ unread: false, starred: true, later: true });
  expect(flags(second, 'b')).toEqual({ unread: true, starred: false, later: false });
});

/** Overwrites the root page of the table `metadata` alone: opening the file succeeds. */
const spoilMetadata = (name: string): void => {
  const db = new Database(file(name));
  db.pragma('wal_checkpoint(TRUNCATE)');
  const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'metadata'").pluck().get());
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const open = openSync(file(name), 'r+');
  writeSync(open, Buffer.alloc(size, 0x5a), 0, size, (page - 1) * size);
  closeSync(open);
};

test('an archive whose damage is outside of its schema is quarantined too, and the next start has a sound one', () => {
  const first = start();
  fill(first, ['a']);
  first.flagBriefings(['a'], { starred: true }, NOW);
  stop(first);
  spoilMetadata('archive.sqlite');
  const second = start();
  expect(second.quarantined).toEqual(['archive.damaged-20260302T143000000Z.sqlite']);
  expect(second.flags.of('a')).toMatchObject({ starred: true });
  stop(second);
  expect(start().quarantined).toEqual([]);
});

test('flags and archive damaged, each in its metadata: the backup has the flags', () => {
  const first = start();
  fill(first, ['a']);
  first.flagBriefings(['a'], { starred: true }, NOW);
  backUp(folder.path, { names: ['flags.sqlite'], day: '2026-03-01' });
  stop(first);
  spoilMetadata('flags.sqlite');
  spoilMetadata('archive.sqlite');
  const second = start();
  expect(second.quarantined).toHaveLength(2);
  expect(second.flags.of('a')).toMatchObject({ starred: true });
});

test('damaged flags are restored from the copies in the archive', () => {
  const first = start();
  fill(first, ['a', 'b']);
  first.flagBriefings(['a'], { starred: true, unread: false }, NOW);
  stop(first);
  spoil('flags.sqlite');
  const second = start();
  expect(second.quarantined).toHaveLength(1);
  expect(second.flags.of('a')).toEqual({ unread: false, starred: true, later: false });
});

test('flags whose file is missing are restored too', () => {
  const first = start();
  fill(first, ['a']);
  first.flagBriefings(['a'], { later: true }, NOW);
  stop(first);
  for (const ending of ['', '-wal', '-shm']) rmSync(file(`flags.sqlite${ending}`), { force: true });
  expect(start().flags.of('a')).toMatchObject({ later: true });
});

test('both damaged: the last backup has the flags', () => {
  const first = start();
  fill(first, ['a']);
  first.flagBriefings(['a'], { starred: true }, NOW);
  first.flags.setMetadata('read_before', '2026-01-01T00:00:00.000Z');
  backUp(folder.path, { names: ['flags.sqlite'], day: '2026-03-01' });
  stop(first);
  spoil('archive.sqlite');
  spoil('flags.sqlite');
  const second = start();
  expect(second.flags.getMetadata('read_before')).toBe('2026-01-01T00:00:00.000Z');
  fill(second, ['a']);
  expect(flags(second, 'a')).toMatchObject({ starred: true });
});

test('killed between the flags and their copies: the copies are updated at the next start', () => {
  const first = start();
  fill(first, ['a']);
  first.flags.write([{ id: 'a', unread: false, starred: true, later: false }], NOW);
  expect(flags(first, 'a')).toMatchObject({ starred: false });
  stop(first);
  expect(flags(start(), 'a')).toEqual({ unread: false, starred: true, later: false });
});

test('a changed row keeps its text and its flags until the new text arrives', () => {
  const store = start();
  fill(store, ['a']);
  store.flagBriefings(['a'], { starred: true }, NOW);
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
  store.flagBriefings(['b'], { starred: true }, NOW);
  expect(store.briefings.prune(NOW + 1)).toBe(2);
  expect(store.db.prepare("SELECT rowid FROM briefings_fts WHERE briefings_fts MATCH 'text'").all()).toHaveLength(1);
  store.db.exec("INSERT INTO briefings_fts (briefings_fts, rank) VALUES ('integrity-check', 1)");
  expect(store.db.prepare('SELECT count(*) AS n FROM briefing_symbols').get()).toEqual({ n: 1 });
});

test('backups: complete, private, one a day, seven of them; leftovers of a killed one are removed', () => {
  const store = start();
  fill(store, ['a']);
  store.flagBriefings(['a'], { starred: true }, NOW);
  for (let day = 10; day < 20; day += 1)
    backUp(folder.path, { names: ['flags.sqlite', 'ledger.sqlite'], day: `2026-03-${day}` });
  writeFileSync(join(folder.path, 'backups', 'flags-2026-03-19.sqlite.next'), 'half');
  const { files } = backUp(folder.path, { names: ['flags.sqlite'], day: '2026-03-19' });
  const names = readdirSync(join(folder.path, 'backups')).sort();
  expect(names).toEqual([13, 14, 15, 16, 17, 18, 19].map((day) => `flags-2026-03-${day}.sqlite`));
  expect((statSync(files[0] ?? '').mode & 0o777).toString(8)).toBe('600');
  const copy = new Database(files[0] ?? '', { readonly: true });
  expect(copy.prepare('SELECT starred FROM flags').all()).toEqual([{ starred: 1 }]);
  copy.close();
});

/**
 * Writes the files of November 2026: marks.sqlite with its WAL, a backup of it, and an archive of version 2.
 */
function writeFormerFiles(): void {
  mkdirSync(file('backups'));
  for (const name of ['marks.sqlite', join('backups', 'marks-2026-03-01.sqlite')]) {
    const db = new Database(file(name));
    migrate(db, FLAGS_MIGRATIONS.slice(0, 1));
    db.exec(`INSERT INTO marks VALUES ('a', 0, 1, 0, 1);
      INSERT INTO facts VALUES ('version', '3'), ('read_before', '2026-01-01T00:00:00.000Z'),
        ('checked', '{"at":"2026-03-01T00:00:00.000Z","sound":true,"words":"sound"}');`);
    db.close();
  }
  const db = new Database(file('archive.sqlite'));
  migrate(db, ARCHIVE_MIGRATIONS.slice(0, 2));
  db.exec(`INSERT INTO briefings VALUES (1, 'a', 'weekly', 'Old title', 'Desk', 'Summary', 'SPY', 2, 0, 1, 0, 1, NULL, NULL, 'old words');
    INSERT INTO briefing_symbols VALUES ('SPY', 1);
    INSERT INTO alerts VALUES (7, 'SPY', 'SPY High Risk', 'text', 'old note', 1);
    INSERT INTO answers VALUES ('rows', '', 5, '[{"symbol":"SPY","heard_at":"2026-03-01T00:00:00.000Z","stale":false},{"symbol":"QQQ","heard_at":null,"stale":true}]');
    INSERT INTO answers VALUES ('regime.read', 'SPY', 5, '{"heard_at":1}');
    INSERT INTO facts VALUES ('marks_version', '3'), ('alerts_upto', '7 evt_7');`);
  db.close();
}
const hits = (store: ArchiveStore, index: string, text: string) =>
  store.db.prepare<[string], number>(`SELECT rowid FROM ${index} WHERE ${index} MATCH ?`).pluck().all(text);

test('the files of November 2026 are renamed and migrated with everything in them', () => {
  writeFormerFiles();
  const store = start();
  expect(readdirSync(folder.path).filter((name) => name.startsWith('marks'))).toEqual([]);
  expect(readdirSync(file('backups'))).toEqual(['flags-2026-03-01.sqlite']);
  expect(store.flags.all()).toEqual([{ id: 'a', unread: false, starred: true, later: false }]);
  expect(store.flags.version()).toBe(3);
  expect(JSON.parse(store.flags.getMetadata('checked') ?? '')).toEqual({
    at: '2026-03-01T00:00:00.000Z',
    sound: true,
    message: 'sound',
  });
  expect(store.briefings.pendingTexts(9)).toEqual(['a']);
  expect(store.alerts.last()).toEqual({ ledgerId: 7, eventId: 'evt_7' });
  expect(store.queryCache.answer('rows', '')).toEqual({
    at: 5,
    value: [
      { symbol: 'SPY', stale: false, received_at: '2026-03-01T00:00:00.000Z' },
      { symbol: 'QQQ', stale: true, received_at: null },
    ],
  });
  expect(store.queryCache.answer('regime.read', 'SPY')?.value).toEqual({ heard_at: 1 });
  expect([hits(store, 'briefings_fts', 'words'), hits(store, 'notes_fts', 'note')]).toEqual([[1], [7]]);
});

test('after the migration the indexes of words follow their tables', () => {
  writeFormerFiles();
  const store = start();
  store.alerts.note(7, 'changed');
  expect([hits(store, 'notes_fts', 'old'), hits(store, 'notes_fts', 'changed')]).toEqual([[], [7]]);
  fill(store, ['b']);
  expect(hits(store, 'briefings_fts', 'text')).toHaveLength(1);
  store.db.prepare('DELETE FROM briefings WHERE n = 1').run();
  expect(hits(store, 'briefings_fts', 'words')).toEqual([]);
  for (const index of ['briefings_fts', 'news_fts', 'alerts_fts', 'notes_fts'])
    expect(() => store.db.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`)).not.toThrow();
});

test('killed between the renaming of marks.sqlite-wal and of marks.sqlite: the next start continues', () => {
  writeFormerFiles();
  const db = new Database(file('marks.sqlite'));
  db.pragma('journal_mode = WAL');
  db.exec("INSERT INTO marks VALUES ('b', 1, 1, 1, 2); UPDATE facts SET value = '4' WHERE name = 'version'");
  // The files of a killed program: the newest flags are only in the WAL.
  copyFileSync(file('marks.sqlite'), file('copy'));
  copyFileSync(file('marks.sqlite-wal'), file('copy-wal'));
  db.close();
  renameSync(file('copy'), file('marks.sqlite'));
  renameSync(file('copy-wal'), file('flags.sqlite-wal'));
  const store = start();
  expect(store.flags.all().map(({ id }) => id)).toEqual(['a', 'b']);
  expect(store.flags.version()).toBe(4);
});

test('flags are restored from a backup of version 1, which does not change', () => {
  writeFormerFiles();
  for (const name of ['archive.sqlite', 'marks.sqlite']) writeFileSync(file(name), Buffer.alloc(20_000, 0x5a));
  const store = start();
  expect(store.quarantined).toHaveLength(2);
  expect(store.flags.of('a')).toEqual({ unread: false, starred: true, later: false });
  expect(store.flags.getMetadata('read_before')).toBe('2026-01-01T00:00:00.000Z');
  const backup = new Database(file(join('backups', 'flags-2026-03-01.sqlite')), { readonly: true });
  expect(backup.pragma('user_version', { simple: true })).toBe(1);
  backup.close();
});
