// Renderer: draws the inbox entries in view; they stay in place when entries come above them.
import { measureElement } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { type DrawnRow, useVirtualRows, type VirtualList } from '../../ui/list/use-virtual-rows.ts';
import { anchoredOffset, type Entry, pinnedIndexes, type Viewport } from './inbox-entries.ts';

/** Entries drawn beyond those in view. */
const OVERSCAN = 3;
/** Estimates until they are measured, px. */
const HEIGHTS: Readonly<Record<Entry['kind'], number>> = {
  before: 0,
  between: 0,
  head: 24,
  none: 41,
  more: 26,
  item: 23,
};

interface InboxVirtualizer {
  readonly drawn: readonly DrawnRow[];
  /** Height of the undrawn entries below the last drawn one, px. */
  readonly gapBelow: number;
  /** Ref of each drawn element, which bears its index as `data-index`. */
  readonly measure: (element: HTMLElement | null) => void;
  /** Scrolls until the entry of this index is fully visible. */
  readonly reveal: (index: number) => void;
}

interface PinnedItems {
  /** Ledger id of the item that the keys act on. */
  readonly target: number | null;
  /** Ledger id of the item where the tab key stops. */
  readonly tabStop: number | null;
}

export function useInboxVirtualizer(
  entries: readonly Entry[],
  { target, tabStop }: PinnedItems,
  scroll: RefObject<HTMLDivElement | null>,
): InboxVirtualizer {
  const list = useRef<VirtualList>(null);
  // Both values are from before these entries arrived.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each list of entries.
  const viewport = useMemo(() => viewportOf(list.current), [entries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const focus = useMemo(() => focusIn(scroll.current), [entries]);
  const always = useMemo(
    () => pinnedIndexes(entries, [target, tabStop], viewport),
    [entries, target, tabStop, viewport],
  );
  const { virtual, drawn, gapBelow } = useVirtualRows({
    count: entries.length,
    scroll,
    keyAt: useCallback((index: number) => entries[index]?.key ?? '', [entries]),
    heightAt: (index) => HEIGHTS[entries[index]?.kind ?? 'item'],
    pinned: always,
    overscan: OVERSCAN,
    // The heading of its group stays above the item at the top.
    margins: { head: HEIGHTS.head, foot: 0 },
    measure: measureLater,
  });
  useLayoutEffect(() => {
    list.current = virtual;
  }, [virtual]);
  useLayoutEffect(() => {
    // Recomputes the sizes from the latest measurements.
    virtual.getTotalSize();
    const offset = anchoredOffset(viewport, entries, (index) => virtual.measurementsCache[index]?.start);
    if (offset !== null && scroll.current !== null) scroll.current.scrollTop = offset;
  }, [virtual, viewport, entries, scroll]);
  useLayoutEffect(() => restore(focus, scroll.current), [focus, scroll]);
  return {
    drawn,
    gapBelow,
    measure: virtual.measureElement,
    reveal: (index) => virtual.scrollToIndex(index),
  };
}

/**
 * At the top, a new entry is measured after the browser's own layout: nothing visible depends on it, and in a
 * flood the page would be laid out twice per frame. In a scrolled list, the height of entries above is needed
 * at once. A folded inbox has no sizes: entries keep their heights, or the visible entries would move when it
 * unfolds.
 */
export const measureLater: NonNullable<VirtualList['options']['measureElement']> = (element, entry, list) => {
  const remembered = (): number => list.measurementsCache[list.indexFromElement(element)]?.size ?? 0;
  if (entry === undefined && (list.scrollOffset ?? 0) <= 0) return remembered();
  const height = measureElement(element, entry, list);
  return height === 0 && element.offsetWidth === 0 ? remembered() : height;
};

/** Null at the top of the list: new entries are to be visible there. */
function viewportOf(list: VirtualList | null): Viewport | null {
  const element = list?.scrollElement;
  // The remembered offset costs nothing; reading scrollTop may force a layout.
  if (list === null || element == null || (list.scrollOffset ?? 0) <= 0) return null;
  const offset = element.scrollTop;
  const end = offset + (list.scrollRect?.height ?? 0);
  const visible = list.getVirtualItems().filter((item) => item.end > offset && item.start < end);
  return { offset, positions: visible.map(({ key, start }) => ({ key: String(key), start })) };
}

/** A button of an item, identified by its text. */
interface Focus {
  readonly row: string;
  readonly text: string | null;
  /** The row below it; undefined: none. */
  readonly next: string | undefined;
}

/** The button with a visible focus. */
function focusIn(scroll: HTMLElement | null): Focus | null {
  const button = document.activeElement;
  if (!(button instanceof HTMLButtonElement) || scroll?.contains(button) !== true || !button.matches(':focus-visible'))
    return null;
  const row = button.closest<HTMLElement>('[data-row]');
  const below = row?.nextElementSibling;
  const next = below instanceof HTMLElement ? below.dataset.row : undefined;
  return row?.dataset.row === undefined ? null : { row: row.dataset.row, text: button.textContent, next };
}

/**
 * An item that moved to another group is another element: focus its same button, or its first one; those of the
 * item below it, where it is no longer listed.
 */
function restore(focus: Focus | null, scroll: HTMLElement | null): void {
  if (focus === null || document.activeElement !== document.body) return;
  const buttonsOf = (row: string | undefined): HTMLButtonElement[] =>
    row === undefined ? [] : [...(scroll?.querySelectorAll<HTMLButtonElement>(`[data-row="${row}"] button`) ?? [])];
  const own = buttonsOf(focus.row);
  const button = own.find(({ textContent }) => textContent === focus.text) ?? own[0] ?? buttonsOf(focus.next)[0];
  button?.focus({ preventScroll: true });
}
