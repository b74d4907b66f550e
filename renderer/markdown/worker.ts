// Renderer, in a worker of the window: writes Markdown as HTML, so that a slow text blocks nothing.
// In: {id, text}; out: {id, html}.
import { markdownHtml } from './markdown-html.ts';
import type { RenderRequest, RenderResponse } from './reader.ts';

self.onmessage = ({ data: { id, text } }: MessageEvent<RenderRequest>): void => {
  self.postMessage({ id, html: markdownHtml(text) } satisfies RenderResponse);
};
