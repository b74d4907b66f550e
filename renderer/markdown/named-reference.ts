// Renderer, in the worker: named characters of Markdown by the table of the HTML parser, in place of a second table
// (`decode-named-character-reference` in vite.config.ts).
import { Parser } from 'htmlparser2';

/** @param name without the `&` and the `;` @returns false for none */
export function decodeNamedCharacterReference(name: string): string | false {
  let text = '';
  const parser = new Parser({
    ontext(part) {
      text += part;
    },
  });
  parser.end(`&${name};`);
  // Of "&notit;" HTML reads "&not", and leaves the rest.
  return text.endsWith(';') && text !== ';' ? false : text;
}
