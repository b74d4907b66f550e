// Test: the newest backup is recognised, whatever the clock showed when it was made.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { backUp, backupsOf } from './backup.ts';

let folder: ReturnType<typeof folderInMemory>;
beforeEach(() => {
  folder = folderInMemory();
});
afterEach(() => folder.remove());

/** Makes a copy on each of these days, with its index as its content. @returns the contents, newest first */
function contentsAfter(...days: readonly string[]): (number | undefined)[] {
  for (const [index, day] of days.entries()) {
    const db = new Database(join(folder.path, 'ledger.sqlite'));
    db.pragma(`user_version = ${index + 1}`);
    db.close();
    backUp(folder.path, { names: ['ledger.sqlite'], day });
  }
  return backupsOf(folder.path, 'ledger.sqlite').map((path) => {
    const copy = new Database(path, { readonly: true });
    try {
      return Number(copy.pragma('user_version', { simple: true }));
    } finally {
      copy.close();
    }
  });
}
const march = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `2026-03-${String(from + index).padStart(2, '0')}`);

test('a clock that was ahead for a day: the copies made since are newer, and take its place in the end', () => {
  expect(contentsAfter('2026-03-01', '2026-03-02', '2099-01-01', '2026-03-04')).toEqual([4, 3, 2, 1]);
  expect(contentsAfter('2099-01-01', ...march(5, 11))).toEqual([8, 7, 6, 5, 4, 3, 2]);
});

test('a clock that was ahead for days, or within a day: no copy is lost, and the last one is the newest', () => {
  expect(contentsAfter('2026-03-01', '2030-01-01', '2030-01-02', '2026-03-04')).toEqual([4, 3, 2, 1]);
  expect(contentsAfter('2026-03-05', '2030-01-01', '2026-03-06')[0]).toBe(3);
  expect(backupsOf(folder.path, 'ledger.sqlite')).toHaveLength(7);
});

test('a copy is on the disk before it has its name, and the name before an older copy goes', () => {
  const db = new Database(join(folder.path, 'ledger.sqlite'));
  db.pragma('user_version = 1');
  db.close();
  for (const day of march(1, 7)) backUp(folder.path, { names: ['ledger.sqlite'], day });
  const [path, oldest] = ['08', '01'].map((day) => join(folder.path, 'backups', `ledger-2026-03-${day}.sqlite`));
  const flushed: unknown[] = [];
  const existing = (): boolean[] => [path, oldest].map((file = '') => existsSync(file));
  backUp(
    folder.path,
    { names: ['ledger.sqlite'], day: '2026-03-08' },
    {
      file: (name) => void flushed.push([name, existsSync(name), ...existing()]),
      folder: (name) => void flushed.push([name, ...existing()]),
    },
  );
  expect(flushed).toEqual([
    [`${path}.next`, true, false, true],
    [join(folder.path, 'backups'), true, true],
  ]);
  expect(existing()).toEqual([true, false]);
});

test('what a killed program left of its copy is removed by the next one, whatever its day', () => {
  mkdirSync(join(folder.path, 'backups'));
  for (const name of ['ledger-2026-02-27.sqlite.next', 'flags-2026-02-27.sqlite.next-journal'])
    writeFileSync(join(folder.path, 'backups', name), 'half');
  contentsAfter('2026-03-01');
  expect(readdirSync(join(folder.path, 'backups'))).toEqual(['ledger-2026-03-01.sqlite']);
});

test('a clock that is behind: its copy is the newest', () => {
  expect(contentsAfter(...march(1, 3), '1970-01-01', '2026-03-04')).toEqual([5, 4, 3, 2, 1]);
});
