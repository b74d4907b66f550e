// Main, host: the profile of a feed of live prices that the command line names.
import { FEED_SECTIONS, FEED_SYMBOLS, needsFeedKey } from '../../shared/domain/price-feeds.ts';
import {
  type SourceList,
  sourceListId,
  type Watchlist,
  watchedSymbols,
  withSourceList,
} from '../../shared/domain/watchlists.ts';
import { MAX_FEED_SYMBOLS, type PriceFeedSettings, profileNameFrom } from '../../shared/settings/profiles.ts';
import type { SettingsStore } from '../core/ports.ts';
import type { Profile } from '../core/profiles/settings.ts';

type Settings = Pick<SettingsStore, 'read' | 'change'>;

/**
 * The name of the enabled profile that follows this feed at these addresses. Without one, adds or enables it,
 * and lists the symbols that the feed proposes.
 */
export function feedProfile(settings: Settings, feed: PriceFeedSettings): string {
  const isOf = (profile: Profile): boolean => JSON.stringify(profile.feed) === JSON.stringify(feed);
  const { profiles } = settings.read();
  const existing = profiles.find(isOf);
  if (existing?.enabled === true) return existing.name;
  const taken = profiles.map((one) => one.name);
  const name = existing?.name ?? profileNameFrom(feed.name, taken);
  settings.change((now) => ({
    ...now,
    profiles:
      existing === undefined
        ? [...now.profiles, { ...ofFeed(feed), name }]
        : now.profiles.map((one) => (one.name === name ? { ...one, enabled: true } : one)),
    watchlists: withSourceList(now.watchlists, listOf(name, feed)),
  }));
  return name;
}

const symbolsOf = (feed: PriceFeedSettings): readonly string[] => feed.symbols ?? FEED_SYMBOLS[feed.name];

/**
 * The feed with all symbols that it follows: those it was added with, or else the vendor's proposal, and
 * those of the profile's own list. A feed of shares added without symbols follows all lists of the profile; a
 * feed of coins does not, because DIA and COMP are names of coins too.
 * @param lists the lists that the profile watches
 */
export function followedFeed(name: string, feed: PriceFeedSettings, lists: readonly Watchlist[]): PriceFeedSettings {
  const isOfAll = feed.symbols === undefined && needsFeedKey(feed.name);
  const watched = watchedSymbols(isOfAll ? lists : lists.filter(({ id }) => id === sourceListId(name)));
  return { ...feed, symbols: [...new Set([...symbolsOf(feed), ...watched])].slice(0, MAX_FEED_SYMBOLS) };
}

/** The watchlist of the profile of that name. */
export const listOf = (name: string, feed: PriceFeedSettings): SourceList => ({
  name,
  section: FEED_SECTIONS[feed.name],
  symbols: symbolsOf(feed),
});

/** A new profile of a feed, without its name. */
export const ofFeed = (feed: PriceFeedSettings): Omit<Profile, 'name'> => ({
  environment: 'production',
  baseUrl: null,
  mode: 'auto',
  enabled: true,
  feed,
  ...firstOf(symbolsOf(feed)),
});

const firstOf = ([selected]: readonly string[]) => (selected === undefined ? {} : { selected });
