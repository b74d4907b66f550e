// Test: a picture whose process is silent is an error, and the next one has its own.
import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import type { ChildProcess } from '../ports.ts';
import { createPngRenderer } from './png.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

test('a process that is silent is ended after ten seconds, and the next picture has its own', async () => {
  const clock = createManualClock();
  const kill = vi.fn();
  let answer: (reply: unknown) => void = () => undefined;
  const start = (): ChildProcess<string> => ({
    send: () => undefined,
    onReply: (listener) => {
      answer = listener;
    },
    onEnd: () => undefined,
    kill,
  });
  const render = createPngRenderer(start, clock);
  const silent = expect(render(SVG)).rejects.toThrow('not drawn within 10 s');
  const next = render(SVG);
  await clock.advance(10_000);
  await silent;
  expect(kill).toHaveBeenCalledOnce();
  await clock.advance(1);
  answer({ png: 'AAAA' });
  expect(await next).toEqual(Buffer.from('AAAA', 'base64'));
});
