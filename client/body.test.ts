// Test: the body limit, for whole and cut bodies.

import { expect, test } from 'vitest';
import { readBody } from './body.ts';

const read = (text: string, limit: number, cut?: boolean) =>
  readBody(new Response(text), limit, new AbortController().signal, cut);

test('a body up to the limit is read; a longer one is refused or cut', async () => {
  expect(await read('12345', 5)).toEqual({ ok: true, value: '12345' });
  expect(await read('123456', 5)).toEqual({ ok: false, error: { tooLarge: true, beginning: '123456' } });
  expect(await read('123456', 5, true)).toEqual({ ok: true, value: '12345' });
  expect(await readBody(new Response(null), 5, new AbortController().signal)).toEqual({ ok: true, value: '' });
});

test('the limit counts bytes, and a character split between chunks is joined', async () => {
  expect(await read('äöü', 5)).toEqual({ ok: false, error: { tooLarge: true, beginning: 'äöü' } });
  expect(await read('äöü', 6)).toEqual({ ok: true, value: 'äöü' });
  const bytes = new TextEncoder().encode('äöü');
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  expect(await readBody(new Response(chunks), 6, new AbortController().signal)).toEqual({ ok: true, value: 'äöü' });
});

test('of a refused body 64 KB are kept, and the rest is not read', async () => {
  const chunk = 'x'.repeat(40_000);
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent += 1;
        controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  expect(await readBody(new Response(body), 100_000, new AbortController().signal)).toEqual({
    ok: false,
    error: { tooLarge: true, beginning: 'x'.repeat(65_536) },
  });
  expect([sent, isCancelled]).toEqual([3, true]);
});
