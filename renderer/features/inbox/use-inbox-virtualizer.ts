// Renderer: the inbox draws what is visible and a little more. What is read does not move when something comes above it; the focus is not lost.
import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { anchoredOffset, type Entry, pinnedIndexes, union, type Viewport } from './inbox-entries.ts';

type List = Virtualizer<HTMLDivElement, HTMLElement>;

/** Entries drawn beyond those in view. */
const OVERSCAN = 3;
/** Until they are measured, px. */
const HEIGHTS: Readonly<Record<Entry['kind'], number>> = { before: 0, between: 0, head: 24, none: 41, item: 71 };

interface InboxVirtualizer {
  readonly drawn: readonly VirtualItem[];
  /** Height of everything, px. */
  readonly height: number;
  /** Reference of each drawn element; it bears its index as `data-index`. */
  readonly measure: (element: HTMLElement | null) => void;
  /** Scrolls no further than until the entry of this index stands wholly visible. */
  readonly reveal: (index: number) => void;
}

interface PinnedItems {
  /** Ledger id of the item that the keys act on. */
  readonly target: number | null;
  /** Ledger id of the item where the tab key stops. */
  readonly tabStop: number | null;
}

/** @param kept what is drawn wherever the list is scrolled to */
export function useInboxVirtualizer(
  entries: readonly Entry[],
  { target, tabStop }: PinnedItems,
  scroll: RefObject<HTMLDivElement | null>,
): InboxVirtualizer {
  const list = useRef<List>(null);
  // Both as they were before these entries came.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read once for each list of entries.
  const viewport = useMemo(() => viewportOf(list.current), [entries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const focus = useMemo(() => focusIn(scroll.current), [entries]);
  const always = useMemo(
    () => pinnedIndexes(entries, [target, tabStop], viewport),
    [entries, target, tabStop, viewport],
  );
  const virtual = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => HEIGHTS[entries[index]?.kind ?? 'item'],
    getItemKey: useCallback((index: number) => entries[index]?.key ?? index, [entries]),
    overscan: OVERSCAN,
    // The heading of its group stands over what is at the top.
    scrollPaddingStart: HEIGHTS.head,
    measureElement: measureLater,
    // Before it is measured: at once as many as may be in view.
    initialRect: { width: 0, height: window.innerHeight },
    rangeExtractor: useCallback((range: Range) => union(defaultRangeExtractor(range), always), [always]),
  });
  useLayoutEffect(() => {
    list.current = virtual;
  }, [virtual]);
  useLayoutEffect(() => {
    // Computes with what was measured just now.
    virtual.getTotalSize();
    const offset = anchoredOffset(viewport, entries, (index) => virtual.measurementsCache[index]?.start);
    if (offset !== null && scroll.current !== null) scroll.current.scrollTop = offset;
  }, [virtual, viewport, entries, scroll]);
  useLayoutEffect(() => restore(focus, scroll.current), [focus, scroll]);
  return {
    drawn: virtual.getVirtualItems(),
    height: virtual.getTotalSize(),
    measure: virtual.measureElement,
    reveal: (index) => virtual.scrollToIndex(index),
  };
}

/**
 * At the top, what was just drawn is measured when the browser has laid the page out, not before: nothing visible depends on it, and in a flood
 * it would be laid out twice for one frame. Where the list is scrolled, what comes above must be known at once. While the inbox is folded, nothing
 * in it has a size: it keeps that which it had, or all of it would come above what is visible when the inbox is unfolded.
 */
export const measureLater: NonNullable<List['options']['measureElement']> = (element, entry, list) => {
  const remembered = (): number => list.measurementsCache[list.indexFromElement(element)]?.size ?? 0;
  if (entry === undefined && (list.scrollOffset ?? 0) <= 0) return remembered();
  const height = measureElement(element, entry, list);
  return height === 0 && element.offsetWidth === 0 ? remembered() : height;
};

/** Null where the list stands at its top: there what is new is to be seen. */
function viewportOf(list: List | null): Viewport | null {
  const element = list?.scrollElement;
  // What it remembers costs nothing; where the page stands may have to be laid out first.
  if (list === null || element == null || (list.scrollOffset ?? 0) <= 0) return null;
  const offset = element.scrollTop;
  const end = offset + (list.scrollRect?.height ?? 0);
  const visible = list.getVirtualItems().filter((item) => item.end > offset && item.start < end);
  return { offset, positions: visible.map(({ key, start }) => ({ key: String(key), start })) };
}

/** A button of an item, by what it says. */
interface Focus {
  readonly ledger: string;
  readonly text: string | null;
}

/** Which button has the focus, where it is shown to have it. */
function focusIn(scroll: HTMLElement | null): Focus | null {
  const button = document.activeElement;
  if (!(button instanceof HTMLButtonElement) || scroll?.contains(button) !== true || !button.matches(':focus-visible'))
    return null;
  const ledger = button.closest<HTMLElement>('[data-ledger]')?.dataset.ledger;
  return ledger === undefined ? null : { ledger, text: button.textContent };
}

/** An item that came into another group is drawn anew: its button gets the focus again, or the item, where the button is not wanted any more. */
function restore(focus: Focus | null, scroll: HTMLElement | null): void {
  if (focus === null || document.activeElement !== document.body) return;
  const buttons = scroll?.querySelectorAll<HTMLButtonElement>(`[data-ledger="${focus.ledger}"] button`) ?? [];
  const button = [...buttons].find(({ textContent }) => textContent === focus.text) ?? buttons[0];
  button?.focus({ preventScroll: true });
}
