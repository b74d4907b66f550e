// Renderer, pure: search terms in a text, matched as the archive's search does.
// Whole words, without case and accents; the last word also as a prefix.

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Folded terms; empty for a search without words. */
export const parseSearchTerms = (text: string): readonly string[] => (text.match(WORD) ?? []).map(fold);

export interface TextSegment {
  readonly text: string;
  readonly hit: boolean;
}

/** The complete text in segments, in order: matches and the text between them. */
export function segmentsOf(text: string, terms: readonly string[]): readonly TextSegment[] {
  if (terms.length === 0) return text === '' ? [] : [{ text, hit: false }];
  const last = terms.at(-1) ?? '';
  const segments: TextSegment[] = [];
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    const word = fold(match[0]);
    if (!terms.includes(word) && !word.startsWith(last)) continue;
    if (match.index > from) segments.push({ text: text.slice(from, match.index), hit: false });
    from = match.index + match[0].length;
    segments.push({ text: match[0], hit: true });
  }
  if (from < text.length) segments.push({ text: text.slice(from), hit: false });
  return segments;
}
