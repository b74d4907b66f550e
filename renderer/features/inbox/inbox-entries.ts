// Renderer, pure: which parts of the inbox are drawn, and where it must stand so that what is read does not move.
import type { InboxItem } from './groups.ts';

/** open: it needs the user. now: it stands. done: taken care of, or held back. past: it is over. was: it cannot be seen. */
export type Tone = 'open' | 'now' | 'done' | 'past' | 'was';

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly items: readonly InboxItem[];
  /** How many there are, where not all of them are listed. */
  readonly all?: number;
  /** What is said where it has no item. */
  readonly none?: string;
}

/**
 * What stands below one another. `key` is another one when an item comes into another group; `group` is a place in the groups. `before` is what stands
 * above the first group, `between` what stands below it.
 */
export type Entry =
  | { readonly kind: 'before' | 'between'; readonly key: string }
  | { readonly kind: 'head' | 'none'; readonly key: string; readonly group: number }
  | { readonly kind: 'item'; readonly key: string; readonly group: number; readonly item: InboxItem };

export function entriesOf(groups: readonly ShownGroup[]): readonly Entry[] {
  return [
    { kind: 'before', key: 'before' },
    ...groups.flatMap(({ id, items, none }, group): Entry[] => [
      { kind: 'head', key: id, group },
      ...(items.length === 0 && none !== undefined ? [{ kind: 'none', key: `${id} none`, group } as const] : []),
      ...items.map((item): Entry => ({ kind: 'item', key: `${id} ${item.alert.transition.event_id}`, group, item })),
      ...(group === 0 ? [{ kind: 'between', key: 'between' } as const] : []),
    ]),
  ];
}

/** Index of the item with this ledger id; -1: there is none. */
export const indexOfItem = (entries: readonly Entry[], id: number): number =>
  entries.findIndex((entry) => entry.kind === 'item' && entry.item.alert.ledger_id === id);

/** What was visible, from above to below, and how far the list was scrolled, px. */
export interface Viewport {
  readonly offset: number;
  readonly positions: readonly { readonly key: string; readonly start: number }[];
}

/**
 * Indexes that are drawn wherever the list is scrolled to: whatever is no item; the items where the keyboard is, with their neighbours, which are where
 * it goes next; what was visible.
 *
 * @param kept ledger ids
 */
export function pinnedIndexes(
  entries: readonly Entry[],
  pinned: readonly (number | null)[],
  viewport: Viewport | null,
): readonly number[] {
  const seen = new Set(viewport?.positions.map(({ key }) => key));
  const isPinned = (entry: Entry | undefined): boolean =>
    entry?.kind === 'item' && pinned.includes(entry.item.alert.ledger_id);
  return entries.flatMap((entry, index) =>
    entry.kind !== 'item' ||
    seen.has(entry.key) ||
    [index - 1, index, index + 1].some((near) => isPinned(entries[near]))
      ? [index]
      : [],
  );
}

/** Ledger ids from top to bottom. */
export const itemIds = (entries: readonly Entry[]): readonly number[] =>
  entries.flatMap((entry) => (entry.kind === 'item' ? [entry.item.alert.ledger_id] : []));

/**
 * How far the list is to be scrolled, px, so that the first item that was visible, and is there still, stands where it stood; null where nothing holds it.
 *
 * @param startOf where the entry of this index begins now, px
 */
export function anchoredOffset(
  viewport: Viewport | null,
  entries: readonly Entry[],
  startOf: (index: number) => number | undefined,
): number | null {
  if (viewport === null) return null;
  const indexes = new Map(entries.flatMap(({ kind, key }, index) => (kind === 'item' ? [[key, index] as const] : [])));
  for (const { key, start } of viewport.positions) {
    const index = indexes.get(key);
    const now = index === undefined ? undefined : startOf(index);
    if (now !== undefined) return viewport.offset + now - start;
  }
  return null;
}
