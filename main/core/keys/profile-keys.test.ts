// Test: the key of a profile: read back when saved, in the chosen tier, of the right environment.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import { createFakeKeychain, type FakeKeychain } from '../../../test/harness/fake-keychain.ts';
import { createManualClock, type ManualClock, settle } from '../../../test/harness/manual-clock.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings, SettingsSchema } from '../profiles/settings.ts';
import type { ProbeResult } from './key-probe.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import { KEYCHAIN_LIMIT } from './keychain.ts';
import { createProfileKeys, type ProfileKeys } from './profile-keys.ts';

const KEY = 'svc_live_plantedplantedplanted0005';
const OTHER = 'svc_live_plantedplantedplanted0006';
const DAY = 86_400_000;
const PROFILE: Profile = {
  name: 'desk',
  environment: 'production',
  baseUrl: 'https://api.example.com',
  mode: 'auto',
  enabled: true,
};

let folder: string;
let clock: ManualClock;
let keychain: FakeKeychain;
let settings: Settings;
let isReadOnly: boolean;
let changes: number;
let service: ProbeResult;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-keys-'));
  clock = createManualClock();
  keychain = createFakeKeychain();
  settings = { ...DEFAULT_SETTINGS, profiles: [PROFILE] };
  isReadOnly = false;
  changes = 0;
  service = { outcome: 'accepted', message: null };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The next start of the program. */
function open(more: { profile?: Profile; runKey?: string } = {}): { keys: ProfileKeys; keyStore: KeyStore } {
  const { profile = PROFILE, runKey = null } = more;
  const store = {
    read: () => settings,
    change: (job: (now: Settings) => Settings) => {
      if (isReadOnly) throw new Error('the settings file is read-only');
      settings = SettingsSchema.parse(job(settings));
    },
  };
  const machine = { settings: store, clock, platform: 'linux' as const };
  const keyStore = createKeyStore({ ...machine, dataFolder: folder, startKeychain: keychain.start });
  const session = async (link: string) => link.replace(/^.*#t=/, 'dsh_');
  const keys = createProfileKeys({ ...machine, profile, keyStore, runKey, probe: async () => service, session });
  keys.onChange(() => {
    changes += 1;
  });
  return { keys, keyStore };
}
const recordOf = () => settings.profiles[0]?.keys;

describe('in the keychain', () => {
  test('a key is stored, read back, used at once, and found by the next start', async () => {
    const { keys } = open();
    expect(withTexts(await keys.set({ key: ` ${KEY}\n` }))).toMatchObject({
      ok: true,
      value: { message: expect.stringContaining('and read back') },
    });
    expect(keychain.requests).toEqual(['set', 'get']);
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
    expect(changes).toBe(1);
    const next = open().keys;
    await next.load();
    expect(next.inUse()).toEqual({ key: KEY, reason: null });
    expect(next.state()).toMatchObject({
      status: 'ready',
      tier: 'keychain',
      prefix: 'svc_live_',
      ending: '0005',
      age_days: 0,
    });
    expect(textOf(next.label())).toBe('api.example.com · key …0005');
    expect(JSON.stringify([settings, next.state()])).not.toContain('planted');
  });

  test('where nothing was saved, no keychain is asked', async () => {
    const { keys } = open();
    await keys.load();
    expect(keychain.requests).toEqual([]);
    expect(withTexts(keys.state())).toMatchObject({ status: 'none', saved_at: null, message: 'No key is saved.' });
    expect(withTexts(keys.inUse())).toEqual({ key: null, reason: null });
  });

  test('the service inside the app opens no keychain', async () => {
    settings = DEFAULT_SETTINGS;
    const vault = open().keyStore.vaultOf('sandbox');
    await vault.setPassword('sandbox', 'relay', 'r');
    expect(textOf(vault.tier)).toBe('this session only');
    expect(await vault.getPassword('sandbox', 'relay')).toBe('r');
    expect(keychain.requests).toEqual([]);
  });

  test('two data folders with a profile of the same name do not share a key', async () => {
    await open().keys.set({ key: KEY });
    const first = settings;
    settings = { ...DEFAULT_SETTINGS, profiles: [PROFILE] };
    await open().keys.set({ key: OTHER });
    settings = first;
    const { keys } = open();
    await keys.load();
    expect(keys.inUse().key).toBe(KEY);
    expect(keychain.items.size).toBe(2);
  });

  test('a key that cannot be read back is not saved', async () => {
    keychain.mood = 'forgetful';
    const { keys } = open();
    expect(withTexts(await keys.set({ key: KEY }))).toMatchObject({
      ok: false,
      error: { kind: 'vault', message: expect.stringContaining('could not be read back') },
    });
    expect(recordOf()).toBeUndefined();
    expect(keys.inUse().key).toBeNull();
  });

  test('without a keychain nothing is saved elsewhere; the alternatives are named, not chosen', async () => {
    keychain.mood = 'gone';
    const { keys } = open();
    const outcome = await keys.set({ key: KEY });
    expect(withTexts(outcome)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/cannot be used.*Nothing was changed.*\(passphrase\).*\(session\)/) },
    });
    expect(recordOf()).toBeUndefined();
    expect(withTexts(keys.state())).toMatchObject({ status: 'none', tier: 'keychain' });
    expect(JSON.stringify(outcome)).not.toContain('planted');
  });

  test('a silent keychain leaves the profile waiting, then failed with a message; a later lookup finds the key', async () => {
    await open().keys.set({ key: KEY });
    keychain.mood = 'mute';
    const { keys } = open();
    const loading = keys.load();
    expect(withTexts(keys.state().status)).toBe('pending');
    expect(withTexts(keys.inUse())).toEqual({ key: null, reason: expect.stringContaining('Waiting for the key') });
    await clock.advance(KEYCHAIN_LIMIT);
    await loading;
    expect(withTexts(keys.state())).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('did not answer'),
    });
    keychain.wake();
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
  });

  test('a keyring that was replaced is explained, and the remedy is named', async () => {
    await open().keys.set({ key: KEY });
    keychain.items.clear();
    const { keys } = open();
    await keys.load();
    expect(withTexts(keys.state())).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/on 2026-03-02 is no longer there.*Set the key again/),
    });
  });

  test('a key in use remains in use when the keychain fails later', async () => {
    const { keys } = open();
    await keys.set({ key: KEY });
    keychain.mood = 'gone';
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
  });

  test('a key saved by another program is found at the next lookup', async () => {
    const { keys } = open();
    await keys.set({ key: KEY });
    await open().keys.set({ key: OTHER });
    await keys.load();
    expect(keys.inUse().key).toBe(OTHER);
  });
});

