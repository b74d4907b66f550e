// Renderer: opens the worker that renders texts, from the origin of the page.
import type { RenderHandlers, RenderResponse, RenderWorker } from './reader.ts';

export function openRenderWorker({ onAnswer, onFailure }: RenderHandlers): RenderWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<RenderResponse>) => onAnswer(data);
  worker.onerror = onFailure;
  return { send: (request) => worker.postMessage(request), end: () => worker.terminate() };
}
