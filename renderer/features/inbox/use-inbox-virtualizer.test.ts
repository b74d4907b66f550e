// Test: when the size of an inbox entry is measured.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/react-virtual';
import { describe, expect, it } from 'vitest';
import { measureLater } from './use-inbox-virtualizer.ts';

const ESTIMATE = 71;

/** An item of the inbox, the first of ten; folded, it has no size. */
const item = (height: number, width: number): HTMLElement =>
  ({ offsetHeight: height, offsetWidth: width, getAttribute: () => '0' }) as unknown as HTMLElement;

/** The browser's report of a resized item. */
const resized = (height: number, width: number): ResizeObserverEntry =>
  ({ borderBoxSize: [{ blockSize: height, inlineSize: width }] }) as unknown as ResizeObserverEntry;

/** @param scrollOffset how far the list is scrolled, px */
function listAt(scrollOffset: number): Virtualizer<HTMLDivElement, HTMLElement> {
  const list = new Virtualizer<HTMLDivElement, HTMLElement>({
    count: 10,
    getScrollElement: () => null,
    estimateSize: () => ESTIMATE,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
  });
  list.scrollOffset = scrollOffset;
  list.getTotalSize();
  return list;
}

describe('the size of an item', () => {
  it('is the one that the browser reports', () => {
    expect(measureLater(item(113, 264), resized(113, 264), listAt(0))).toBe(113);
  });
  it('is measured at once where the list is scrolled, and waits for the browser at its top', () => {
    expect(measureLater(item(113, 264), undefined, listAt(40))).toBe(113);
    expect(measureLater(item(113, 264), undefined, listAt(0))).toBe(ESTIMATE);
  });
  it.each([0, 40])('stays while the inbox is folded, scrolled by %i px', (offset) => {
    const list = listAt(offset);
    list.resizeItem(0, 113);
    list.getTotalSize();
    expect(measureLater(item(0, 0), resized(0, 0), list)).toBe(113);
  });
  it('is estimated for entries that came while the inbox was folded', () => {
    expect(measureLater(item(0, 0), undefined, listAt(40))).toBe(ESTIMATE);
  });
  it('is not measured without an entry', () => {
    expect(measureLater(item(0, 264), resized(0, 264), listAt(0))).toBe(0);
  });
});
