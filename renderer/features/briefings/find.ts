// Renderer, pure: where a text that lies in several segments holds what is looked for.

/** A position between two letters: in which segment, and before which letter of it. */
interface TextPosition {
  readonly segment: number;
  readonly offset: number;
}
export interface Match {
  readonly from: TextPosition;
  readonly to: TextPosition;
}

/** More are counted by nobody. */
export const MAX_MATCHES = 1000;

/** Without regard to case; any white space stands for any other. @returns in order, at most MAX_MATCHES */
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
    // An end at the edge of two segments belongs to the first of them.
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
