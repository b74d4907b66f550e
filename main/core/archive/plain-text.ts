// Main, core: the words of a text without its marks, for the search index and its excerpts. Never shown as HTML: what is left is text.

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** The marks of hits in excerpts; no text may hold them. */
export const HIT_BEGIN = '\u0001';
export const HIT_END = '\u0002';

/** @param contentType as it is kept; HTML loses its tags and what is no text in it, Markdown its marks and addresses */
export function plainText(body: string, contentType: string): string {
  const words = contentType.startsWith('text/html')
    ? body
        .replaceAll(/<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, ' ')
        .replaceAll(/<!--[\s\S]*?-->/g, ' ')
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/&([a-z]+);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    : contentType.startsWith('text/markdown')
      ? body
          .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
          .replaceAll(/^[ \t]*(?:[|:+\- ]{3,}|`{3,}.*|~{3,}.*)$/gm, ' ')
          .replaceAll(/^[ \t]*(?:#{1,6}|>+|[-*+]|\d+[.)])[ \t]+/gm, '')
          .replaceAll(/\*\*|__|~~|`|\||\*(?=\S)|(?<=\S)\*/g, ' ')
      : body;
  return words.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}
