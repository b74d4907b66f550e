// Service, auth, test: the last use of keys is written late, once for many uses, and never lost.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { IN_MEMORY, openStore, type Store } from '../store/store.ts';
import { createLastUse } from './last-use.ts';

let store: Store;
beforeEach(() => {
  store = openStore(IN_MEMORY, { environment: 'sandbox', seed: 7, clock: 'real' });
});
afterEach(() => store.close());

test('it is written ten seconds after the first use, and at the end', async () => {
  const clock = createManualClock();
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const lastUse = createLastUse(store, clock, silent);
  const id = store.keys.add('svc_test_lastlastlast00001', clock.now());
  const usedAt = () => store.keys.list()[0]?.lastUsedAt;
  lastUse.note(id);
  await clock.advance(9_000);
  lastUse.note(id);
  const second = clock.now();
  expect(usedAt()).toBeNull();
  await clock.advance(1_000);
  expect(usedAt()).toBe(second);
  lastUse.note(id);
  lastUse.flush();
  expect(usedAt()).toBe(clock.now());
});

test('a failed write is logged, and retried with the next use', async () => {
  const clock = createManualClock();
  const warnings: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => undefined,
  };
  let isFull = true;
  const transaction: Store['transaction'] = (work) => {
    if (isFull) throw new Error('the disk is full');
    return store.transaction(work);
  };
  const lastUse = createLastUse({ keys: store.keys, transaction }, clock, logger);
  const ids = ['svc_test_lastlastlast00001', 'svc_test_lastlastlast00002'].map((key) =>
    store.keys.add(key, clock.now()),
  );
  lastUse.note(ids[0] ?? '');
  const first = clock.now();
  await clock.advance(10_000);
  expect(warnings).toEqual(['the last use of keys cannot be written down']);
  // A list of keys is a read: it does without.
  lastUse.tryFlush();
  expect(warnings).toHaveLength(2);
  expect(store.keys.list()[0]?.lastUsedAt).toBeNull();
  isFull = false;
  lastUse.note(ids[1] ?? '');
  await clock.advance(10_000);
  expect(store.keys.list().map(({ lastUsedAt }) => lastUsedAt)).toEqual(
    expect.arrayContaining([first, first + 10_000]),
  );
});
