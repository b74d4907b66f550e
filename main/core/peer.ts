// Main, core: what a profile knows of the program at the address of its service.
import { createHash, createHmac } from 'node:crypto';
import { type ListenerReader, type Peer, UNKNOWN_LISTENER } from '../../client/key-gate.ts';
import type { Hashes } from '../../shared/lib/web-hashes.ts';
import type { SettingsStore } from './ports.ts';
import type { Profile } from './profiles/settings.ts';

const hashes: Hashes = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};

/** The peer of an address that no profile has yet. */
export const newPeer = (listener: ListenerReader = () => UNKNOWN_LISTENER): Peer => ({
  hashes,
  listener,
  known: () => null,
  proven: () => undefined,
});

/** The peer of an address that the user named for one command: it may go without a proof until it proved itself. */
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
 * The peer of a profile: once it proved itself, it must for ever. The settings keep that, and the user's
 * permission, with the address; another address begins again. The service inside this app always proves itself.
 * @param profile one that the settings do not have brings its own permission, for this run
 */
export function createPeer(profile: Profile, settings: SettingsStore, listener?: ListenerReader): Peer {
  const { name, baseUrl } = profile;
  /** For settings that cannot be written. */
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
        // This run remembers it; the next one asks again.
      }
    },
  };
}

/** The user allows that the key is sent to what listens at the profile's address. */
export function trustPeer(settings: SettingsStore, { name, baseUrl }: Profile): void {
  if (baseUrl !== null) remember(settings, name, { address: new URL(baseUrl).origin, trust: 'user' });
}

function remember(settings: SettingsStore, name: string, peer: NonNullable<Profile['peer']>): void {
  settings.change((now) => ({
    ...now,
    profiles: now.profiles.map((one) => (one.name === name ? { ...one, peer } : one)),
  }));
}
