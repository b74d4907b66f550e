// Test: a keychain that is not ready at the start is asked again, until the profile connects.
import { expect, test } from 'vitest';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { createFakeKeychain, type FakeKeychain } from '../../../test/harness/fake-keychain.ts';
import { LIVE_KEY } from '../../../test/harness/wire-service.ts';
import { createGuard } from '../guard.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings } from '../profiles/settings.ts';
import { createKeyRetries } from './key-retries.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { createProfileKeys, type ProfileKeys } from './profile-keys.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;
const PROFILE: Profile = {
  name: 'live',
  environment: 'production',
  baseUrl: 'http://127.0.0.1:18787',
  mode: 'auto',
  enabled: true,
};
const OTHER: Profile = { ...PROFILE, name: 'other' };

function createMachine(keychain: FakeKeychain) {
  bench.service.environment = 'production';
  bench.service.accepts = (headers) => headers.get('x-api-key') === LIVE_KEY;
  let settings: Settings = { ...DEFAULT_SETTINGS, profiles: [PROFILE, OTHER] };
  const machine = {
    clock: bench.clock,
    platform: 'linux' as const,
    settings: {
      read: () => settings,
      change: (job: (now: Settings) => Settings) => {
        settings = job(settings);
      },
    },
  };
  return {
    /** The next start of the program. */
    start: () => createKeyStore({ ...machine, dataFolder: bench.folder, startKeychain: keychain.start }),
    keysOf: (profile: Profile, keyStore: KeyStore): ProfileKeys =>
      createProfileKeys({
        ...machine,
        profile,
        keyStore,
        runKey: null,
        probe: async () => ({ outcome: 'accepted', message: null }),
        session: async (link) => link,
      }),
  };
}

/** Starts the program with a saved key and a keychain that behaves as `mood` says. */
async function started(mood: FakeKeychain['mood']): Promise<{ rig: CoreRig; keychain: FakeKeychain }> {
  const keychain = createFakeKeychain();
  const { start, keysOf } = createMachine(keychain);
  const open = (): ProfileKeys => keysOf(PROFILE, start());
  await open().set({ key: LIVE_KEY });
  keychain.requests.length = 0;
  keychain.mood = mood;
  const keys = open();
  void keys.load();
  const rig = bench.rig({ profile: PROFILE, key: null, keys });
  await rig.core.start();
  return { rig, keychain };
}
const isOpen = (rig: CoreRig): boolean => rig.snapshot().connection.indicators.open.state === 'ok';

test('a keychain that is silent for thirty seconds: connected without a click', async () => {
  const { rig, keychain } = await started('mute');
  await bench.clock.advance(30_000);
  expect(isOpen(rig)).toBe(false);
  keychain.mood = 'ready';
  await bench.clock.advance(MINUTE);
  expect(isOpen(rig)).toBe(true);
  const { length } = keychain.requests;
  await bench.clock.advance(10 * MINUTE);
  expect(keychain.requests).toHaveLength(length);
});

/** The retries alone, of a keychain that has failed; `asked` has the time of each request. */
function retriesAlone() {
  const { clock } = bench;
  const asked: number[] = [];
  const guard = createGuard(clock, { debug() {}, info() {}, warn() {}, error() {} });
  const load = async (): Promise<void> => {
    asked.push(clock.now());
  };
  const retries = createKeyRetries({ guard }, { load, hasFailed: () => true, isUnlocked: () => false });
  retries.start();
  return { retries, clock, asked };
}

test('a keychain, which may ask the user in a dialog, is asked more and more rarely, and every six minutes at least', async () => {
  const { retries, clock, asked } = retriesAlone();
  const began = clock.now();
  await clock.advance(60 * MINUTE);
  const waits = [...asked, clock.now()].map((at, index) => at - (asked[index - 1] ?? began));
  expect(Math.max(...waits)).toBeLessThanOrEqual(6 * MINUTE);
  expect(waits.slice(0, -1)).toEqual(waits.slice(0, -1).toSorted((a, b) => a - b));
  expect(asked.length).toBeLessThanOrEqual(17);
  retries.stop();
});

test('a wake asks at once, and wakes in a row ask every thirty seconds at most', async () => {
  const { retries, clock, asked } = retriesAlone();
  await clock.advance(10 * MINUTE);
  const before = asked.length;
  for (let turn = 0; turn < 60; turn += 1) {
    retries.wake();
    await clock.advance(1_000);
  }
  expect(asked.length - before).toBeGreaterThanOrEqual(2);
  expect(asked.length - before).toBeLessThanOrEqual(3);
  retries.stop();
});

test('a wake of the computer connects at once when the keychain is ready', async () => {
  const { rig, keychain } = await started('gone');
  await bench.clock.advance(3 * MINUTE);
  keychain.mood = 'ready';
  rig.core.wake('unlock');
  await bench.clock.advance(2_000);
  expect(isOpen(rig)).toBe(true);
});

test('retries change no view while the keychain stays silent', async () => {
  const { rig } = await started('mute');
  await bench.clock.advance(25_000);
  const reasons = new Set<string>();
  for (let turn = 0; turn < 36; turn += 1) {
    await bench.clock.advance(5_000);
    reasons.add(JSON.stringify(rig.snapshot().connection.refused));
  }
  expect(reasons.size).toBe(1);
});

test('a passphrase that is given for one profile connects every profile that waits for the vault', {
  tags: ['long'],
}, async () => {
  const { start, keysOf } = createMachine(createFakeKeychain());
  const passphrase = 'correct horse';
  const before = start();
  for (const profile of [PROFILE, OTHER])
    await keysOf(profile, before).set({ key: LIVE_KEY, tier: 'passphrase', passphrase });
  const keyStore = start();
  const [keys, others] = [keysOf(PROFILE, keyStore), keysOf(OTHER, keyStore)];
  for (const each of [keys, others]) await each.load();
  const rig = bench.rig({ profile: PROFILE, key: null, keys });
  await rig.core.start();
  await bench.clock.advance(MINUTE);
  expect([keys.state().status, isOpen(rig)]).toEqual(['locked', false]);
  await others.unlock(passphrase);
  await bench.clock.advance(3_000);
  expect([keys.state().status, isOpen(rig)]).toEqual(['ready', true]);
});
