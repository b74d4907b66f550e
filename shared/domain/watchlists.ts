// Pure: the trader's watchlists: ordered sections of ordered symbols.
import { z } from 'zod';
import { HoldingsSchema } from './holdings.ts';
import { SYMBOL_PATTERN } from './instruments.ts';

export const WatchlistSchema = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(80),
  sections: z
    .array(
      z.strictObject({ name: z.string().min(1).max(80), symbols: z.array(z.string().regex(SYMBOL_PATTERN)).max(2000) }),
    )
    .max(100),
  /** Holdings of its symbols; absent: not entered. */
  holdings: HoldingsSchema.optional(),
});
export type Watchlist = z.infer<typeof WatchlistSchema>;

export const MAX_LISTS = 50;

/** All lists in their order. There is always one. */
export const WatchlistsSchema = z
  .array(WatchlistSchema)
  .min(1)
  .max(MAX_LISTS)
  .refine(
    (lists) => new Set(lists.map((list) => list.id)).size === lists.length,
    'two watchlists must not have the same id',
  );

/** The symbols of a list in order. */
export const symbolsOf = (list: Watchlist): string[] => list.sections.flatMap((section) => section.symbols);

/** All symbols of all lists, each once, in order of first appearance. */
export function watchedSymbols(lists: readonly Watchlist[]): string[] {
  return [...new Set(lists.flatMap(symbolsOf))];
}

const SOURCE_LIST = 'prices-';

/** The id of the list of a profile's own symbols. */
export const sourceListId = (profile: string): string => `${SOURCE_LIST}${profile}`;

/** The profile whose own symbols the list of that id has; null: a list for every profile. */
export const profileOfList = (id: string): string | null =>
  id.startsWith(SOURCE_LIST) ? id.slice(SOURCE_LIST.length) : null;

/** Most symbols in the list of a profile. */
export const MAX_LISTED = 500;

export interface SourceList {
  /** The profile, and the list's name. */
  readonly name: string;
  readonly section: string;
  readonly symbols: readonly string[];
}

/**
 * Adds the list of a profile whose symbols are known, on which its windows open. It does so even where all
 * its symbols are watched, since another list has symbols that the profile does not cover. Without room for
 * it, the lists stay unchanged.
 */
export function withSourceList(lists: readonly Watchlist[], { name, section, symbols }: SourceList): Watchlist[] {
  const id = sourceListId(name);
  if (symbols.length === 0 || lists.some((list) => list.id === id)) return [...lists];
  const listed = symbols.slice(0, MAX_LISTED);
  const next = [...lists, { id, name, sections: [{ name: section, symbols: listed }] }];
  return WatchlistsSchema.safeParse(next).success ? next : [...lists];
}

/** Adds symbols to the list of a profile as far as it has room; a list that is not there is added with them. */
export function withListedSymbols(lists: readonly Watchlist[], source: SourceList): Watchlist[] {
  const list = lists.find(({ id }) => id === sourceListId(source.name));
  if (list === undefined) return withSourceList(lists, source);
  const own = new Set(symbolsOf(list));
  const added = source.symbols.filter((symbol) => !own.has(symbol)).slice(0, Math.max(0, MAX_LISTED - own.size));
  if (added.length === 0) return [...lists];
  const section = list.sections.find(({ name }) => name === source.section) ?? { name: source.section, symbols: [] };
  const grown = { ...section, symbols: [...section.symbols, ...added] };
  const sections = [...list.sections.filter((one) => one !== section), grown];
  const next = lists.map((one) => (one === list ? { ...list, sections } : one));
  return WatchlistsSchema.safeParse(next).success ? next : [...lists];
}

/** Removes the list of a profile's own symbols. Of lists that would be none, the default one remains. */
export function withoutSourceList(lists: readonly Watchlist[], profile: string): Watchlist[] {
  const others = lists.filter(({ id }) => id !== sourceListId(profile));
  return others.length > 0 ? others : [DEFAULT_WATCHLIST];
}

/**
 * The lists that a profile watches: those for every profile, and its own. Never the list of another profile,
 * also of one that the settings no longer have: it would notify here too.
 */
export function listsOfProfile(lists: readonly Watchlist[], profile: string): Watchlist[] {
  const own = lists.filter(({ id }) => [null, profile].includes(profileOfList(id)));
  return own.length > 0 ? own : [DEFAULT_WATCHLIST];
}

/** The list of a first start. It begins with SPY, which is selected. */
export const DEFAULT_WATCHLIST: Watchlist = {
  id: 'desk',
  name: 'Desk list',
  sections: [
    { name: 'Core', symbols: ['SPY', 'QQQ', 'IWM', 'DIA', 'SPX', 'COMP'] },
    { name: 'Sectors', symbols: ['XLK', 'XLY', 'XLF', 'XLI', 'XLB', 'XLE', 'XLV', 'XLP', 'XLU'] },
    { name: 'Bonds, credit, gold', symbols: ['AGG', 'TLT', 'HYG', 'GLD'] },
    { name: 'Shares', symbols: ['AAPL', 'MSFT', 'NVDA', 'GOOG', 'IBM', 'CAT', 'BAC'] },
    { name: 'Crypto and currencies', symbols: ['BTC', 'ETH', 'EURUSD', 'GBPUSD'] },
  ],
};
