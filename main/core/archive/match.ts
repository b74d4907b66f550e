// Main, core: converts the user's text into a full-text query, and excerpts into segments.
// The text never reaches the query's grammar.
import type { Piece } from '../../../shared/channels/archive.ts';
import { HIT_BEGIN, HIT_END } from './plain-text.ts';

const MAX_TERMS = 16;

/**
 * Every term must match, the last one also as a prefix. @returns null where there is nothing to search for
 */
export function matchOf(text: string): string | null {
  const terms = text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter((term) => /[\p{L}\p{N}\p{Co}]/u.test(term))
    .slice(0, MAX_TERMS);
  if (terms.length === 0) return null;
  const quoted = terms.map((term) => `"${term.replaceAll('"', '""')}"`);
  return `${quoted.join(' ')}*`;
}

/** SQL of an excerpt, in about this many terms. @param column -1: the best position of any */
export const snippet = (table: string, terms: number, column = -1): string =>
  `snippet(${table}, ${column}, char(1), char(2), '…', ${terms})`;

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
