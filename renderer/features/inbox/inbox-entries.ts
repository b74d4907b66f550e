// Renderer, pure: which inbox entries are drawn, and the scroll offset that keeps them in place.
import { byNotification, type InboxItem } from './groups.ts';

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
  /** The items of one notification are together, under a heading. */
  readonly isByNotification?: boolean;
  /** Total number, where not all of them are listed. */
  readonly all?: number;
  /** Why the items are in this order; absent: by the fall. */
  readonly isByConfidence?: boolean;
  /** Text for an empty group. */
  readonly none?: string;
}

/**
 * An entry of the list. `key` changes when an item moves to another group; `group` is an index of the groups.
 * `before` precedes the first group, `between` follows it.
 */
export type Entry =
  | { readonly kind: 'before' | 'between'; readonly key: string }
  | { readonly kind: 'head' | 'none'; readonly key: string; readonly group: number }
  | {
      readonly kind: 'notification';
      readonly key: string;
      readonly group: number;
      readonly items: readonly InboxItem[];
    }
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
    ...groups.flatMap(({ id, items, none, isByNotification = false }, group): Entry[] => [
      { kind: 'head', key: id, group },
      ...(items.length === 0 && none !== undefined ? [{ kind: 'none', key: `${id} none`, group } as const] : []),
      ...itemEntries(id, group, items, isByNotification),
      ...(group === 0 ? [{ kind: 'between', key: 'between' } as const] : []),
    ]),
  ];
}

function itemEntries(
  id: string,
  group: number,
  items: readonly InboxItem[],
  isByNotification: boolean,
): readonly Entry[] {
  const together = isByNotification ? byNotification(items) : [{ id: null, items }];
  let position = 0;
  return together.flatMap((notification): Entry[] => [
    ...(notification.id === null
      ? []
      : [{ kind: 'notification', key: `${id} of ${notification.id}`, group, items: notification.items } as const]),
    ...notification.items.map((item): Entry => {
      position += 1;
      return { kind: 'item', key: `${id} ${item.alert.transition.event_id}`, group, item, position };
    }),
  ]);
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
