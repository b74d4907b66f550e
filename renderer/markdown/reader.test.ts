// Test: rendering texts in a worker with a timeout.
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createMarkdownReader, type RenderHandlers, type RenderRequest, type RenderWorker } from './reader.ts';
import { MAX_CHARACTERS, type RenderResult } from './render-result.ts';

function rig() {
  const clock = createManualClock(0);
  const workers: { readonly handlers: RenderHandlers; readonly requests: RenderRequest[]; ended: boolean }[] = [];
  const reader = createMarkdownReader(clock, (handlers): RenderWorker => {
    const worker = { handlers, requests: [] as RenderRequest[], ended: false };
    workers.push(worker);
    return {
      send: (request) => void worker.requests.push(request),
      end: () => {
        worker.ended = true;
      },
    };
  });
  const rendered: RenderResult = { kind: 'tree', tree: { type: 'root', children: [] } };
  const answer = (worker: number, request: number): void => {
    const one = workers[worker];
    one?.handlers.onAnswer({ id: one.requests[request]?.id ?? -1, rendered });
  };
  return { clock, reader, workers, rendered, answer };
}

describe('the reader of texts', () => {
  it('uses one worker for all texts', async () => {
    const { reader, workers, rendered, answer } = rig();
    const first = reader.read('a', 'markdown');
    answer(0, 0);
    expect(await first).toBe(rendered);
    const second = reader.read('b', 'markdown');
    answer(0, 1);
    expect(await second).toBe(rendered);
    expect(workers).toHaveLength(1);
  });
  it('gives up after five seconds, ends the worker, and renders the next text in another', async () => {
    const { clock, reader, workers, rendered, answer } = rig();
    const slow = reader.read('*a_ '.repeat(100_000), 'markdown');
    await clock.advance(5000);
    expect(await slow).toEqual({ kind: 'plain', why: 'slow', text: '*a_ '.repeat(50_000) });
    expect(workers[0]?.ended).toBe(true);
    const next = reader.read('b', 'markdown');
    answer(1, 0);
    expect(await next).toBe(rendered);
  });
  it('drops a superseded request', async () => {
    const { clock, reader, workers, rendered, answer } = rig();
    void reader.read('a', 'markdown');
    const second = reader.read('b', 'markdown');
    expect(workers[0]?.ended).toBe(true);
    answer(1, 0);
    expect(await second).toBe(rendered);
    await clock.advance(10_000);
    expect(workers).toHaveLength(2);
    expect(workers[1]?.ended).toBe(false);
  });
  it('the reader of texts ends its worker, and renders later texts in another', async () => {
    const { clock, reader, workers, rendered, answer } = rig();
    void reader.read('a', 'markdown');
    reader.end();
    expect(workers[0]?.ended).toBe(true);
    const next = reader.read('b', 'markdown');
    await clock.advance(4999);
    answer(1, 0);
    expect(await next).toBe(rendered);
  });
  it('survives a worker that fails', async () => {
    const { reader, workers } = rig();
    const read = reader.read('a', 'markdown');
    workers[0]?.handlers.onFailure();
    expect(await read).toEqual({ kind: 'plain', why: 'broken', text: 'a' });
  });
  it('sends no more than is rendered', () => {
    const { reader, workers } = rig();
    void reader.read('x'.repeat(10_000_000), 'markdown');
    expect(workers[0]?.requests[0]?.body).toHaveLength(MAX_CHARACTERS);
  });
});
