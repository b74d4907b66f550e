// Renderer, pure: what Space does in the reader. A briefing whose text was not shown is never passed by.

/** none: nothing is open; awaited: it is on its way or being rendered; missing: it could not be had, and that is said in its place. */
export type TextState = 'none' | 'awaited' | 'missing' | 'shown';

/** Of what scrolls, px. */
export interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** next: the next unread; turn: the page; wait: nothing yet. Only the key for the next unread passes by what is not here. */
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