describe('refusals', () => {
  test.each([
    [
      'a sandbox key in production',
      PROFILE,
      'svc_test_plantedplantedplanted0001',
      /sandbox key.*production.*svc_live_/,
    ],
    [
      'a production key in a sandbox',
      { ...PROFILE, environment: 'sandbox' as const },
      KEY,
      /production key.*sandbox.*svc_test_/,
    ],
    ['a key with a blank in it', PROFILE, `${KEY} x`, /blanks or signs/],
    [
      'a key for the service inside the app',
      { ...PROFILE, environment: 'sandbox' as const, baseUrl: null },
      'svc_test_plantedplanted',
      /inside the app/,
    ],
    ['a key for a dashboard', { ...PROFILE, mode: 'proxy' as const }, KEY, /dashboard.*no key is sent/],
    ['a key that http would show to the network', { ...PROFILE, baseUrl: 'http://api.example.com' }, KEY, /Use https/],
  ])('%s, before any request or write', async (_, profile, key, message) => {
    const { keys } = open({ profile });
    expect(withTexts(await keys.set({ key }))).toMatchObject({
      ok: false,
      error: { kind: 'misfit', message: expect.stringMatching(message) },
    });
    expect(keychain.requests).toEqual([]);
  });

  test('behind a dashboard the session of its own one-time link is kept, and no other', async () => {
    const profile = { ...PROFILE, mode: 'proxy' as const };
    settings = { ...settings, profiles: [profile] };
    const { keys } = open({ profile });
    expect(withTexts(await keys.set({ key: 'https://elsewhere.example/#t=abc' }))).toMatchObject({ ok: false });
    expect(keychain.requests).toEqual([]);
    const link = `${String(PROFILE.baseUrl).replace(/\/$/, '')}/#t=abc`;
    expect(withTexts(await keys.set({ key: link }))).toMatchObject({ ok: true });
    expect(keys.inUse().key).toBe('dsh_abc');
  });

  test('a key that the service refuses: the previous one remains, in use and stored', async () => {
    const { keys } = open();
    await keys.set({ key: KEY });
    service = { outcome: 'refused', message: 'Unknown key.' };
    expect(withTexts(await keys.set({ key: OTHER }))).toEqual({
      ok: false,
      error: { kind: 'misfit', message: 'The service does not accept this key. Unknown key. Nothing was changed.' },
    });
    expect(keys.inUse().key).toBe(KEY);
    expect([...keychain.items.values()]).toEqual([KEY]);
  });

  test('a key that must be accepted and could not be tested: the previous one remains, in use and stored', async () => {
    const { keys } = open();
    await keys.set({ key: KEY });
    service = { outcome: 'untried', message: 'The service does not answer.' };
    expect(withTexts(await keys.set({ key: OTHER, accepted: true }))).toMatchObject({
      ok: false,
      error: {
        kind: 'misfit',
        message: expect.stringMatching(
          /The service does not answer\. Nothing was changed; the previous key is still in use/,
        ),
      },
    });
    expect(keys.inUse().key).toBe(KEY);
    expect([...keychain.items.values()]).toEqual([KEY]);
  });

  test('an untried key that is only unusual is stored, with a warning', async () => {
    service = { outcome: 'untried', message: 'The service does not answer.' };
    const { keys } = open();
    expect(withTexts(await keys.set({ key: 'abc-123456' }))).toMatchObject({
      ok: true,
      value: {
        warning: expect.stringMatching(/^It was not tested: The service does not answer\. .*prefix is unknown/),
      },
    });
    expect(withTexts(keys.state().prefix)).toBe('');
    expect(withTexts(await keys.set({ key: KEY }))).toMatchObject({
      ok: true,
      value: { warning: expect.stringContaining('checksum') },
    });
  });
});

