// Renderer, in a worker of the window, pure: writes Markdown as HTML, which is as untrusted as the text was.
import { Marked } from 'marked';
import footnotes from 'marked-footnote';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { PlainReason } from './render-result.ts';

/** Drops HTML within Markdown. */
const marked = new Marked(footnotes({ prefixId: 'user-content-fn-' }), { renderer: { html: () => '' } });

/** Never throws. */
export function markdownHtml(text: string): Result<string, PlainReason> {
  try {
    return ok(marked.parse(text, { async: false }));
  } catch (error) {
    // Nested so deeply that the parser's stack overflows.
    return err(error instanceof RangeError ? 'deep' : 'broken');
  }
}
