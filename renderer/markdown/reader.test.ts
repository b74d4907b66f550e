// Test: rendering texts in a worker with a timeout.
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { markdownHtml } from './markdown-html.ts';
import { createMarkdownReader, type RenderHandlers, type RenderRequest, type RenderWorker } from './reader.ts';
import { MAX_CHARACTERS, type RenderResult } from './render-result.ts';
import { writeHtml } from './write-html.ts';

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
  const answer = (worker: number, request: number): void => {
    const one = workers[worker];
    const { id = -1, text = '' } = one?.requests[request] ?? {};
    one?.handlers.onAnswer({ id, html: markdownHtml(text) });
  };
  return { clock, reader, workers, answer };
}

const htmlOf = (rendered: RenderResult): string =>
  rendered.kind === 'tree' ? writeHtml(rendered.tree).trimEnd() : rendered.why;

describe('the reader of texts', () => {
  it('uses one worker for all texts', async () => {
    const { reader, workers, answer } = rig();
    const first = reader.read('a', 'markdown');
    answer(0, 0);
    expect(htmlOf(await first)).toBe('<p>a</p>');
    const second = reader.read('b', 'markdown');
    answer(0, 1);
    expect(htmlOf(await second)).toBe('<p>b</p>');
    expect(workers).toHaveLength(1);
  });
  it('gives up after five seconds, ends the worker, and renders the next text in another', async () => {
    const { clock, reader, workers, answer } = rig();
    const slow = reader.read('*a_ '.repeat(100_000), 'markdown');
    await clock.advance(5000);
    expect(await slow).toEqual({ kind: 'plain', why: 'slow', text: '*a_ '.repeat(50_000) });
    expect(workers[0]?.ended).toBe(true);
    const next = reader.read('b', 'markdown');
    answer(1, 0);
    expect(htmlOf(await next)).toBe('<p>b</p>');
  });
  it('drops a superseded request', async () => {
    const { clock, reader, workers, answer } = rig();
    void reader.read('a', 'markdown');
    const second = reader.read('b', 'markdown');
    expect(workers[0]?.ended).toBe(true);
    answer(1, 0);
    expect(htmlOf(await second)).toBe('<p>b</p>');
    await clock.advance(10_000);
    expect(workers).toHaveLength(2);
    expect(workers[1]?.ended).toBe(false);
  });
  it('ends its worker, and renders later texts in another', async () => {
    const { clock, reader, workers, answer } = rig();
    void reader.read('a', 'markdown');
    reader.end();
    expect(workers[0]?.ended).toBe(true);
    const next = reader.read('b', 'markdown');
    await clock.advance(4999);
    answer(1, 0);
    expect(htmlOf(await next)).toBe('<p>b</p>');
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
    expect(workers[0]?.requests[0]?.text).toHaveLength(MAX_CHARACTERS);
  });
});
