// Service, test: the copy of a store, and refused copies.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoppedError } from '../../shared/lib/progress.ts';
import { openTape } from '../market/tape/tape.ts';
import { tapeFileOf } from '../market/tape/tape-database.ts';
import { openStore, type Store } from '../store/store.ts';
import { readBackup, writeBackup } from './backup.ts';

let folder = '';
let db = '';
let store: Store;
const BINDING = { environment: 'production', seed: null, clock: 'real' } as const;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  db = join(folder, 'service.db');
  store = openStore(db, BINDING);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
const backup = (target: string, from: string = db): Promise<string> =>
  writeBackup({ target, db: from, dataDir: null }, folder);

test('an open store and its record of prices are copied, for their owner alone, and open as a store', async () => {
  openTape(tapeFileOf(db)).close();
  store.setMeta('world_time', '42');
  const target = join(folder, 'copy.db');
  expect(await backup(target)).toBe(
    `${db} is copied to ${target} and ${tapeFileOf(target)}. To restore, start the service with --db ${target}`,
  );
  // A later change is not in it.
  store.setMeta('world_time', '43');
  for (const file of [target, tapeFileOf(target)]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const copy = openStore(target, BINDING);
  expect(copy.meta('world_time')).toBe('42');
  copy.close();
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a backup that names no store copies the default one of the data folder', async () => {
  const target = join(folder, 'copy.db');
  expect(await writeBackup({ target, db: null, dataDir: null }, folder)).toContain(db);
  expect(existsSync(target)).toBe(true);
});

test('remains of a killed backup do not prevent the next backup', async () => {
  writeFileSync(join(folder, '.copy.db.partial'), 'half');
  await backup(join(folder, 'copy.db'));
  expect(existsSync(join(folder, '.copy.db.partial'))).toBe(false);
});

test('a backup replaces no file, and a failed backup leaves no file', async () => {
  const target = join(folder, 'copy.db');
  writeFileSync(target, 'mine');
  await expect(backup(target)).rejects.toThrow(/copy\.db exists already/);
  expect(readFileSync(target, 'utf8')).toBe('mine');
  await expect(backup(join(folder, 'none', 'copy.db'))).rejects.toThrow(/no folder/);
  await expect(backup(join(folder, 'b.db'), join(folder, 'none.db'))).rejects.toThrow(/no store at/);
  writeFileSync(join(folder, 'text.db'), 'x'.repeat(4_096));
  await expect(backup(join(folder, 'b.db'), join(folder, 'text.db'))).rejects.toThrow(/cannot be copied/);
  const other = new SQLite(join(folder, 'other.db'));
  other.exec('CREATE TABLE a (b)');
  other.close();
  await expect(backup(join(folder, 'b.db'), join(folder, 'other.db'))).rejects.toThrow(/no store of a service/);
  // The record beside the store cannot be read: the copy of the store alone would be half a backup.
  writeFileSync(tapeFileOf(db), 'x'.repeat(4_096));
  await expect(backup(join(folder, 'b.db'))).rejects.toThrow(/cannot be copied/);
  expect(existsSync(join(folder, 'b.db'))).toBe(false);
});

test('a service that writes meanwhile changes nothing of the copy, and does not make it begin again', async () => {
  const rows = (file: SQLite.Database) => file.prepare('SELECT count(*) FROM filling').pluck().get();
  const writer = new SQLite(db);
  writer.exec('CREATE TABLE filling (text)');
  const insert = writer.prepare('INSERT INTO filling VALUES (?)');
  for (let row = 0; row < 5_000; row += 1) insert.run('x'.repeat(4_000));
  const target = join(folder, 'copy.db');
  const copied: number[] = [];
  await writeBackup({ target, db, dataDir: null }, folder, ({ what, done }) => {
    if (what === 'copying') copied.push(done);
    insert.run('y');
  });
  expect(copied.length).toBeGreaterThan(3);
  expect(copied).toEqual(copied.toSorted((a, b) => a - b));
  const copy = new SQLite(target, { readonly: true });
  expect(rows(copy)).toBe(5_000);
  copy.close();
  writer.close();
});

test('a backup that the user stops leaves no file', async () => {
  const target = join(folder, 'copy.db');
  const stop = (): never => {
    throw new StoppedError('Stopped.');
  };
  await expect(writeBackup({ target, db, dataDir: null }, folder, stop)).rejects.toBeInstanceOf(StoppedError);
  expect(readdirSync(folder).filter((name) => name.includes('copy'))).toEqual([]);
});

test.each([
  ['', /missing required argument/],
  ['a b', /too many arguments/],
  ['a --colour', /--colour/],
  ['a --db', /--db/],
])('backup %s is one line and exit code 2', (line, names) => {
  const read = readBackup(line === '' ? [] : line.split(' '));
  if (read.ok) throw new Error('it was accepted');
  expect(read.error.exitCode).toBe(2);
  expect(read.error.text).toMatch(names);
  expect(read.error.text).toMatch(/^[^\n]+\n$/);
});
