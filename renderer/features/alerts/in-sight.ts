// Renderer, pure: which parts of the inbox are drawn, and where it must stand so that what is read does not move.
import type { InboxItem } from './groups.ts';

/** open: it needs the user. now: it stands. done: taken care of, or held back. past: it is over. was: it cannot be seen. */
export type Tone = 'open' | 'now' | 'done' | 'past' | 'was';

export interface ShownGroup {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly items: readonly InboxItem[];
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

/** What was in sight, from above to below, and how far the list was scrolled, px. */
export interface Sight {
  readonly offset: number;
  readonly places: readonly { readonly key: string; readonly start: number }[];
}

/**
 * Indexes that are drawn wherever the list is scrolled to: whatever is no item; the item that the keys act on, with its neighbours, which are where the
 * tab key goes; what was in sight.
 *
 * @param target ledger id
 */
export function alwaysDrawn(entries: readonly Entry[], target: number | null, sight: Sight | null): readonly number[] {
  const seen = new Set(sight?.places.map(({ key }) => key));
  const isTarget = (entry: Entry | undefined): boolean =>
    target !== null && entry?.kind === 'item' && entry.item.alert.ledger_id === target;
  return entries.flatMap((entry, index) =>
    entry.kind !== 'item' || seen.has(entry.key) || [index - 1, index, index + 1].some((near) => isTarget(entries[near])) ? [index] : [],
  );
}

/** Both, in their order, each once. */
export const union = (a: readonly number[], b: readonly number[]): number[] => [...new Set([...a, ...b])].sort((one, other) => one - other);

/**
 * How far the list is to be scrolled, px, so that the first item that was in sight, and is there still, stands where it stood; null where nothing holds it.
 *
 * @param startOf where the entry of this index begins now, px
 */
export function heldOffset(sight: Sight | null, entries: readonly Entry[], startOf: (index: number) => number | undefined): number | null {
  if (sight === null) return null;
  const indexes = new Map(entries.flatMap(({ kind, key }, index) => (kind === 'item' ? [[key, index] as const] : [])));
  for (const { key, start } of sight.places) {
    const index = indexes.get(key);
    const now = index === undefined ? undefined : startOf(index);
    if (now !== undefined) return sight.offset + now - start;
  }
  return null;
}
