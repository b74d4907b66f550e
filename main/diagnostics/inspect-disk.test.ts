// Test: the doctor notices a ledger that cannot be written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/harness/folders.ts';
import { openLedger } from '../core/ledger/ledger.ts';
import { inspectDisk } from './inspect-disk.ts';

test('reports a ledger that another program has locked; does not open a ledger that no program has open', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'ledger.sqlite');
  try {
    expect(inspectDisk(join(folder.path, 'none'), false)).toBeNull();
    const ledger = openLedger(folder.path, 'now');
    expect(inspectDisk(folder.path, true)).toBeNull();
    const other = new Database(path);
    other.exec('BEGIN EXCLUSIVE');
    expect(inspectDisk(folder.path, true)).toBe('locked');
    other.close();
    ledger.close();
    expect([inspectDisk(folder.path, true), existsSync(`${path}-shm`)]).toEqual([null, false]);
  } finally {
    folder.remove();
  }
});
