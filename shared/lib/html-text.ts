// Pure: removes markup from untrusted HTML in linear time, and writes text as HTML.
// A search for pairs could be made slow by a hostile document.

/** Elements whose content is not text; and comments. */
const HIDDEN: readonly (readonly [opening: RegExp, closing: RegExp])[] = [
  [/<script\b/gi, /<\/script\s*>/gi],
  [/<style\b/gi, /<\/style\s*>/gi],
  [/<template\b/gi, /<\/template\s*>/gi],
  [/<!--/g, /-->/g],
];
const TAG = [/</g, />/g] as const;

/**
 * Replaces each tag, comment, script, style and template by a blank. Entities stay, and so does what is never
 * closed.
 */
export function withoutMarkup(html: string): string {
  return [...HIDDEN, TAG].reduce((text, [opening, closing]) => withoutPieces(text, opening, closing), html);
}

/** Replaces each tag by a blank. */
export const withoutTags = (text: string): string => withoutPieces(text, ...TAG);

/** One pass: after an unclosed opening, no later one is closed. */
function withoutPieces(text: string, opening: RegExp, closing: RegExp): string {
  const visible: string[] = [];
  let from = 0;
  for (;;) {
    opening.lastIndex = from;
    const begin = opening.exec(text)?.index;
    if (begin === undefined) break;
    closing.lastIndex = opening.lastIndex;
    if (closing.exec(text) === null) break;
    visible.push(text.slice(from, begin));
    from = closing.lastIndex;
  }
  visible.push(text.slice(from));
  return visible.join(' ');
}

/** Text as content or attribute of HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
