// Renderer: a list of rows of one height: virtual rows, headings, one tab stop.
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { type RovingFocus, type RowKeys, useRovingFocus } from './use-roving-focus.ts';
import { type DrawnRow, useVirtualRows } from './use-virtual-rows.ts';

interface ListOptions<Item> {
  /** Rows and headings from top to bottom. The same array while they are equal. */
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Headings take no focus. */
  readonly isHeading?: (item: Item) => boolean;
  /** The chosen or open row; null: none. */
  readonly current: string | null;
  readonly onMove: (row: string) => void;
  readonly keys?: RowKeys;
  readonly size: ListSize;
  /** Scrolls to the current row when it changes. */
  readonly isFollowing?: boolean;
}

interface ListSize {
  /** px. */
  readonly row: number;
  /** Rows of a PageDown or PageUp. */
  readonly page: number;
  /** Heights of the heads at the top of the view, and kept free below the last row, px. */
  readonly head?: number;
  readonly foot?: number;
}

export interface ListRow<Item> extends DrawnRow {
  readonly item: Item;
  readonly key: string;
  readonly isTabStop: boolean;
}

export interface List<Item> extends RovingFocus {
  readonly scroll: RefObject<HTMLDivElement | null>;
  /** Number of rows and headings. */
  readonly count: number;
  readonly rows: readonly ListRow<Item>[];
  readonly height: number;
  readonly gapBelow: number;
  /** The index of the last drawn row. */
  readonly lastDrawn: number;
}

const OVERSCAN = 8;
const NO_HEADING = (): boolean => false;

export function useList<Item>(options: ListOptions<Item>): List<Item> {
  const { items, keyOf, isHeading = NO_HEADING, current, size, isFollowing = false } = options;
  const scroll = useRef<HTMLDivElement>(null);
  const reveal = useRef<(row: string) => void>(() => undefined);
  const order = useMemo(() => items.filter((item) => !isHeading(item)).map(keyOf), [items, isHeading, keyOf]);
  const focus = useRovingFocus({
    order,
    current,
    onMove: options.onMove,
    reveal: useCallback((row: string) => reveal.current(row), []),
    scroll,
    pageRows: size.page,
    keys: options.keys,
  });
  const indexOf = (row: string | null): number => items.findIndex((item) => !isHeading(item) && keyOf(item) === row);
  const stopIndex = indexOf(focus.tabStop);
  const virtual = useVirtualRows({
    count: items.length,
    scroll,
    rowHeight: size.row,
    // Without the row of the tab stop the keyboard would lose its position.
    pinned: useMemo(() => (stopIndex === -1 ? [] : [stopIndex]), [stopIndex]),
    overscan: OVERSCAN,
    margins: { head: size.head ?? 0, foot: size.foot ?? 0 },
  });
  reveal.current = (row) => virtual.reveal(indexOf(row));
  const currentIndex = isFollowing ? indexOf(current) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another current row scrolls the list.
  useEffect(() => {
    if (currentIndex >= 0) virtual.reveal(currentIndex);
  }, [current, currentIndex >= 0]);
  return {
    ...focus,
    scroll,
    count: items.length,
    rows: virtual.drawn.map((row) => {
      const item = items[row.index] as Item;
      return { ...row, item, key: keyOf(item), isTabStop: row.index === stopIndex };
    }),
    height: virtual.height,
    gapBelow: virtual.gapBelow,
    lastDrawn: virtual.drawn.at(-1)?.index ?? 0,
  };
}

/** The properties of the element of a row. */
export const rowProps = (key: string, isTabStop: boolean) =>
  ({ 'data-row': key, tabIndex: isTabStop ? 0 : -1 }) as const;
