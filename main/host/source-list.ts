// Main, host: the watchlist of a profile whose symbols are known: alerts are for watched symbols.
import { sourceListId, type Watchlist, WatchlistsSchema, watchedSymbols } from '../../shared/domain/watchlists.ts';

/** Most symbols in such a list. */
const MOST_LISTED = 500;

export interface SourceList {
  /** The profile, and the list's name. */
  readonly name: string;
  readonly section: string;
  readonly symbols: readonly string[];
}

/**
 * Adds a list of the symbols, unless all of them are watched. Without room for it, the lists stay unchanged.
 */
export function withSourceList(lists: readonly Watchlist[], { name, section, symbols }: SourceList): Watchlist[] {
  const watched = new Set(watchedSymbols(lists));
  if (symbols.every((symbol) => watched.has(symbol))) return [...lists];
  const listed = symbols.slice(0, MOST_LISTED);
  const next = [...lists, { id: sourceListId(name), name, sections: [{ name: section, symbols: listed }] }];
  return WatchlistsSchema.safeParse(next).success ? next : [...lists];
}
