// Service, store, test: migrations of a store.
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate, STORE } from './migrate.ts';

const opened = () => new SQLite(':memory:');

test('a store of version 1 retains its events when webhooks are added, and a removed subscription takes its rows with it', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 1);
  database.exec(
    "INSERT INTO events (seq, event_id, event, occurred_at, body) VALUES (1, 'evt_1', 'model.version', 1, '{}')",
  );
  migrate(database, 'memory', STORE, 2);
  expect(database.pragma('user_version', { simple: true })).toBe(2);
  expect(database.prepare('SELECT count(*) FROM events').pluck().get()).toBe(1);
  database.exec(`
    INSERT INTO subscriptions (id, owner, url, events, target, status, created_at, secret, place) VALUES ('s', 'o', 'u', '[]', 't', 'active', 1, 'x', 0);
    INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at) VALUES ('s', 1, 'evt_1', 'model.version', 'event', 'pending', 1);
    INSERT INTO attempts (delivery_id, number, at, latency_ms) VALUES (1, 1, 1, 1);
    INSERT INTO idempotent_answers VALUES ('o', 'k', 'r', 1, 'a', 's', 1);
  `);
  const twice =
    "INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at) VALUES ('s', 1, 'e', 'e', ?, 'pending', 1)";
  expect(() => database.prepare(twice).run('event')).toThrow(/UNIQUE/);
  expect(() => database.prepare(twice).run('replay')).not.toThrow();
  database.exec("DELETE FROM subscriptions WHERE id = 's'");
  for (const table of ['deliveries', 'attempts', 'idempotent_answers']) {
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  }
});

test('keys of a store without accounts get one each, retain their rights, and own what they made', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 3);
  database.exec(`
    INSERT INTO keys (hash, id, ending, created_at) VALUES ('h1', 'key_one', 'aaaa', 5), ('h2', 'key_two', 'bbbb', 6);
    INSERT INTO subscriptions (id, owner, url, events, target, status, created_at, secret, place) VALUES ('s', 'key_two', 'u', '[]', 't', 'active', 1, 'x', 0);
    INSERT INTO idempotent_answers VALUES ('key_two', 'k', 'r', 1, 'a', 's', 1);
  `);
  migrate(database, 'memory', STORE, 4);
  expect(database.prepare('SELECT id, account, scope, expires_at FROM keys ORDER BY id').all()).toEqual([
    { id: 'key_one', account: 'acct_one', scope: 'webhooks', expires_at: null },
    { id: 'key_two', account: 'acct_two', scope: 'webhooks', expires_at: null },
  ]);
  expect(database.prepare('SELECT id, plan, hard_cap, created_at FROM accounts ORDER BY id').all()).toEqual([
    { id: 'acct_one', plan: null, hard_cap: 0, created_at: 5 },
    { id: 'acct_two', plan: null, hard_cap: 0, created_at: 6 },
  ]);
  for (const table of ['subscriptions', 'idempotent_answers']) {
    expect(database.prepare(`SELECT owner FROM ${table}`).pluck().get()).toBe('acct_two');
  }
  expect(database.pragma('foreign_key_check')).toEqual([]);
});

test('a store of version 6 retains its current states, positions and briefings under their new names', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 6);
  database.exec(`
    INSERT INTO standings VALUES ('SPY', '2026-03-01', 2, 10, 11, 'stress', 9, 12);
    INSERT INTO subscriptions (id, owner, url, events, target, status, created_at, secret, place) VALUES ('s', 'o', 'u', '[]', 't', 'active', 1, 'x', 41);
    INSERT INTO deliveries (subscription_id, seq, event_id, event, kind, status, created_at) VALUES ('s', 1, 'e', 'e', 'event', 'pending', 1);
    INSERT INTO briefings VALUES ('b', 'desk', 'daily', 'T', 'A', 5, 'S', '["SPY"]', 2, 'B'), ('a', 'editorial', 'deep', 'U', 'C', 6, 'V', '[]', 3, 'D');
  `);
  migrate(database, 'memory', STORE, 7);
  expect(database.prepare('SELECT * FROM current_states').all()).toEqual([
    {
      symbol: 'SPY',
      day: '2026-03-01',
      state: 2,
      since: 10,
      hold_down_until: 11,
      regime: 'stress',
      regime_since: 9,
      regime_hold_down_until: 12,
    },
  ]);
  expect(database.prepare('SELECT id, position FROM subscriptions').all()).toEqual([{ id: 's', position: 41 }]);
  expect(database.prepare('SELECT count(*) FROM deliveries').pluck().get()).toBe(1);
  expect(database.prepare('SELECT * FROM briefings ORDER BY date').raw().all()).toEqual([
    ['b', 'generated', 'daily', 'T', 'A', 5, 'S', '["SPY"]', 2, 'B'],
    ['a', 'editorial', 'deep', 'U', 'C', 6, 'V', '[]', 3, 'D'],
  ]);
  expect(database.pragma('foreign_key_check')).toEqual([]);
  expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'briefings_by_date'").pluck().get()).toBe(
    'briefings_by_date',
  );
});

