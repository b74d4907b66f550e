// Renderer, in a worker of the window: lays texts out, so that a text made to be slow holds up nobody. In: {id, body, form}; out: {id, laid}.
import { layOut } from './parse.ts';
import type { LayOutAnswer, LayOutRequest } from './reader.ts';

self.onmessage = ({ data: { id, body, form } }: MessageEvent<LayOutRequest>): void => {
  self.postMessage({ id, laid: layOut(body, form) } satisfies LayOutAnswer);
};
