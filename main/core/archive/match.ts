// Main, core: what the user typed, as a query of the full-text index; and excerpts as segments. The user's text never reaches the query's grammar.
import type { Piece } from '../../../shared/channels/archive.ts';
import { HIT_BEGIN, HIT_END } from './plain-text.ts';

const MOST_WORDS = 16;

/** Every word must be found, the last also as a beginning. @returns null where nothing can be searched for */
export function matchOf(text: string): string | null {
  const words = text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word))
    .slice(0, MOST_WORDS);
  if (words.length === 0) return null;
  const quoted = words.map((word) => `"${word.replaceAll('"', '""')}"`);
  return `${quoted.join(' ')}*`;
}

/** SQL of an excerpt: the best position of any column, in about this many words. */
export const snippet = (table: string, words: number): string =>
  `snippet(${table}, -1, char(1), char(2), '…', ${words})`;

/** An excerpt of the index as segments. */
export function segmentsOf(excerpt: string): Piece[] {
  const segments: Piece[] = [];
  for (const [index, part] of excerpt.split(HIT_BEGIN).entries()) {
    const end = index === 0 ? -1 : part.indexOf(HIT_END);
    const hit = end === -1 ? '' : part.slice(0, end);
    const rest = (end === -1 ? part : part.slice(end + 1)).replaceAll(HIT_END, '');
    if (hit !== '') segments.push({ text: hit, hit: true });
    if (rest !== '') segments.push({ text: rest, hit: false });
  }
  return segments;
}
