// Service, store, test: the tables of a store, and which files are refused.
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';

const opened = () => new SQLite(':memory:');

test('a removed subscription takes its deliveries, attempts and answers with it', () => {
  const database = opened();
  migrate(database, 'memory');
  database.exec(`
    INSERT INTO subscriptions (id, owner, url, events, target, status, created_at, secret, position) VALUES ('s', 'o', 'u', '[]', 't', 'active', 1, 'x', 0);
    INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at) VALUES ('s', 1, 'evt_1', 'model.version', 'event', 'pending', 1);
    INSERT INTO attempts (delivery_id, number, at, latency_ms) VALUES (1, 1, 1, 1);
    INSERT INTO idempotent_answers VALUES ('o', 'k', 'r', 1, 'a', 's', 1);
  `);
  const twice =
    "INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at) VALUES ('s', 1, 'e', 'e', ?, 'pending', 1)";
  expect(() => database.prepare(twice).run('event')).toThrow(/UNIQUE/);
  expect(() => database.prepare(twice).run('replay')).not.toThrow();
  database.exec("DELETE FROM subscriptions WHERE id = 's'");
  for (const table of ['deliveries', 'attempts', 'idempotent_answers'])
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
});

test('a store of today, version 12, opens as it is', () => {
  const database = opened();
  migrate(database, 'memory');
  expect(database.pragma('user_version', { simple: true })).toBe(12);
  const before = database.serialize();
  migrate(database, 'memory');
  expect(database.serialize()).toEqual(before);
});

test("a newer store, one from before the first version, and another program's are refused", () => {
  const database = opened();
  migrate(database, 'memory');
  database.pragma('user_version = 999');
  expect(() => migrate(database, 'file.db')).toThrow(/newer version/);
  database.pragma('user_version = 11');
  expect(() => migrate(database, 'file.db')).toThrow('store version 11; the first is 12');
  const foreign = opened();
  foreign.exec('CREATE TABLE theirs (a)');
  expect(() => migrate(foreign, 'file.db')).toThrow(/another program/);
});
