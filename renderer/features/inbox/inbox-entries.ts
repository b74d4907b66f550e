// Renderer, pure: which inbox entries are drawn, and the scroll offset that keeps them in place.
import type { InboxItem } from './groups.ts';

/**
 * open: needs the user. now: active. done: acknowledged, snoozed or suppressed. past: over. was: unknown in
 * an outage.
 */
export type Tone = 'open' | 'now' | 'done' | 'past' | 'was';

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly items: readonly InboxItem[];
  /** Names of the columns after the first. */
  readonly columns?: readonly string[];
  /** The group is this one line, which opens it. */
  readonly line?: string;
  /** A button below the items: what else there is. */
  readonly more?: string;
  /** Text for an empty group. */
  readonly none?: string;
}

/**
 * An entry of the list. `key` changes when an item moves to another group; `group` is an index of the groups.
 * `before` precedes the first group, `between` follows it.
 */
export type Entry =
  | { readonly kind: 'before' | 'between'; readonly key: string }
  | { readonly kind: 'head' | 'more' | 'none'; readonly key: string; readonly group: number }
  | {
      readonly kind: 'item';
      readonly key: string;
      readonly group: number;
      readonly item: InboxItem;
      /** Position in its group, from 1. */
      readonly position: number;
    };

export function entriesOf(groups: readonly ShownGroup[]): readonly Entry[] {
  return [
    { kind: 'before', key: 'before' },
    ...groups.flatMap(({ id, items, more, none }, group): Entry[] => [
      { kind: 'head', key: id, group },
      ...(items.length === 0 && none !== undefined ? [{ kind: 'none', key: `${id} none`, group } as const] : []),
      ...items.map((item, index): Entry => {
        const key = `${id} ${item.alert.transition.event_id}`;
        return { kind: 'item', key, group, item, position: index + 1 };
      }),
      ...(more === undefined ? [] : [{ kind: 'more', key: `${id} more`, group } as const]),
      ...(group === 0 ? [{ kind: 'between', key: 'between' } as const] : []),
    ]),
  ];
}

/** Index of the item with this ledger id; -1 if there is none. */
export const indexOfItem = (entries: readonly Entry[], id: number): number =>
  entries.findIndex((entry) => entry.kind === 'item' && entry.item.alert.ledger_id === id);

/** The visible entries, from top to bottom, and the scroll offset, px. */
export interface Viewport {
  readonly offset: number;
  readonly positions: readonly { readonly key: string; readonly start: number }[];
}

/**
 * Indexes that are drawn at any scroll position: entries that are no items, the items of the keyboard with
 * their neighbours, and the entries that were visible.
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
 * The scroll offset, px, that keeps the first still existing visible item in place; null if none is left.
 * @param startOf where the entry of this index begins, px
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
