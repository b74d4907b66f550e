// Service, store, test: the log, the binding and the locks of a store.
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { EventDraft } from './event-log.ts';
import { environmentIn, flagsOf, IN_MEMORY, openStore, type Store } from './store.ts';
import { StoreError } from './store-error.ts';

const SANDBOX = { environment: 'sandbox', seed: 7, clock: 'real' } as const;

let folder = '';
let file = '';
const stores: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-store-'));
  file = join(folder, 'service.db');
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  rmSync(folder, { recursive: true });
});

function opened(path = file, binding: Parameters<typeof openStore>[1] = SANDBOX): Store {
  const store = openStore(path, binding);
  stores.push(store);
  return store;
}

function closed(store: Store): void {
  store.close();
  stores.splice(stores.indexOf(store), 1);
}

const draft = (id: string, at: number): EventDraft => ({
  event_id: id,
  event: 'model.version',
  timestamp: timestamp(at),
  data: { version: id, previous: null, effective_at: timestamp(at) },
});
const append = (store: Store, ...drafts: EventDraft[]) => store.transaction(() => store.log.append(drafts));

describe('the log', () => {
  test('numbers from 1 without gaps, over restarts, failures and repeated ids', () => {
    let store = opened();
    append(store, draft('a', 1000), draft('b', 2000));
    expect(() =>
      store.transaction(() => {
        store.log.append([draft('c', 3000)]);
        throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    expect(
      append(store, draft('b', 2000), draft('d', 4000)).map(({ envelope }) => [envelope.event_id, envelope.seq]),
    ).toEqual([['d', 3]]);
    closed(store);
    store = opened();
    append(store, draft('e', 5000));
    expect(store.log.after(0, 10, 0).map(({ envelope }) => `${envelope.event_id}${envelope.seq}`)).toEqual([
      'a1',
      'b2',
      'd3',
      'e4',
    ]);
  });

  test('an envelope is stored as sent, its fields in order', () => {
    const store = opened(IN_MEMORY);
    const [logged] = append(store, draft('a', 1000));
    expect(logged?.json).toBe(
      '{"event_id":"a","seq":1,"event":"model.version","timestamp":"1970-01-01T00:00:01.000Z","data":{"version":"a","previous":null,"effective_at":"1970-01-01T00:00:01.000Z"}}',
    );
    expect(store.log.after(0, 1, 0)).toEqual([logged]);
  });

  test('deletes old events, and never the newest one, so that numbering continues', () => {
    const store = opened(IN_MEMORY);
    append(store, draft('a', 1000), draft('b', 2000), draft('c', 3000));
    expect(store.log.prune(2500, 1)).toBe(1);
    expect(store.log.prune(9999, 100)).toBe(1);
    expect(store.log.find('b')).toBeNull();
    expect(append(store, draft('d', 4000))[0]?.envelope.seq).toBe(4);
  });
});

describe('a store', () => {
  test('is bound to environment, seed and clock', () => {
    closed(opened());
    for (const other of [
      { ...SANDBOX, seed: 8 },
      { ...SANDBOX, clock: '2026-03-02T00:00:00.000Z,x60' },
      { environment: 'production', seed: null, clock: 'real' },
    ] as const) {
      expect(() => opened(file, other)).toThrow(/belongs to --env sandbox, --seed 7, the real clock, not to --env/);
    }
    expect(() => opened()).not.toThrow();
  });

  test('a store is refused while another process has it, and free again when that one ends', { tags: ['long'] }, () => {
    const first = opened();
    expect(() => openStore(file, SANDBOX)).toThrow(
      expect.objectContaining({ passing: true, message: expect.stringMatching(/in use by another service/) }),
    );
    closed(first);
    expect(() => opened()).not.toThrow();
  });

  test.each([
    [
      'text',
      () => writeFileSync(file, 'not a database at all, but long enough to have a header of some kind\n'.repeat(100)),
    ],
    [
      'a torn file',
      () => {
        const store = opened();
        append(store, ...Array.from({ length: 2000 }, (_, index) => draft(`evt_${index}`, index)));
        closed(store);
        truncateSync(file, Math.floor(statSync(file).size / 2 / 4096) * 4096);
      },
    ],
  ])('a store that is %s is refused with advice', (_what, spoil) => {
    spoil();
    expect(() => opened()).toThrow(StoreError);
    expect(() => opened()).toThrow(expect.objectContaining({ passing: false }));
    expect(() => opened()).toThrow(/is damaged or is no store of Barograph .* Move it away/);
  });

  test('a store of another program or of a newer version is refused and stays unchanged', () => {
    const theirs = new SQLite(file);
    theirs.exec('CREATE TABLE theirs (a)');
    theirs.close();
    const bytes = readFileSync(file);
    expect(() => opened()).toThrow(/database of another program/);
    expect(readFileSync(file)).toEqual(bytes);
    rmSync(file);
    closed(opened());
    const newer = new SQLite(file);
    newer.pragma('user_version = 999');
    newer.close();
    const later = readFileSync(file);
    expect(() => opened()).toThrow(/newer version/);
    expect(readFileSync(file)).toEqual(later);
  });

  test('a store in a missing folder is refused with the reason', () => {
    expect(() => opened(join(folder, 'none', 'service.db'))).toThrow(/cannot be opened as a store/);
  });
});

test('current states and single values survive a restart', () => {
  const current = {
    symbol: 'SPY',
    day: '2026-03-01',
    state: 2,
    since: 1000,
    holdDownUntil: null,
    regime: 'stress',
    regimeSince: 900,
    regimeHoldDownUntil: 1200,
    restsOn: '2026-02-27',
  } as const;
  const store = opened();
  store.transaction(() => {
    store.currentStates.write([{ ...current, state: 0 }, current]);
    store.setMeta('world_time', '1234');
  });
  closed(store);
  const again = opened();
  expect(again.currentStates.all()).toEqual([current]);
  expect(again.meta('world_time')).toBe('1234');
});

test('the flags of a combination name its environment', () => {
  for (const environment of ['sandbox', 'production'] as const)
    expect(environmentIn(flagsOf({ environment, seed: null, clock: 'real' }))).toBe(environment);
});

test('the operator is the account that the store names, and in a store without a name that of the earliest key', () => {
  const store = opened(IN_MEMORY);
  expect(store.keys.operator()).toBeNull();
  const [later, earlier] = ['svc_test_00000000000000000002', 'svc_test_00000000000000000001'].map((key, index) =>
    store.transaction(() => store.keys.add(key, 2000 - 1000 * index)),
  );
  const accountOf = (id = ''): string => id.replace('key_', 'acct_');
  expect(store.keys.operator()).toBe(accountOf(earlier));
  store.transaction(() => store.setMeta('operator', accountOf(later)));
  expect(store.keys.operator()).toBe(accountOf(later));
});
