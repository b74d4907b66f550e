// Renderer, in a worker of the window: renders texts, so that a slow text blocks nothing.
// In: {id, body, form}; out: {id, rendered}.
import { renderText } from './parse.ts';
import type { RenderRequest, RenderResponse } from './reader.ts';

self.onmessage = ({ data: { id, body, form } }: MessageEvent<RenderRequest>): void => {
  self.postMessage({ id, rendered: renderText(body, form) } satisfies RenderResponse);
};
