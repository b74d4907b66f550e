// Test: migration 014: older mutes cover the same symbols, and a damaged row mutes nothing.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../files/migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import { createMuteStore } from './mutes.ts';

test('symbols become matchers, and a damaged row mutes nothing', () => {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS.slice(0, 13));
  const put = db.prepare(
    `INSERT INTO mutes (kind, symbols, until, from_at, until_at, comment, made_ms)
     VALUES (?, ?, 'time', '2026-03-02T14:30:00.000Z', NULL, '', 1)`,
  );
  put.run('snooze', 'SPY');
  put.run('silence', 'BRK.B,^VIX');
  put.run('silence', null);
  migrate(db, MIGRATIONS);
  const store = createMuteStore(db);
  const matchers = () => store.active().map((mute) => mute.matchers);
  expect(matchers()).toEqual([
    [{ name: 'symbol', operator: 'is', values: ['SPY'] }],
    [{ name: 'symbol', operator: 'is', values: ['BRK.B', '^VIX'] }],
    [],
  ]);
  db.exec("UPDATE mutes SET matchers = '[{' WHERE id = 3");
  store.reload();
  expect(matchers()).toHaveLength(2);
});
