// Main, host: the keys of a profile, tried at its service before they replace another.
import { createKeyProbe, createSignIn } from '../core/keys/key-probe.ts';
import type { KeyStore } from '../core/keys/key-store.ts';
import { createProfileKeys, type ProfileKeys } from '../core/keys/profile-keys.ts';
import { createPeer } from '../core/peer.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { Machine } from './machine.ts';

/** @param runKey BAROGRAPH_KEY, for this profile */
export function keysOf(
  profile: Profile,
  { keyStore, settings }: { readonly keyStore: KeyStore; readonly settings: SettingsStore },
  { clock, platform, fetch, listener }: Pick<Machine, 'clock' | 'platform' | 'fetch' | 'listener'>,
  runKey: string | null,
): ProfileKeys {
  const probe = createKeyProbe(profile, fetch, clock, createPeer(profile, settings, listener));
  return createProfileKeys({
    profile,
    keyStore,
    settings,
    clock,
    platform,
    runKey,
    probe,
    session: createSignIn(fetch, clock),
  });
}
