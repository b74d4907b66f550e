// Renderer: draws the rows of a list that are in view, a few beyond them, and pinned ones.
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback } from 'react';

type VirtualList = Virtualizer<HTMLDivElement, HTMLElement>;

interface Options {
  readonly count: number;
  readonly scroll: RefObject<HTMLDivElement | null>;
  readonly keyAt: (index: number) => string;
  /** px */
  readonly heightAt: (index: number) => number;
  /** Indexes that are drawn at any scroll position; the same array while they are equal. */
  readonly pinned: readonly number[];
  /** Rows drawn beyond those in view. */
  readonly overscan: number;
  /** Heights of the heads at the top of the view, and kept free below the last row, px. */
  readonly margins: { readonly head: number; readonly foot: number };
}

/** A drawn row. */
export interface DrawnRow {
  readonly index: number;
  readonly start: number;
  readonly height: number;
  /** Height of the undrawn rows between it and the row drawn above it, px. */
  readonly gap: number;
}

export interface VirtualRows {
  readonly virtual: VirtualList;
  readonly drawn: readonly DrawnRow[];
  /** Height of all rows, px. */
  readonly height: number;
  /** Height of the undrawn rows below the last drawn one, px. */
  readonly gapBelow: number;
}

export function useVirtualRows(options: Options): VirtualRows {
  const { scroll, keyAt, heightAt, pinned, margins } = options;
  const virtual = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: options.count,
    getScrollElement: () => scroll.current,
    estimateSize: heightAt,
    getItemKey: keyAt,
    overscan: options.overscan,
    // Before measuring: as many rows as may be in view, or the list would be drawn twice.
    initialRect: { width: 0, height: window.innerHeight },
    scrollPaddingStart: margins.head,
    paddingEnd: margins.foot,
    scrollPaddingEnd: margins.foot,
    rangeExtractor: useCallback((range: Range) => union(defaultRangeExtractor(range), pinned), [pinned]),
  });
  const items = virtual.getVirtualItems();
  const height = virtual.getTotalSize();
  return {
    virtual,
    drawn: items.map(({ index, start, size }, position) => ({
      index,
      start,
      height: size,
      gap: start - (items[position - 1]?.end ?? 0),
    })),
    height,
    gapBelow: height - (items.at(-1)?.end ?? 0),
  };
}

/** Ascending, without duplicates, as are both arguments. */
const union = (a: readonly number[], b: readonly number[]): number[] =>
  b.every((each) => a.includes(each)) ? [...a] : [...new Set([...a, ...b])].sort((one, other) => one - other);
