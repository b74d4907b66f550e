// Test: the key of a profile moves from one tier to another, and is never missing from both.
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../shared/text/message.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { setUpProfileKeys } from '../../../test/harness/profile-keys-bench.ts';

const KEY = 'svc_live_plantedplantedplanted0005';
const OTHER = 'svc_live_plantedplantedplanted0006';
const bench = setUpProfileKeys();

describe('change of tier', () => {
  const passphrase = 'correct horse';

  test('the user chooses a passphrase: all items of the profile move, and the keychain is empty after', async () => {
    const { keys, keyStore } = bench.open();
    await keys.set({ key: KEY });
    await keyStore.vaultOf('desk').setPassword('desk', 'relay', 'r');
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: true });
    expect(bench.keychain.items.size).toBe(0);
    expect(bench.record()).toMatchObject({ tier: 'passphrase', saved_at: '2026-03-02T14:30:00.000Z' });
    expect(textOf(keyStore.vaultOf('desk').tier)).toBe('a file encrypted with a passphrase');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'relay')).toBe('r');
    await keys.move({ tier: 'keychain' });
    expect(bench.keychain.items.size).toBe(2);
    expect(await keyStore.at('passphrase').findCredentials('desk')).toEqual([]);
  });

  test('the next start is locked until the passphrase is given', { tags: ['long'] }, async () => {
    await bench.open().keys.set({ key: KEY, tier: 'passphrase', passphrase });
    const { keys } = bench.open();
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
    const { keys } = bench.open();
    await keys.set({ key: KEY });
    expect(withTexts(await keys.move({ tier: 'passphrase' }))).toMatchObject({ ok: false });
    expect(bench.record()?.tier).toBe('keychain');
    expect(bench.keychain.items.size).toBe(1);
  });

  test('a move that the new tier refuses leaves the key in the old one', { tags: ['long'] }, async () => {
    await bench.open().keys.set({ key: KEY, tier: 'passphrase', passphrase });
    const { keys, keyStore } = bench.open();
    await keys.unlock(passphrase);
    bench.keychain.mood = 'gone';
    expect(withTexts(await keys.move({ tier: 'keychain' }))).toMatchObject({ ok: false });
    expect(bench.record()?.tier).toBe('passphrase');
    expect(await keyStore.at('passphrase').getPassword('desk', 'api-key')).toBe(KEY);
  });

  test('with a dead keychain, a known key can be set again in another tier', { tags: ['long'] }, async () => {
    await bench.open().keys.set({ key: KEY });
    bench.keychain.mood = 'gone';
    const { keys } = bench.open();
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: false });
    expect(withTexts(await keys.set({ key: OTHER, tier: 'passphrase', passphrase }))).toMatchObject({
      ok: true,
      value: { warning: expect.stringMatching(/^The copy in .* could not be deleted: .*nobody is there/) },
    });
    expect(keys.inUse().key).toBe(OTHER);
  });

  test('a move that the settings cannot record leaves the key in the old tier', { tags: ['long'] }, async () => {
    const { keys, keyStore } = bench.open();
    await keys.set({ key: KEY });
    bench.isReadOnly = true;
    await expect(keys.move({ tier: 'passphrase', passphrase })).rejects.toThrow('read-only');
    bench.isReadOnly = false;
    expect(bench.record()?.tier).toBe('keychain');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'api-key')).toBe(KEY);
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({ ok: true });
    expect(bench.keychain.items.size).toBe(0);
  });

  test('a move whose original cannot be deleted succeeds, and names the copy that is left', async () => {
    const { keys, keyStore } = bench.open();
    await keys.set({ key: KEY });
    bench.keychain.mood = 'undeletable';
    expect(withTexts(await keys.move({ tier: 'passphrase', passphrase }))).toMatchObject({
      ok: true,
      value: { warning: expect.stringMatching(/^The copy in .* could not be deleted/) },
    });
    expect(bench.record()?.tier).toBe('passphrase');
    expect(await keyStore.vaultOf('desk').getPassword('desk', 'api-key')).toBe(KEY);
  });

  test('a key of this session only is gone at the next start, and a later move keeps it', async () => {
    const { keys } = bench.open();
    await keys.set({ key: KEY, tier: 'session' });
    expect(withTexts(keys.state())).toMatchObject({
      status: 'ready',
      tier: 'session',
      tier_label: 'this session only',
      saved_at: null,
    });
    expect(bench.keychain.requests).toEqual([]);
    const next = bench.open().keys;
    await next.load();
    expect(next.state()).toMatchObject({ status: 'none' });
    await keys.move({ tier: 'keychain' });
    const third = bench.open().keys;
    await third.load();
    expect(third.inUse().key).toBe(KEY);
  });
});