describe('change of tier', () => {
  const passphrase = 'correct horse';

  test('the user chooses a passphrase: all items of the profile move, and the keychain is empty after', async () => {
    const { keys, keyStore } = open();
    await keys.set({ key: KEY });
    await keyStore.vaultOf('desk').setPassword('desk', 'relay', 'r');
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: true });
    expect(keychain.items.size).toBe(0);
    expect(recordOf()).toMatchObject({ tier: 'passphrase', saved_at: '2026-03-02T14:30:00.000Z' });
    expect(textOf(keyStore.vaultOf('desk').tier)).toBe('a file encrypted with a passphrase');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'relay')).toBe('r');
    await keys.move({ tier: 'keychain' });
    expect(keychain.items.size).toBe(2);
    expect(await keyStore.at('passphrase').findCredentials('desk')).toEqual([]);
  });

  test('the next start is locked until the passphrase is given', async () => {
    await open().keys.set({ key: KEY, tier: 'passphrase', passphrase });
    const { keys } = open();
    await keys.load();
    expect(withTexts(keys.state())).toMatchObject({
      status: 'locked',
      tier: 'passphrase',
      tier_label: 'a file encrypted with a passphrase',
    });
    expect(withTexts(keys.inUse().reason)).toContain('passphrase is needed');
    expect(withTexts(await keys.unlock('wrong horse'))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('does not open') },
    });
    expect(withTexts(await keys.unlock(passphrase))).toMatchObject({ ok: true });
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
  });

  test('without the passphrase no item moves into its vault', async () => {
    const { keys } = open();
    await keys.set({ key: KEY });
    expect(withTexts(await keys.move({ tier: 'passphrase' }))).toMatchObject({ ok: false });
    expect(recordOf()?.tier).toBe('keychain');
    expect(keychain.items.size).toBe(1);
  });

  test('a move that the new tier refuses leaves the key in the old one', { tags: ['long'] }, async () => {
    await open().keys.set({ key: KEY, tier: 'passphrase', passphrase });
    const { keys, keyStore } = open();
    await keys.unlock(passphrase);
    keychain.mood = 'gone';
    expect(withTexts(await keys.move({ tier: 'keychain' }))).toMatchObject({ ok: false });
    expect(recordOf()?.tier).toBe('passphrase');
    expect(await keyStore.at('passphrase').getPassword('desk', 'api-key')).toBe(KEY);
  });

  test('with a dead keychain, a known key can be set again in another tier', { tags: ['long'] }, async () => {
    await open().keys.set({ key: KEY });
    keychain.mood = 'gone';
    const { keys } = open();
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: false });
    expect(withTexts(await keys.set({ key: OTHER, tier: 'passphrase', passphrase }))).toMatchObject({
      ok: true,
      value: { warning: expect.stringMatching(/^The copy in .* could not be deleted: .*nobody is there/) },
    });
    expect(keys.inUse().key).toBe(OTHER);
  });

  test('a move that the settings cannot record leaves the key in the old tier', async () => {
    const { keys, keyStore } = open();
    await keys.set({ key: KEY });
    isReadOnly = true;
    await expect(keys.move({ tier: 'passphrase', passphrase })).rejects.toThrow('read-only');
    isReadOnly = false;
    expect(recordOf()?.tier).toBe('keychain');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'api-key')).toBe(KEY);
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: true });
    expect(keychain.items.size).toBe(0);
  });

  test('a move whose original cannot be deleted is done, and names the copy that is left', async () => {
    const { keys, keyStore } = open();
    await keys.set({ key: KEY });
    keychain.mood = 'undeletable';
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({
      ok: true,
      value: { warning: expect.stringMatching(/^The copy in .* could not be deleted/) },
    });
    expect(recordOf()?.tier).toBe('passphrase');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'api-key')).toBe(KEY);
  });

  test('for this session only: it is gone at the next start, and a later move keeps it', async () => {
    const { keys } = open();
    await keys.set({ key: KEY, tier: 'session' });
    expect(withTexts(keys.state())).toMatchObject({
      status: 'ready',
      tier: 'session',
      tier_label: 'this session only',
      saved_at: null,
    });
    expect(keychain.requests).toEqual([]);
    const next = open().keys;
    await next.load();
    expect(next.state()).toMatchObject({ status: 'none' });
    await keys.move({ tier: 'keychain' });
    const third = open().keys;
    await third.load();
    expect(third.inUse().key).toBe(KEY);
  });
});

