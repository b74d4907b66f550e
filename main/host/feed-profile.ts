// Main, host: the profile of a feed of live prices that the command line names.
import { FEED_SYMBOLS } from '../../shared/domain/price-feeds.ts';
import { type PriceFeedSettings, profileNameFrom } from '../../shared/settings/profiles.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { withSourceList } from './source-list.ts';

type Settings = Pick<SettingsStore, 'read' | 'change'>;

/**
 * The name of the enabled profile that follows this feed at these addresses. Without one, adds or enables it, and
 * lists the symbols that the feed proposes.
 */
export function feedProfile(settings: Settings, feed: PriceFeedSettings): string {
  const isOf = (profile: Profile): boolean => JSON.stringify(profile.feed) === JSON.stringify(feed);
  const { profiles } = settings.read();
  const existing = profiles.find(isOf);
  if (existing?.enabled === true) return existing.name;
  const taken = profiles.map(({ name }) => name);
  const name = existing?.name ?? profileNameFrom(feed.name, taken);
  settings.change((now) => ({
    ...now,
    profiles:
      existing === undefined
        ? [...now.profiles, { ...ofFeed(feed), name }]
        : now.profiles.map((one) => (one.name === name ? { ...one, enabled: true } : one)),
    watchlists: withSourceList(now.watchlists, { name, section: 'Coins', symbols: FEED_SYMBOLS[feed.name] }),
  }));
  return name;
}

/** A new profile of a feed, without its name. */
export const ofFeed = (feed: PriceFeedSettings): Omit<Profile, 'name'> => ({
  environment: 'production',
  baseUrl: null,
  mode: 'auto',
  enabled: true,
  feed,
  ...firstOf(FEED_SYMBOLS[feed.name]),
});

const firstOf = ([selected]: readonly string[]) => (selected === undefined ? {} : { selected });
