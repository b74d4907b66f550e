// Pure: HTML from outside without what is no text in it, in time that grows with its length: it may be made so that a search for pairs is slow.

/** Elements of which nothing is text; and comments. */
const HIDDEN: readonly (readonly [opening: RegExp, closing: RegExp])[] = [
  [/<script\b/gi, /<\/script\s*>/gi],
  [/<style\b/gi, /<\/style\s*>/gi],
  [/<template\b/gi, /<\/template\s*>/gi],
  [/<!--/g, /-->/g],
];
const TAG = [/</g, />/g] as const;

/** Each tag, comment, script, style and template is a blank. Entities stay, and so does what is never closed. */
export function withoutMarkup(html: string): string {
  return [...HIDDEN, TAG].reduce((text, [opening, closing]) => withoutPieces(text, opening, closing), html);
}

/** Each tag is a blank. */
export const withoutTags = (text: string): string => withoutPieces(text, ...TAG);

/** One walk: where an opening is not closed, no later one is. */
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
