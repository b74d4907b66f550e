// Renderer, pure: the effect of Space in the reader; it never skips a briefing that was not shown.

/** none: nothing is open; awaited: being loaded or rendered; missing: failed, and the page says so. */
export type TextState = 'none' | 'awaited' | 'missing' | 'shown';

/** Position and size of the scrolled element, px. */
export interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/**
 * next: go to the next unread; turn: turn the page; wait: do nothing yet; missing: only the key for the next
 * unread skips the text.
 */
export function pageTurn(
  textState: TextState,
  page: ScrollMetrics | null,
  by: 1 | -1,
): 'next' | 'turn' | 'wait' | 'missing' {
  if (textState === 'none') return 'next';
  if (textState === 'missing') return 'missing';
  if (textState === 'awaited' || page === null) return 'wait';
  const isAtEnd = page.scrollTop + page.clientHeight >= page.scrollHeight - 2;
  return by > 0 && isAtEnd ? 'next' : 'turn';
}
