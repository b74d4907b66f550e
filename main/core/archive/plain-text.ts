// Main, core: the plain text of a document, without markup, for the search index and its excerpts.
// Never shown as HTML: the result is text.
import { withoutMarkup } from '../../../shared/lib/html-text.ts';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** A link or a picture; without its last part, the unfinished beginning of one. */
const LINK = /!?\[([^\]\n]*)(?:\]\([^)\n]*(\))?)?/g;
/** The delimiters of hits in excerpts; no text may contain them. */
export const HIT_BEGIN = '\u0001';
export const HIT_END = '\u0002';

/**
 * @param contentType as stored; HTML loses its tags and non-text elements, Markdown its markup and addresses
 */
export function plainText(body: string, contentType: string): string {
  const plain = contentType.startsWith('text/html')
    ? withoutMarkup(body).replaceAll(/&([a-z]+);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    : contentType.startsWith('text/markdown')
      ? body
          // An unfinished link is consumed too: a new search from each of its brackets would take hours.
          .replaceAll(LINK, (whole, label: string, end: string | undefined) => (end === undefined ? whole : label))
          .replaceAll(/^[ \t]*(?:`{3,}.*|~{3,}.*)$|^[ \t|:+-]{3,}$/gm, ' ')
          .replaceAll(/^[ \t]*(?:#{1,6}|>+|[-*+]|\d+[.)])[ \t]+/gm, '')
          .replaceAll(/\*\*|__|~~|`|\||\*(?=\S)|(?<=\S)\*/g, ' ')
      : body;
  return plain.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}
