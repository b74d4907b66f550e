// Renderer, in a worker of the window: lays texts out, so that a text made to be slow holds up nobody. In: {id, body, form}; out: {id, laid}.
import { renderText } from './parse.ts';
import type { RenderRequest, RenderResponse } from './reader.ts';

self.onmessage = ({ data: { id, body, form } }: MessageEvent<RenderRequest>): void => {
  self.postMessage({ id, rendered: renderText(body, form) } satisfies RenderResponse);
};
