// Test: older versions of relay.sqlite are migrated with all rows; a newer one is not changed.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderInMemory } from '../../../test/harness/folders.ts';
import { FutureFileError } from '../files/migrate.ts';
import { RELAY_MIGRATIONS } from './migrations.ts';
import { openRelayStore, type RelayStore } from './store.ts';

let folder = { path: '', remove: (): void => undefined };
let store: RelayStore | null = null;
beforeEach(() => {
  folder = folderInMemory();
});
afterEach(() => {
  store?.close();
  store = null;
  folder.remove();
});

const withDatabase = (work: (db: Database.Database) => void): void => {
  const db = new Database(join(folder.path, 'relay.sqlite'));
  work(db);
  db.close();
};
const open = (): RelayStore => {
  store = openRelayStore(folder.path, 'now', () => undefined);
  return store;
};

// The first programs wrote the version after the tables; one that was killed between the two left 0.
test.each([1, 0])('version 1, with user_version %i, is migrated with all rows', (version) => {
  withDatabase((db) => {
    db.exec(RELAY_MIGRATIONS[0]?.sql ?? '');
    db.exec(`INSERT INTO targets VALUES ('tgt', 'http://127.0.0.1:9/hook', 'whsec_1', '{"events":null,"symbols":["SPY"],"states":null}', 1, 42, 7);
      INSERT INTO forwards VALUES (3, 'tgt', 'evt_1', 'body', 'pending', 2, 1, 5, 1, 503, 'busy');
      INSERT INTO aside VALUES ('evt_2', 'other body', 'ahead', 9);
      INSERT INTO trails VALUES ('evt_1', 'other');
      INSERT INTO facts VALUES ('name', 'here'), ('subscription', 'sub_1');`);
    db.pragma(`user_version = ${version}`);
  });
  const relay = open();
  expect(relay.queue.targets()).toEqual([
    {
      id: 'tgt',
      url: 'http://127.0.0.1:9/hook',
      secret: 'whsec_1',
      filter: { events: null, symbols: ['SPY'], states: null },
      allowPublic: true,
      position: 42,
      since: 7,
    },
  ]);
  expect(relay.queue.due('tgt', 5)).toEqual({ id: 3, eventId: 'evt_1', body: 'body', attempts: 2 });
  expect(relay.deadLetters.all()).toEqual([{ eventId: 'evt_2', body: 'other body', why: 'ahead', receivedAt: 9 }]);
  expect(relay.trail('evt_1')).toBe('other');
  expect([relay.name, relay.getMetadata('subscription')]).toEqual(['here', 'sub_1']);
});

test('a newer version is not changed', () => {
  withDatabase((db) => db.pragma('user_version = 999'));
  expect(open).toThrow(FutureFileError);
});
