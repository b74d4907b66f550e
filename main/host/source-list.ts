// Main, host: the watchlist of a profile whose symbols are known: alerts are for watched symbols.
import { sourceListId, type Watchlist, WatchlistsSchema } from '../../shared/domain/watchlists.ts';

/** Most symbols in such a list. */
const MAX_LISTED = 500;

export interface SourceList {
  /** The profile, and the list's name. */
  readonly name: string;
  readonly section: string;
  readonly symbols: readonly string[];
}

/**
 * Adds the list of a profile, on which its windows open. It does so even where all its symbols are watched,
 * since another list has symbols that the profile does not cover. Without room for it, the lists stay
 * unchanged.
 */
export function withSourceList(lists: readonly Watchlist[], { name, section, symbols }: SourceList): Watchlist[] {
  const id = sourceListId(name);
  if (symbols.length === 0 || lists.some((list) => list.id === id)) return [...lists];
  const listed = symbols.slice(0, MAX_LISTED);
  const next = [...lists, { id, name, sections: [{ name: section, symbols: listed }] }];
  return WatchlistsSchema.safeParse(next).success ? next : [...lists];
}
