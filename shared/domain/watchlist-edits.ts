// Pure: edits of a watchlist. Each edit returns a new list; a symbol occurs once in a list.
import { profileOfList, symbolsOf, type Watchlist } from './watchlists.ts';

type Section = Watchlist['sections'][number];

/** A position for a symbol: `index` counts within the section, without the moved symbol. */
export interface SymbolPosition {
  readonly section: number;
  readonly index: number;
}

/** Position of a symbol; null when it is not in the list. */
export function positionOf(list: Watchlist, symbol: string): SymbolPosition | null {
  for (const [section, { symbols }] of list.sections.entries()) {
    const index = symbols.indexOf(symbol);
    if (index !== -1) return { section, index };
  }
  return null;
}

/** Adds new symbols at the end of a section. A list without sections gets one of that name. */
export function addSymbols(
  list: Watchlist,
  symbols: readonly string[],
  section: number,
  firstSection: string,
): Watchlist {
  const present = new Set(symbolsOf(list));
  const added = [...new Set(symbols)].filter((symbol) => !present.has(symbol));
  if (list.sections.length === 0) return { ...list, sections: [{ name: firstSection, symbols: added }] };
  const at = Math.min(section, list.sections.length - 1);
  return withSection(list, at, (old) => ({ ...old, symbols: [...old.symbols, ...added] }));
}

export function removeSymbol(list: Watchlist, symbol: string): Watchlist {
  return {
    ...list,
    sections: list.sections.map((section) => ({
      ...section,
      symbols: section.symbols.filter((each) => each !== symbol),
    })),
  };
}

/** Moves a symbol of the list; positions beyond a section's end mean its end. */
export function moveSymbol(list: Watchlist, symbol: string, to: SymbolPosition): Watchlist {
  if (positionOf(list, symbol) === null || list.sections[to.section] === undefined) return list;
  return withSection(removeSymbol(list, symbol), to.section, (old) => {
    const symbols = [...old.symbols];
    symbols.splice(Math.max(0, to.index), 0, symbol);
    return { ...old, symbols };
  });
}

/**
 * One position up or down; at the edge of a section into the next one. At the edge of the list nothing
 * changes.
 */
export function stepSymbol(list: Watchlist, symbol: string, by: -1 | 1): Watchlist {
  const from = positionOf(list, symbol);
  if (from === null) return list;
  const last = (list.sections[from.section]?.symbols.length ?? 0) - 1;
  const index = from.index + by;
  if (index >= 0 && index <= last) return moveSymbol(list, symbol, { section: from.section, index });
  const section = from.section + by;
  const next = list.sections[section];
  if (next === undefined) return list;
  return moveSymbol(list, symbol, { section, index: by === 1 ? 0 : next.symbols.length });
}

/** Adds an empty section below the one given. */
export function addSection(list: Watchlist, name: string, below: number): Watchlist {
  const sections = [...list.sections];
  sections.splice(below + 1, 0, { name, symbols: [] });
  return { ...list, sections };
}

export const renameSection = (list: Watchlist, section: number, name: string): Watchlist =>
  withSection(list, section, (old) => ({ ...old, name }));

/**
 * Removes the heading; the symbols join the section above, or the one below when it was the first. The only
 * section stays.
 */
export function removeSection(list: Watchlist, section: number): Watchlist {
  const gone = list.sections[section];
  if (gone === undefined || list.sections.length < 2) return list;
  const sections = list.sections.filter((_, index) => index !== section);
  const rest = { ...list, sections };
  return section === 0
    ? withSection(rest, 0, (heir) => ({ ...heir, symbols: [...gone.symbols, ...heir.symbols] }))
    : withSection(rest, section - 1, (heir) => ({ ...heir, symbols: [...heir.symbols, ...gone.symbols] }));
}

export function moveSection(list: Watchlist, section: number, by: -1 | 1): Watchlist {
  const moved = list.sections[section];
  const to = section + by;
  if (moved === undefined || to < 0 || to >= list.sections.length) return list;
  const sections = list.sections.filter((_, index) => index !== section);
  sections.splice(to, 0, moved);
  return { ...list, sections };
}

/** Replaces the list with the same id, or appends it. */
export const withList = (lists: readonly Watchlist[], list: Watchlist): Watchlist[] =>
  lists.some((each) => each.id === list.id)
    ? lists.map((each) => (each.id === list.id ? list : each))
    : [...lists, list];

/** All lists before and after an edit. */
export interface ListsEdit {
  readonly before: readonly Watchlist[];
  readonly after: readonly Watchlist[];
}

/** Undoes an edit and keeps later changes of other lists. null: a list of the edit has changed since. */
export function undoneEdit(lists: readonly Watchlist[], { before, after }: ListsEdit): readonly Watchlist[] | null {
  if (isSame(lists, after)) return before;
  const ids = new Set([...before, ...after].map(({ id }) => id));
  let rest = lists;
  for (const id of ids) {
    const [now, was, became] = [lists, before, after].map((all) => all.find((list) => list.id === id));
    // As before: the edit has not come back yet.
    if (isSame(was, became) || isSame(now, was)) continue;
    if (!isSame(now, became)) return null;
    rest = was === undefined ? rest.filter((list) => list.id !== id) : withList(rest, was);
  }
  return rest;
}

/** Compares as JSON, because the fields of lists are in a fixed order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** An unused id: the name in lower case, with a number if it is taken. */
export function freeId(lists: readonly Watchlist[], name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 48);
  // The list of another profile is not among `lists`.
  const stem = slug === '' ? 'list' : profileOfList(slug) === null ? slug : `list-${slug}`;
  const taken = new Set(lists.map((list) => list.id));
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

function withSection(list: Watchlist, at: number, change: (section: Section) => Section): Watchlist {
  return { ...list, sections: list.sections.map((section, index) => (index === at ? change(section) : section)) };
}