test('events of a store of version 7 get the state that was entered beside to_state, the others stay as they are', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 7);
  const flip = '{"seq":2,"data":{"symbol":"SPY"}}';
  database
    .prepare('INSERT INTO events (seq, event_id, event, occurred_at, to_state, body) VALUES (?, ?, ?, 1, ?, ?)')
    .run(1, 'a', 'signal.high_risk', 2, '{"seq":1,"data":{"to_state":2,"note":"a \u00e4 1.50"}}');
  database
    .prepare('INSERT INTO events (seq, event_id, event, occurred_at, body) VALUES (2, ?, ?, 1, ?)')
    .run('b', 'regime.flip', flip);
  migrate(database, 'memory');
  const [signal, other] = database.prepare<[], string>('SELECT body FROM events ORDER BY seq').pluck().all();
  expect(JSON.parse(signal ?? '')).toEqual({ seq: 1, data: { to_state: 2, note: 'a \u00e4 1.50', state: 2 } });
  expect(other).toBe(flip);
});

test('keys of a store of version 8 are all kept, with their ends; their accounts have no owner', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 8);
  database.exec(`
    INSERT INTO accounts (id, plan, hard_cap, contract, created_at) VALUES ('fund', 'desk', 1, NULL, 5);
    INSERT INTO keys (hash, id, ending, created_at, revoked_at, account, scope, expires_at) VALUES
      ('h1', 'key_one', 'aaaa', 5, NULL, 'fund', 'read', NULL), ('h2', 'key_two', 'bbbb', 6, 8, 'fund', 'webhooks', 9);
    INSERT INTO usage VALUES ('fund', '2026-03', 7);
  `);
  migrate(database, 'memory', STORE, 9);
  expect(database.prepare('SELECT * FROM keys ORDER BY id').raw().all()).toEqual([
    ['h1', 'key_one', 'aaaa', 5, null, 'fund', 'read', null, null, null, null],
    ['h2', 'key_two', 'bbbb', 6, 8, 'fund', 'webhooks', 9, null, null, null],
  ]);
  expect(database.prepare('SELECT * FROM accounts').raw().all()).toEqual([['fund', 'desk', 1, null, 5, null]]);
  expect(database.prepare('SELECT calls FROM usage').pluck().get()).toBe(7);
  expect(() => database.exec("UPDATE keys SET scope = 'account'")).not.toThrow();
  expect(() => database.exec("UPDATE keys SET scope = 'all'")).toThrow(/CHECK/);
  expect(database.pragma('foreign_key_check')).toEqual([]);
});

test('episodes of a store of version 9 say what their confidence is about, as far as the log has the transition', () => {
  const database = opened();
  migrate(database, 'memory', STORE, 9);
  const insert = database.prepare(
    'INSERT INTO events (seq, event_id, event, occurred_at, symbol, to_state, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const body = (claim: string) => JSON.stringify({ data: { confidence_of: claim } });
  insert.run(1, 'up', 'signal.elevated', 1, 'SPY', 1, body('event'));
  insert.run(2, 'peak', 'signal.high_risk', 2, 'SPY', 2, body('further_fall'));
  insert.run(3, 'again', 'signal.high_risk', 3, 'SPY', 2, body('event'));
  database.exec(`
    INSERT INTO episodes (id, symbol, asset_class, started_at, ended_at, peak_state, regime, confidence, note, transitions) VALUES
      ('known', 'SPY', 'etf', 1, NULL, 2, NULL, 40, '', '["up","peak","again"]'),
      ('pruned', 'QQQ', 'etf', 1, 2, 1, NULL, 20, '', '["gone"]');
  `);
  migrate(database, 'memory');
  expect(database.prepare('SELECT id, claim FROM episodes ORDER BY id').raw().all()).toEqual([
    ['known', 'further_fall'],
    ['pruned', null],
  ]);
});

test("a migration runs once, and a newer store or another program's is refused", () => {
  const database = opened();
  migrate(database, 'memory');
  const before = database.serialize();
  migrate(database, 'memory');
  expect(database.serialize()).toEqual(before);
  database.pragma('user_version = 999');
  expect(() => migrate(database, 'file.db')).toThrow(/newer version/);
  const foreign = opened();
  foreign.exec('CREATE TABLE theirs (a)');
  expect(() => migrate(foreign, 'file.db')).toThrow(/another program/);
});
