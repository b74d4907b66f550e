// Renderer, pure: finds a query in a text of several segments.

/** A position between two characters: the segment, and the offset in it. */
interface TextPosition {
  readonly segment: number;
  readonly offset: number;
}
export interface Match {
  readonly from: TextPosition;
  readonly to: TextPosition;
}

/** Counting ends here. */
export const MAX_MATCHES = 1000;

/** Ignores case; treats all white space alike. @returns in order, at most MAX_MATCHES */
export function findIn(segments: readonly string[], query: string): readonly Match[] {
  const trimmed = query.trim();
  if (trimmed === '') return [];
  const pattern = new RegExp(trimmed.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/\s+/g, '\\s+'), 'giu');
  const begins: number[] = [];
  let length = 0;
  for (const segment of segments) {
    begins.push(length);
    length += segment.length;
  }
  const positionAt = (at: number, isEnd: boolean): TextPosition => {
    // An end between two segments belongs to the first of them.
    const after = begins.findIndex((begin) => (isEnd ? begin >= at : begin > at));
    const segment = (after === -1 ? begins.length : after) - 1;
    return { segment, offset: at - (begins[segment] ?? 0) };
  };
  const matches: Match[] = [];
  for (const match of segments.join('').matchAll(pattern)) {
    matches.push({ from: positionAt(match.index, false), to: positionAt(match.index + match[0].length, true) });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}
