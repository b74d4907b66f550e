// Main, core: what a profile stores about the program at the address of its service.
import { createHash, createHmac } from 'node:crypto';
import { type ListenerReader, type Peer, UNKNOWN_LISTENER } from '../../../client/key-gate.ts';
import type { Hashes } from '../../../shared/lib/web-hashes.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile } from './settings.ts';

const hashes: Hashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};

/** The peer of an address without a profile. */
export const newPeer = (listener: ListenerReader = () => UNKNOWN_LISTENER): Peer => ({
  hashes,
  listener,
  known: () => null,
  proven: () => undefined,
});

/** The peer of an address that the user named for one command: trusted by the user until it proves itself. */
export function namedPeer(trust: 'proof' | 'user' | null, listener: ListenerReader): Peer {
  let known = trust;
  return {
    ...newPeer(listener),
    known: () => known,
    proven() {
      known = 'proof';
    },
  };
}

/**
 * The peer of a profile: after its first proof, it must always prove itself. The settings store that, or the
 * user's permission, with the address; a new address starts over. The service inside this app always proves
 * itself.
 * @param profile a profile that is not in the settings brings its own permission, for this run
 */
export function createPeer(profile: Profile, settings: SettingsStore, listener?: ListenerReader): Peer {
  const { name, baseUrl } = profile;
  /** Proven origin of this run, for settings that cannot be written. */
  let provenHere: string | null = null;
  const known = ({ origin }: URL): 'proof' | 'user' | null => {
    if (baseUrl === null || provenHere === origin) return 'proof';
    const { peer } = settings.read().profiles.find((one) => one.name === name) ?? profile;
    return peer?.address === origin ? peer.trust : null;
  };
  return {
    ...newPeer(listener),
    known,
    proven(base) {
      if (known(base) === 'proof') return;
      provenHere = base.origin;
      try {
        remember(settings, name, { address: base.origin, trust: 'proof' });
      } catch {
        // Only this run knows it; the next one asks again.
      }
    },
  };
}

/** Stores the user's permission to send the key to the program at the profile's address. */
export function trustPeer(settings: SettingsStore, { name, baseUrl }: Profile): void {
  if (baseUrl !== null) remember(settings, name, { address: new URL(baseUrl).origin, trust: 'user' });
}

function remember(settings: SettingsStore, name: string, peer: NonNullable<Profile['peer']>): void {
  settings.change((now) => ({
    ...now,
    profiles: now.profiles.map((one) => (one.name === name ? { ...one, peer } : one)),
  }));
}
