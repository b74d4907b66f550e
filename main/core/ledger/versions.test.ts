// Test: the ledger's file: versions, damage, restarts.

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { event, setUpLedger } from '../../../test/harness/ledger-bench.ts';
import { FutureFileError, migrate } from '../files/migrate.ts';
import { canShrink } from '../files/sqlite-file.ts';
import { createLedger, openLedger } from './ledger.ts';
import { LEDGER_VERSION, MIGRATIONS } from './migrations.ts';
import { createFixedStorage } from './storage.ts';

const bench = setUpLedger();
const { take } = bench;

test('every migration leads to the current version, from every earlier one', () => {
  for (let from = 0; from <= LEDGER_VERSION; from += 1) {
    const db = new Database(':memory:');
    migrate(db, MIGRATIONS.slice(0, from));
    migrate(db, MIGRATIONS);
    expect(db.pragma('user_version', { simple: true })).toBe(LEDGER_VERSION);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(createLedger(createFixedStorage({ db, loss: null })).count()).toBe(0);
  }
});

test('shown and pending notifications of version 1 keep their ids in the current version', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, 1));
  const put = db.prepare("INSERT INTO notifications VALUES (?, ?, 12, 1000, ?, ?, '', ?)");
  put.run(1, 'barograph:e1', 'shown', 2000, 1);
  put.run(2, 'barograph:e2', 'intent', null, 0);
  migrate(db, MIGRATIONS);
  const { notifications } = createLedger(createFixedStorage({ db, loss: null }));
  expect(notifications.pending(9)).toMatchObject([
    { id: 'barograph:e2', ledgerId: 2, channel: 'desktop', kind: 'alert', baseRate: 12 },
  ]);
  expect(notifications.dispatchOf(1)).toEqual({
    notification_id: 'barograph:e1',
    outcome: 'shown',
    at: '1970-01-01T00:00:02.000Z',
    detail: null,
  });
});

test('a file of version 8 keeps its rows, and its free pages can be returned from now on', () => {
  bench.ledger.close();
  const path = join(bench.folder, 'ledger.sqlite');
  rmSync(path, { force: true });
  const old = new Database(path);
  old.pragma('journal_mode = WAL');
  migrate(old, MIGRATIONS.slice(0, 8));
  old.exec(
    `INSERT INTO events (event_id, seq, log, event, symbol, to_state, occurred_s, received_ms, sources, body, duplicate_index)
       SELECT 'e' || value, value, 1, 'signal.high_risk', 'SPY', 2, value, 1000, 'stream', '{}', 0
       FROM json_each('${JSON.stringify(Array.from({ length: 50 }, (_, index) => index + 1))}');
     INSERT INTO aliases VALUES ('x1', 1);`,
  );
  expect(canShrink(old)).toBe(false);
  old.close();
  bench.reopen();
  expect(canShrink(bench.ledger.db())).toBe(true);
  expect([bench.ledger.count(), bench.ledger.size(), bench.ledger.loss()]).toEqual([50, 50, null]);
  expect(take([event(null, { eventId: 'x1', occurredAt: 1000 })], 'relay').added).toEqual([]);
});

test('a ledger of a newer Barograph is refused and not changed', () => {
  take([event(1)]);
  bench.ledger.close();
  const path = join(bench.folder, 'ledger.sqlite');
  const db = new Database(path);
  db.pragma(`user_version = ${LEDGER_VERSION + 1}`);
  db.close();
  expect(() => openLedger(bench.folder, 'now')).toThrow(FutureFileError);
  expect(readdirSync(bench.folder).some((name) => name.includes('damaged'))).toBe(false);
  const again = new Database(path);
  again.pragma(`user_version = ${LEDGER_VERSION}`);
  again.close();
  bench.reopen();
  expect(bench.ledger.count()).toBe(1);
});

test.each([
  ['no database at all', () => Buffer.from('this is not a database, it is a letter to the reader of files')],
  [
    'a database with a page of noise',
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0x5a)]),
  ],
  ['a database cut in half', (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2) - 100)],
])('%s is quarantined, and a new ledger begins', (_, damage) => {
  take(Array.from({ length: 500 }, (_, index) => event(index + 1)));
  bench.ledger.close();
  const path = join(bench.folder, 'ledger.sqlite');
  const sound = new Database(path).serialize();
  writeFileSync(path, damage(sound));
  bench.reopen();
  expect(bench.ledger.loss()?.name).toBe('ledger.damaged-20260302T143000000Z.sqlite');
  expect(readdirSync(bench.folder)).toContain('ledger.damaged-20260302T143000000Z.sqlite');
  expect(bench.ledger.count()).toBe(0);
  take([event(1)], 'backfill', null);
  expect(bench.ledger.cursor()).toMatchObject({ eventId: 'e1', seq: 1 });
});

test('everything survives a restart', () => {
  take([event(1), event(2), event(4)], 'backfill', null);
  take([event(9)]);
  bench.ledger.openGap('hole', 'a', null, plainMessage('c'));
  bench.reopen();
  expect(bench.ledger.count()).toBe(4);
  expect(bench.ledger.cursor()).toEqual({ log: 1, eventId: 'e4', seq: 4 });
  expect(bench.ledger.hasPending()).toBe(true);
  expect(bench.ledger.notifications.pending(100).map((notification) => notification.id)).toEqual([
    'n:e1',
    'n:e2',
    'n:e4',
    'n:e9',
  ]);
  expect(bench.ledger.gaps(10)).toHaveLength(2);
});
