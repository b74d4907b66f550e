// Main, core: reads and changes the watchlists, and a profile's selected symbol, in the settings.
import { placementIn, placementsOf } from '../../../shared/domain/matchers.ts';
import { listsOfProfile, type Watchlist, watchedSymbols } from '../../../shared/domain/watchlists.ts';
import type { SettingsStore } from '../ports.ts';
import type { Settings } from './settings.ts';

export interface Watch {
  /** The watchlists of this profile. */
  lists(): Watchlist[];
  /** The symbol selected in this profile; by default the selection of the settings. */
  selected(): string | null;
  isWatched(symbol: string): boolean;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
  /** Keys of the sections that have the symbol. */
  sectionsOf(symbol: string): readonly string[];
  /** Every watched symbol, and the last selected ones that are not watched. */
  symbols(): string[];
  /**
   * Reads the settings again; another profile's core may have written them. Returns whether the lists
   * changed.
   */
  refresh(): boolean;
  select(symbol: string): void;
  /** Replaces the lists of this profile; those of other profiles' own symbols stay, after them. */
  save(lists: readonly Watchlist[]): void;
}

/**
 * Most selected symbols that are followed although they are in no watchlist.
 */
const MAX_RECENT = 4;

export function createWatch(settings: SettingsStore, profile: string): Watch {
  let { watchlists, selected } = readWatch(settings.read(), profile);
  /**
   * Every symbol selected since the start, newest first, watched or not: windows have different ones, and a
   * list may lose a symbol later.
   */
  let recent: readonly string[] = selected === null ? [] : [selected];
  let watched = new Set(watchedSymbols(watchlists));
  let placements = placementsOf(watchlists);
  const refresh = (): boolean => {
    const now = readWatch(settings.read(), profile);
    const isSame = JSON.stringify(now.watchlists) === JSON.stringify(watchlists);
    ({ watchlists, selected } = now);
    watched = new Set(watchedSymbols(watchlists));
    placements = placementsOf(watchlists);
    return !isSame;
  };
  return {
    lists: () => watchlists,
    selected: () => selected,
    isWatched: (symbol) => watched.has(symbol),
    listsOf: (symbol) => placementIn(placements, symbol).lists,
    sectionsOf: (symbol) => placementIn(placements, symbol).sections,
    symbols: () => [...watched, ...recent.filter((symbol) => !watched.has(symbol)).slice(0, MAX_RECENT)],
    refresh,
    select(symbol) {
      recent = [symbol, ...recent.filter((one) => one !== symbol)];
      settings.change((now) => withSelected(now, profile, symbol));
      refresh();
    },
    save(lists) {
      settings.change((now) => {
        const shown = new Set(readWatch(now, profile).watchlists);
        // A window may still show the list of a profile that was added again meanwhile.
        const saved = new Set(lists.map(({ id }) => id));
        const others = now.watchlists.filter((list) => !shown.has(list) && !saved.has(list.id));
        return { ...now, watchlists: [...lists, ...others] };
      });
      refresh();
    },
  };
}

const readWatch = ({ watchlists, selected, profiles }: Settings, profile: string) => ({
  watchlists: listsOfProfile(watchlists, profile),
  selected: profiles.find(({ name }) => name === profile)?.selected ?? selected,
});

/** A profile outside the settings, such as that of a command, changes the selection of the settings. */
const withSelected = (settings: Settings, profile: string, selected: string): Settings =>
  settings.profiles.some(({ name }) => name === profile)
    ? { ...settings, profiles: settings.profiles.map((one) => (one.name === profile ? { ...one, selected } : one)) }
    : { ...settings, selected };
