// Test: the key of a profile: read back when saved, in the chosen tier, of the right environment.
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import { settle } from '../../../test/harness/manual-clock.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { PROFILE, setUpProfileKeys } from '../../../test/harness/profile-keys-bench.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';
import { KEYCHAIN_LIMIT } from './keychain.ts';
import type { ProfileKeys } from './profile-keys.ts';

const KEY = 'svc_live_plantedplantedplanted0005';
const OTHER = 'svc_live_plantedplantedplanted0006';
const DAY = 86_400_000;
const bench = setUpProfileKeys();

describe('in the keychain', () => {
  test('a key is stored, read back, used at once, and found by the next start', async () => {
    const { keys } = bench.open();
    expect(withTexts(await keys.set({ key: ` ${KEY}\n` }))).toMatchObject({
      ok: true,
      value: { message: expect.stringContaining('and read back') },
    });
    expect(bench.keychain.requests).toEqual(['set', 'get']);
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
    expect(bench.changes).toBe(1);
    const next = bench.open().keys;
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
    expect(JSON.stringify([bench.settings, next.state()])).not.toContain('planted');
  });

  test('where nothing was saved, no keychain is asked', async () => {
    const { keys } = bench.open();
    await keys.load();
    expect(bench.keychain.requests).toEqual([]);
    expect(withTexts(keys.state())).toMatchObject({ status: 'none', saved_at: null, message: 'No key is saved.' });
    expect(withTexts(keys.inUse())).toEqual({ key: null, reason: null });
  });

  test('the service inside the app opens no keychain', async () => {
    bench.settings = DEFAULT_SETTINGS;
    const vault = bench.open().keyStore.vaultOf('sandbox');
    await vault.setPassword('sandbox', 'relay', 'r');
    expect(textOf(vault.tier)).toBe('this session only');
    expect(await vault.getPassword('sandbox', 'relay')).toBe('r');
    expect(bench.keychain.requests).toEqual([]);
  });

  test('two data folders with a profile of the same name do not share a key', async () => {
    await bench.open().keys.set({ key: KEY });
    const first = bench.settings;
    bench.settings = { ...DEFAULT_SETTINGS, profiles: [PROFILE] };
    await bench.open().keys.set({ key: OTHER });
    bench.settings = first;
    const { keys } = bench.open();
    await keys.load();
    expect(keys.inUse().key).toBe(KEY);
    expect(bench.keychain.items.size).toBe(2);
  });

  test('a key that cannot be read back is not saved', async () => {
    bench.keychain.mood = 'forgetful';
    const { keys } = bench.open();
    expect(withTexts(await keys.set({ key: KEY }))).toMatchObject({
      ok: false,
      error: { kind: 'vault', message: expect.stringContaining('could not be read back') },
    });
    expect(bench.record()).toBeUndefined();
    expect(keys.inUse().key).toBeNull();
  });

  test('without a keychain nothing is saved elsewhere; the alternatives are named, not chosen', async () => {
    bench.keychain.mood = 'gone';
    const { keys } = bench.open();
    const outcome = await keys.set({ key: KEY });
    expect(withTexts(outcome)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/cannot be used.*Nothing was changed.*\(passphrase\).*\(session\)/) },
    });
    expect(bench.record()).toBeUndefined();
    expect(withTexts(keys.state())).toMatchObject({ status: 'none', tier: 'keychain' });
    expect(JSON.stringify(outcome)).not.toContain('planted');
  });

  test('a silent keychain leaves the profile waiting, then failed with a message; a later lookup finds the key', async () => {
    await bench.open().keys.set({ key: KEY });
    bench.keychain.mood = 'mute';
    const { keys } = bench.open();
    const loading = keys.load();
    expect(withTexts(keys.state().status)).toBe('pending');
    expect(withTexts(keys.inUse())).toEqual({ key: null, reason: expect.stringContaining('Waiting for the key') });
    await bench.clock.advance(KEYCHAIN_LIMIT);
    await loading;
    expect(withTexts(keys.state())).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('did not answer'),
    });
    bench.keychain.wake();
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
  });

  test('a keyring that was replaced is explained, and the remedy is named', async () => {
    await bench.open().keys.set({ key: KEY });
    bench.keychain.items.clear();
    const { keys } = bench.open();
    await keys.load();
    expect(withTexts(keys.state())).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/on 2026-03-02 is no longer there.*Set the key again/),
    });
  });

  test('a key in use remains in use when the keychain fails later', async () => {
    const { keys } = bench.open();
    await keys.set({ key: KEY });
    bench.keychain.mood = 'gone';
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
  });

  test('a key saved by another program is found at the next lookup', async () => {
    const { keys } = bench.open();
    await keys.set({ key: KEY });
    await bench.open().keys.set({ key: OTHER });
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
    const { keys } = bench.open({ profile });
    expect(withTexts(await keys.set({ key }))).toMatchObject({
      ok: false,
      error: { kind: 'misfit', message: expect.stringMatching(message) },
    });
    expect(bench.keychain.requests).toEqual([]);
  });

  test('behind a dashboard the session of its own one-time link is kept, and no other', async () => {
    const profile = { ...PROFILE, mode: 'proxy' as const };
    bench.settings = { ...bench.settings, profiles: [profile] };
    const { keys } = bench.open({ profile });
    expect(withTexts(await keys.set({ key: 'https://elsewhere.example/#t=abc' }))).toMatchObject({ ok: false });
    expect(bench.keychain.requests).toEqual([]);
    const link = `${String(PROFILE.baseUrl).replace(/\/$/, '')}/#t=abc`;
    expect(withTexts(await keys.set({ key: link }))).toMatchObject({ ok: true });
    expect(keys.inUse().key).toBe('dsh_abc');
  });

  test('a key that the service refuses: the previous one remains, in use and stored', async () => {
    const { keys } = bench.open();
    await keys.set({ key: KEY });
    bench.service = { outcome: 'refused', message: 'Unknown key.' };
    expect(withTexts(await keys.set({ key: OTHER }))).toEqual({
      ok: false,
      error: { kind: 'misfit', message: 'The service does not accept this key. Unknown key. Nothing was changed.' },
    });
    expect(keys.inUse().key).toBe(KEY);
    expect([...bench.keychain.items.values()]).toEqual([KEY]);
  });

  test('a key that must be accepted and could not be tested: the previous one remains, in use and stored', async () => {
    const { keys } = bench.open();
    await keys.set({ key: KEY });
    bench.service = { outcome: 'untried', message: 'The service does not answer.' };
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
    expect([...bench.keychain.items.values()]).toEqual([KEY]);
  });

  test('an untried key that is only unusual is stored, with a warning', async () => {
    bench.service = { outcome: 'untried', message: 'The service does not answer.' };
    const { keys } = bench.open();
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

test('a key of this session outlives a Retry', async () => {
  const { keys } = bench.open();
  await keys.set({ key: KEY, tier: 'session' });
  await keys.load();
  expect(withTexts(keys.inUse())).toEqual({ key: KEY, reason: null });
});

test.each([
  ['set', async (keys: ProfileKeys) => keys.set({ key: OTHER, tier: 'session' }), OTHER],
  ['forgotten', async (keys: ProfileKeys) => keys.forget(), null],
] as const)('a keychain that answers late does not restore a key after another was %s', async (_, change, key) => {
  await bench.open().keys.set({ key: KEY });
  bench.keychain.mood = 'mute';
  const { keys } = bench.open();
  const loading = keys.load();
  const changing = change(keys);
  await settle();
  bench.keychain.wake();
  await Promise.all([loading, changing]);
  expect(keys.inUse().key).toBe(key);
});

test('a forgotten key is deleted everywhere', async () => {
  const { keys } = bench.open();
  await keys.set({ key: KEY });
  expect(withTexts(await keys.forget())).toMatchObject({
    ok: true,
    value: { message: 'The key of desk was deleted from this computer.' },
  });
  expect(bench.keychain.items.size).toBe(0);
  expect(withTexts(keys.inUse())).toEqual({ key: null, reason: null });
  expect(withTexts(await keys.forget())).toMatchObject({
    ok: true,
    value: { message: expect.stringContaining('There was no key') },
  });
});

test('a lost passphrase: the keys of that profile are given up, and nothing else is lost', {
  tags: ['long'],
}, async () => {
  const PASSPHRASE = 'correct horse';
  const other = { ...PROFILE, name: 'other' };
  bench.settings = { ...bench.settings, profiles: [PROFILE, other] };
  for (const profile of [PROFILE, other])
    await bench.open({ profile }).keys.set({ key: KEY, tier: 'passphrase', passphrase: PASSPHRASE });
  // The program was started again: its vault is locked.
  const { keys } = bench.open();
  await keys.load();
  expect(keys.state().status).toBe('locked');
  expect(await keys.forget()).toMatchObject({ ok: false });
  expect(withTexts(await keys.forget(true))).toMatchObject({
    ok: true,
    value: { message: expect.stringContaining('were given up') },
  });
  expect(keys.state()).toMatchObject({ status: 'none', tier: 'keychain' });
  await keys.set({ key: KEY });
  expect(keys.inUse().key).toBe(KEY);
  // The vault of the other profile still opens with its passphrase.
  const kept = bench.open({ profile: other });
  await kept.keys.unlock(PASSPHRASE);
  expect(kept.keys.inUse().key).toBe(KEY);
  // Once no profile has its keys there, the file makes room for a new passphrase.
  const last = bench.open({ profile: other });
  await last.keys.load();
  await last.keys.forget(true);
  expect(await last.keys.set({ key: KEY, tier: 'passphrase', passphrase: 'another one' })).toMatchObject({ ok: true });
});

test.each([
  ['production', 89, false],
  ['production', 90, true],
  ['sandbox', 400, false],
] as const)('a key of %s that is %i days old: replace it? %s', async (environment, days, due) => {
  const profile = { ...PROFILE, environment };
  bench.settings = { ...bench.settings, profiles: [profile] };
  const key = environment === 'production' ? KEY : 'svc_test_plantedplantedplanted0005';
  await bench.open({ profile }).keys.set({ key });
  bench.clock.jump(days * DAY);
  const { keys } = bench.open({ profile });
  await keys.load();
  expect(withTexts(keys.state())).toMatchObject({ age_days: days, rotation_due: due });
  expect(textOf(keys.state().message).includes('days old')).toBe(due);
  await keys.set({ key });
  expect(withTexts(keys.state())).toMatchObject({ age_days: 0, rotation_due: false });
});

describe('BAROGRAPH_KEY', () => {
  test('is used for this run instead of the stored key, without a lookup or a write', async () => {
    await bench.open().keys.set({ key: KEY });
    bench.keychain.requests.length = 0;
    const before = JSON.stringify(bench.settings);
    const { keys } = bench.open({ runKey: OTHER });
    await keys.load();
    expect(withTexts(keys.inUse())).toEqual({ key: OTHER, reason: null });
    expect(withTexts(keys.state())).toMatchObject({
      tier: 'session',
      saved_at: null,
      age_days: null,
      message: expect.stringContaining('this run only'),
    });
    expect(bench.keychain.requests).toEqual([]);
    expect(JSON.stringify(bench.settings)).toBe(before);
  });

  test('a key set in the window replaces it', async () => {
    const { keys } = bench.open({ runKey: OTHER });
    await keys.set({ key: KEY });
    expect(keys.inUse().key).toBe(KEY);
    expect(withTexts(keys.state())).toMatchObject({ tier: 'keychain', ending: '0005' });
  });
});

test('keys set by two windows at once are saved in turn: the last one is in use and stored', async () => {
  const { keys } = bench.open();
  await Promise.all([keys.set({ key: KEY }), keys.set({ key: OTHER })]);
  expect(keys.inUse().key).toBe(OTHER);
  expect([...bench.keychain.items.values()]).toEqual([OTHER]);
});
