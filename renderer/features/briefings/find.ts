// Renderer, pure: where a text that lies in several pieces holds what is looked for.

/** A place between two letters: in which piece, and before which letter of it. */
interface TextPosition {
  readonly piece: number;
  readonly offset: number;
}
export interface Match {
  readonly from: TextPosition;
  readonly to: TextPosition;
}

/** More are counted by nobody. */
export const MAX_MATCHES = 1000;

/** Without regard to case; any white space stands for any other. @returns in order, at most MOST_FOUND */
export function findIn(pieces: readonly string[], query: string): readonly Match[] {
  const trimmed = query.trim();
  if (trimmed === '') return [];
  const pattern = new RegExp(trimmed.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/\s+/g, '\\s+'), 'giu');
  const begins: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    begins.push(length);
    length += piece.length;
  }
  const spot = (at: number, isEnd: boolean): TextPosition => {
    // An end at the edge of two pieces belongs to the first of them.
    const after = begins.findIndex((begin) => (isEnd ? begin >= at : begin > at));
    const piece = (after === -1 ? begins.length : after) - 1;
    return { piece, offset: at - (begins[piece] ?? 0) };
  };
  const found: Match[] = [];
  for (const match of pieces.join('').matchAll(pattern)) {
    found.push({ from: spot(match.index, false), to: spot(match.index + match[0].length, true) });
    if (found.length === MAX_MATCHES) break;
  }
  return found;
}
