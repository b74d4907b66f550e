// Test: a price vendor's key: tried before use, passed to the service inside the app, in no file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SIMULATED, setUpApplicationBench } from '../../test/harness/application-bench.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { saying } from '../../test/harness/saying.ts';
import type { FeedChecker } from './embedded-service.ts';

const bench = setUpApplicationBench();
const [KEY, NEXT] = ['PKFAKEFAKE01:plantedsecret0001', 'PKFAKEFAKE02:plantedsecret0002'];

/** A vendor that accepts two keys, and cannot be reached with a third. */
const checkFeed: FeedChecker = async ({ symbols = [] }, key) => {
  if (key === 'PK:away') return [{ of: 'feed', isRight: false, text: 'alpaca cannot be reached.' }];
  if (key !== KEY && key !== NEXT) return [{ of: 'key', isRight: false, text: 'alpaca answered 401.' }];
  return [
    { of: 'key', isRight: true, text: 'alpaca answers' },
    { of: 'symbols', isRight: true, text: `${symbols.length} symbols` },
  ];
};
const feed = {
  environment: 'production',
  baseUrl: null,
  mode: 'auto',
  enabled: true,
  feed: { name: 'alpaca' },
} as const;

const filesOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test('a key is tried, kept in the keychain, and used by a profile that runs at once', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({ checkFeed });
  const tested = await bench.call(app, 'profiles.test_feed', { feed: 'alpaca', key: KEY, symbols: ['SPY', 'BRK-B'] });
  expect(tested).toMatchObject({
    ok: true,
    value: {
      ending: '0001',
      checks: [
        { of: 'key', outcome: 'good' },
        { of: 'symbols', outcome: 'good' },
      ],
    },
  });
  const { draft } = (tested as { value: { draft: string } }).value;
  const source = { kind: 'keyed_feed', draft, tier: 'keychain', passphrase: null };
  expect(await bench.call(app, 'profiles.add', { name: 'alpaca', source })).toEqual({
    ok: true,
    value: { warning: null },
  });
  expect(bench.started.at(-1)).toMatchObject({ feed: { name: 'alpaca', symbols: ['SPY', 'BRK-B'] }, feedKey: KEY });
  expect([...bench.keychain.items.values()]).toContain(KEY);
  const { profiles, watchlists } = bench.settings();
  expect(profiles[1]).toMatchObject({ name: 'alpaca', selected: 'SPY', keys: { tier: 'keychain' } });
  expect(watchlists.at(-1)).toMatchObject({ sections: [{ name: 'Shares and funds', symbols: ['SPY', 'BRK-B'] }] });
  expect(await bench.call(app, 'key.state', {}, 'alpaca')).toMatchObject({
    value: { status: 'ready', ending: '0001' },
  });

  const replaced = await bench.call(app, 'key.set', { key: NEXT }, 'alpaca');
  expect(replaced).toMatchObject({ ok: true, value: { status: 'ready', ending: '0002' } });
  expect(bench.feedKeys).toEqual([NEXT]);
  expect([...bench.keychain.items.values()]).toContain(NEXT);
  expect([...bench.keychain.items.values()]).not.toContain(KEY);
  expect(filesOf(bench.folder) + bench.said.join()).not.toContain('plantedsecret');
});

test('a key that the vendor does not know is neither kept nor used', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({ checkFeed });
  const tested = await bench.call(app, 'profiles.test_feed', { feed: 'alpaca', key: 'PK:wrong', symbols: [] });
  expect(tested).toMatchObject({ value: { draft: null, checks: [{ of: 'key', outcome: 'bad' }] } });
  const source = { kind: 'keyed_feed', draft: 'none', tier: 'keychain', passphrase: null };
  expect(await bench.call(app, 'profiles.add', { name: 'alpaca', source })).toMatchObject({ ok: false });
  expect(bench.settings().profiles).toHaveLength(1);
  expect(bench.keychain.items.size).toBe(0);
});

