// Main, host: tries a profile's new key at its service or vendor, before it replaces another.
import { needsFeedKey } from '../../shared/domain/price-feeds.ts';
import type { PriceFeedSettings } from '../../shared/settings/profiles.ts';
import { createKeyProbe, createSignIn, type KeyProbe } from '../core/keys/key-probe.ts';
import type { KeyStore } from '../core/keys/key-store.ts';
import { createProfileKeys, type ProfileKeys } from '../core/keys/profile-keys.ts';
import type { SettingsStore } from '../core/ports.ts';
import { createPeer } from '../core/profiles/peer.ts';
import type { Profile } from '../core/profiles/settings.ts';
import type { FeedChecker } from './embedded-service.ts';
import type { Machine } from './machine.ts';

interface KeyOptions {
  /** BAROGRAPH_KEY, for this profile; never the key of a vendor. */
  readonly runKey: string | null;
  readonly checkFeed: FeedChecker;
}

/** @returns null where the service inside the app needs no key of the user's */
export function keysOf(
  profile: Profile,
  { keyStore, settings }: { readonly keyStore: KeyStore; readonly settings: SettingsStore },
  { clock, platform, fetch, listener }: Pick<Machine, 'clock' | 'platform' | 'fetch' | 'listener'>,
  { runKey, checkFeed }: KeyOptions,
): ProfileKeys | null {
  const feed = keyedFeedOf(profile);
  if (profile.baseUrl === null && feed === null) return null;
  const probe =
    feed === null
      ? createKeyProbe(profile, fetch, clock, createPeer(profile, settings, listener))
      : feedKeyProbe(feed, checkFeed);
  return createProfileKeys({
    profile,
    keyStore,
    settings,
    clock,
    platform,
    runKey: feed === null ? runKey : null,
    probe,
    session: createSignIn(fetch, clock),
  });
}

/** The feed of a profile whose vendor has a key of the user's. */
export const keyedFeedOf = ({ baseUrl, feed }: Profile): PriceFeedSettings | null =>
  baseUrl === null && feed !== undefined && needsFeedKey(feed.name) ? feed : null;

const feedKeyProbe =
  (feed: PriceFeedSettings, checkFeed: FeedChecker): KeyProbe =>
  async (key) => {
    const findings = await checkFeed(feed, key);
    const refusal = findings.find(({ of, isRight }) => of === 'key' && !isRight);
    if (refusal !== undefined) return { outcome: 'refused', message: refusal.text };
    if (findings.some(({ of }) => of === 'key')) return { outcome: 'accepted', message: null };
    return { outcome: 'untried', message: findings[0]?.text ?? 'The vendor did not answer.' };
  };
