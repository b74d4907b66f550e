// Renderer: opens the worker that lays texts out; it comes from the same place as the page.
import type { LayOutAnswer, LayOutHears, LayOutWorker } from './reader.ts';

export function openLayOutWorker({ onAnswer, onFailure }: LayOutHears): LayOutWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<LayOutAnswer>) => onAnswer(data);
  worker.onerror = onFailure;
  return { send: (request) => worker.postMessage(request), end: () => worker.terminate() };
}