test('a profile that was not added because its service does not start leaves no key behind', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({
    checkFeed,
    whileStarting: async () => {
      if (bench.started.at(-1)?.feed !== null) throw new Error('no port is free');
    },
  });
  const tested = await bench.call(app, 'profiles.test_feed', { feed: 'alpaca', key: KEY, symbols: ['SPY'] });
  const { draft } = (tested as { value: { draft: string } }).value;
  const source = { kind: 'keyed_feed', draft, tier: 'keychain', passphrase: null };
  const refusal = await bench.call(app, 'profiles.add', { name: 'alpaca', source });
  expect(refusal).toMatchObject({ error: { message: saying('alpaca was not added. no port is free') } });
  expect(bench.started.at(-1)?.feedKey).toBe(KEY);
  expect(bench.settings().profiles).toHaveLength(1);
  expect(bench.keychain.items.size).toBe(0);
});

test('a key that cannot be deleted again is reported', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({
    checkFeed,
    whileStarting: async () => {
      if (bench.started.at(-1)?.feed === null) return;
      bench.keychain.mood = 'gone';
      throw new Error('no port is free.');
    },
  });
  const tested = await bench.call(app, 'profiles.test_feed', { feed: 'alpaca', key: KEY, symbols: ['SPY'] });
  const { draft } = (tested as { value: { draft: string } }).value;
  const source = { kind: 'keyed_feed', draft, tier: 'keychain', passphrase: null };
  expect(await bench.call(app, 'profiles.add', { name: 'alpaca', source })).toMatchObject({
    error: { message: saying(/^alpaca was not added\. no port is free\. Its key could not be deleted\. .*nobody/) },
  });
  expect(bench.settings().profiles).toHaveLength(1);
});

test('a vendor that cannot be reached: its key can be kept untested', async () => {
  bench.settle(SIMULATED);
  const app = await bench.start({ checkFeed });
  const tested = await bench.call(app, 'profiles.test_feed', { feed: 'alpaca', key: 'PK:away', symbols: [] });
  const { draft } = (tested as { value: { draft: string } }).value;
  const source = { kind: 'keyed_feed', draft, tier: 'session', passphrase: null };
  expect(await bench.call(app, 'profiles.add', { name: 'alpaca', source })).toMatchObject({
    ok: true,
    value: { warning: expect.objectContaining({}) },
  });
  expect(bench.started.at(-1)?.feedKey).toBe('PK:away');
});

test('after a restart the key comes from the keychain, also late', { tags: ['long'] }, async () => {
  bench.settle({ ...feed, name: 'alpaca' });
  const first = await bench.start({ checkFeed });
  expect(bench.started.at(-1)?.feedKey).toBeNull();
  await bench.call(first, 'key.set', { key: KEY });
  await first.close();
  bench.open.length = 0;
  bench.keychain.mood = 'mute';
  await bench.start({ checkFeed });
  expect(bench.started.at(-1)?.feedKey).toBeNull();
  bench.feedKeys.length = 0;
  bench.keychain.wake();
  await eventually(() => expect(bench.feedKeys.at(-1)).toBe(KEY));
});

test('a key that the keychain gives while the service inside the app starts reaches that service', {
  tags: ['long'],
}, async () => {
  bench.settle({ ...feed, name: 'alpaca' });
  const first = await bench.start({ checkFeed });
  await bench.call(first, 'key.set', { key: KEY });
  await first.close();
  bench.open.length = 0;
  bench.feedKeys.length = 0;
  bench.keychain.mood = 'mute';
  const app = await bench.start({
    checkFeed,
    async whileStarting() {
      bench.keychain.wake();
      await new Promise(setImmediate);
    },
  });
  expect(bench.started.at(-1)?.feedKey).toBeNull();
  expect(await bench.call(app, 'key.state')).toMatchObject({ value: { status: 'ready', ending: '0001' } });
  expect(bench.feedKeys).toEqual([KEY]);
});
