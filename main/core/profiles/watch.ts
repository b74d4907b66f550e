// Main, core: the user's watchlists, read from the settings and changed through them.
import { type Watchlist, watchedSymbols } from '../../../shared/domain/watchlists.ts';
import type { SettingsStore } from '../ports.ts';

export interface Watch {
  lists(): Watchlist[];
  selected(): string | null;
  isWatched(symbol: string): boolean;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): string[];
  /** Every watched symbol, and the last ones selected in windows. */
  symbols(): string[];
  /**
   * Reads the settings again; another profile's core may have written them. Returns whether the lists
   * changed.
   */
  refresh(): boolean;
  select(symbol: string): void;
  /** Replaces all lists. */
  save(lists: readonly Watchlist[]): void;
}

/** Selected symbols followed besides the watched ones: one per window that may be open. */
const MAX_RECENT = 4;

export function createWatch(settings: SettingsStore): Watch {
  let { watchlists, selected } = settings.read();
  /** Newest first: each window has its own. */
  let recent: readonly string[] = selected === null ? [] : [selected];
  let watched = new Set(watchedSymbols(watchlists));
  const refresh = (): boolean => {
    const now = settings.read();
    const isSame = JSON.stringify(now.watchlists) === JSON.stringify(watchlists);
    ({ watchlists, selected } = now);
    watched = new Set(watchedSymbols(watchlists));
    return !isSame;
  };
  return {
    lists: () => watchlists,
    selected: () => selected,
    isWatched: (symbol) => watched.has(symbol),
    listsOf: (symbol) =>
      watchlists.flatMap(({ id, sections }) => (sections.some(({ symbols }) => symbols.includes(symbol)) ? [id] : [])),
    symbols: () => [...watched, ...recent.filter((symbol) => !watched.has(symbol))],
    refresh,
    select(symbol) {
      recent = [symbol, ...recent.filter((one) => one !== symbol)].slice(0, MAX_RECENT);
      settings.change((now) => ({ ...now, selected: symbol }));
      refresh();
    },
    save(lists) {
      settings.change((now) => ({ ...now, watchlists: [...lists] }));
      refresh();
    },
  };
}
