// Renderer: draws the rows of a list that are in view, a few beyond them, and pinned ones. All have one height.
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

interface Options {
  readonly count: number;
  readonly scroll: RefObject<HTMLDivElement | null>;
  /** Of a row, px. */
  readonly rowHeight: number;
  /** Indexes that are drawn at any scroll position, ascending. */
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
  readonly drawn: readonly DrawnRow[];
  /** Height of all rows, px. */
  readonly height: number;
  /** Height of the undrawn rows below the last drawn one, px. */
  readonly gapBelow: number;
  /** Scrolls as little as shows the row whole. */
  readonly reveal: (index: number) => void;
}

export function useVirtualRows({ count, scroll, rowHeight, pinned, overscan, margins }: Options): VirtualRows {
  const { head, foot } = margins;
  const { top, height } = useView(scroll, rowHeight);
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + overscan);
  const inView = Array.from({ length: Math.max(0, end - first) }, (_, position) => first + position);
  const indexes = [
    ...pinned.filter((index) => index < first && index < count),
    ...inView,
    ...pinned.filter((index) => index >= Math.max(first, end) && index < count),
  ];
  const bottomOf = (index: number | undefined): number => (index === undefined ? 0 : (index + 1) * rowHeight);
  const whole = count * rowHeight + foot;
  return {
    drawn: indexes.map((index, position) => {
      const start = index * rowHeight;
      return { index, start, height: rowHeight, gap: start - bottomOf(indexes[position - 1]) };
    }),
    height: whole,
    gapBelow: whole - bottomOf(indexes.at(-1)),
    reveal: useCallback(
      (index) => {
        const element = scroll.current;
        if (element === null) return;
        const start = index * rowHeight;
        const lowest = start - head;
        const highest = start + rowHeight + foot - element.clientHeight;
        if (element.scrollTop > lowest) element.scrollTo({ top: lowest });
        else if (element.scrollTop < highest) element.scrollTo({ top: highest });
      },
      [scroll, rowHeight, head, foot],
    ),
  };
}

/** What is in view, px; its beginning in whole rows, so that a scrolled pixel draws nothing. */
function useView(scroll: RefObject<HTMLDivElement | null>, rowHeight: number) {
  // Before measuring: as many rows as may be in view, or the list would be drawn twice.
  const [view, setView] = useState({ top: 0, height: window.innerHeight });
  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / rowHeight) * rowHeight;
      // A list without a layout has no height.
      const height = (element.clientHeight || window.innerHeight) + rowHeight;
      setView((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    measure();
    element.addEventListener('scroll', measure, { passive: true });
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      sizes.disconnect();
    };
  }, [scroll, rowHeight]);
  return view;
}