test('a key of this session outlives a Retry', async () => {
  const { keys } = open();
  await keys.set({ key: KEY, tier: 'session' });
  await keys.load();
  expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
});

test.each([
  ['set', async (keys: ProfileKeys) => keys.set({ key: OTHER, tier: 'session' }), OTHER],
  ['forgotten', async (keys: ProfileKeys) => keys.forget(), null],
] as const)('a keychain that answers late does not restore a key after another one was %s', async (_, change, key) => {
  await open().keys.set({ key: KEY });
  keychain.mood = 'mute';
  const { keys } = open();
  const loading = keys.load();
  const changing = change(keys);
  await settle();
  keychain.wake();
  await Promise.all([loading, changing]);
  expect(keys.inUse().key).toBe(key);
});

test('forgotten is forgotten everywhere', async () => {
  const { keys } = open();
  await keys.set({ key: KEY });
  expect(withTexts(await keys.forget())).toMatchObject({
    ok: true,
    value: { message: 'The key of desk was deleted from this computer.' },
  });
  expect(keychain.items.size).toBe(0);
  expect(withTexts(keys.inUse())).toEqual({ key: null, reason: null });
  expect(withTexts(await keys.forget())).toMatchObject({
    ok: true,
    value: { message: expect.stringContaining('There was no key') },
  });
});

test.each([
  ['production', 89, false],
  ['production', 90, true],
  ['sandbox', 400, false],
] as const)('a key of %s that is %i days old: replace it? %s', async (environment, days, due) => {
  const profile = { ...PROFILE, environment };
  settings = { ...settings, profiles: [profile] };
  const key = environment === 'production' ? KEY : 'svc_test_plantedplantedplanted0005';
  await open({ profile }).keys.set({ key });
  clock.jump(days * DAY);
  const { keys } = open({ profile });
  await keys.load();
  expect(withTexts(keys.state())).toMatchObject({ age_days: days, rotation_due: due });
  expect(textOf(keys.state().message).includes('days old')).toBe(due);
  await keys.set({ key });
  expect(withTexts(keys.state())).toMatchObject({ age_days: 0, rotation_due: false });
});

describe('BAROGRAPH_KEY', () => {
  test('is used for this run instead of the stored key, without a lookup or a write', async () => {
    await open().keys.set({ key: KEY });
    keychain.requests.length = 0;
    const before = JSON.stringify(settings);
    const { keys } = open({ runKey: OTHER });
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: OTHER, reason: null });
    expect(withTexts(keys.state())).toMatchObject({
      tier: 'session',
      saved_at: null,
      age_days: null,
      message: expect.stringContaining('this run only'),
    });
    expect(keychain.requests).toEqual([]);
    expect(JSON.stringify(settings)).toBe(before);
  });

  test('a key set in the window replaces it', async () => {
    const { keys } = open({ runKey: OTHER });
    await keys.set({ key: KEY });
    expect(keys.inUse().key).toBe(KEY);
    expect(withTexts(keys.state())).toMatchObject({ tier: 'keychain', ending: '0005' });
  });
});

test('keys set by two windows at once are saved in turn: the last one is in use and stored', async () => {
  const { keys } = open();
  await Promise.all([keys.set({ key: KEY }), keys.set({ key: OTHER })]);
  expect(keys.inUse().key).toBe(OTHER);
  expect([...keychain.items.values()]).toEqual([OTHER]);
});
