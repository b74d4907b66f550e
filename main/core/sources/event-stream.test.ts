// Test: one connection over raw bytes: the event-stream format, and the ways in which it ends.
import { describe, expect, test } from 'vitest';
import type { ServiceProblem } from '../../../client/problem.ts';
import { ok } from '../../../shared/lib/result.ts';
import { settle } from '../../../test/harness/manual-clock.ts';
import { openStreamConnection, type StreamMessage } from './event-stream.ts';

interface StreamRecording {
  readonly messages: StreamMessage[];
  readonly ends: (ServiceProblem | null)[];
  comments: number;
  opened: number;
}

/** Sends the chunks, then ends the stream normally. */
async function listen(
  chunks: readonly (string | Uint8Array)[],
  headers: Record<string, string> = { 'content-type': 'text/event-stream' },
  status = 200,
): Promise<StreamRecording> {
  const recording: StreamRecording = { messages: [], ends: [], comments: 0, opened: 0 };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });
  openStreamConnection(
    'http://127.0.0.1/stream',
    null,
    async () => ok(new Response(status === 204 ? null : body, { status, headers })),
    (event) => {
      if (event.kind === 'opened') recording.opened += 1;
      else if (event.kind === 'comment') recording.comments += 1;
      else if (event.kind === 'message') recording.messages.push(event.message);
      else if (event.kind === 'ended') recording.ends.push(event.cause);
    },
  );
  await settle();
  return recording;
}
const message = (data: string, name = 'message', id = ''): StreamMessage => ({ name, data, id });
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('format', () => {
  test.each<[string, (string | Uint8Array)[], StreamMessage[]]>([
    ['a byte-order mark before the first line', ['\uFEFFdata: a\n\n'], [message('a')]],
    ['a second byte-order mark is part of a field name', ['\uFEFF\uFEFFdata: a\n\ndata: b\n\n'], [message('b')]],
    ['line feeds', ['data: a\ndata: b\n\n'], [message('a\nb')]],
    ['carriage returns', ['data: a\rdata: b\r\r'], [message('a\nb')]],
    ['both', ['data: a\r\ndata: b\r\n\r\n'], [message('a\nb')]],
    ['both, cut in between', ['data: a\r', '\ndata: b\r', '\n\r', '\n'], [message('a\nb')]],
    ['one space after the colon is dropped, no more', ['data:a\ndata:  b\n\n'], [message('a\n b')]],
    ['a field without a colon is empty', ['data\ndata\n\n'], [message('\n')]],
    ['comments and unknown fields are nothing', [': c\nfoo: bar\ndata: a\n: d\n\n'], [message('a')]],
    ['no data, no event', ['event: x\n\ndata: a\n\n'], [message('a')]],
    ['an event without an end is dropped', ['data: a\n\ndata: b\n'], [message('a')]],
    [
      'names of every kind, also our own',
      ['event: open\ndata: a\n\nevent: error\ndata: b\n\nevent: __proto__\ndata: c\n\n'],
      [message('a', 'open'), message('b', 'error'), message('c', '__proto__')],
    ],
    [
      'an id counts for its own event only',
      ['id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n'],
      [message('a', 'message', '1'), message('b'), message('c', 'message', '2')],
    ],
    [
      'an empty id resets',
      ['id: 1\ndata: a\n\nid\ndata: b\n\nid: 1\ndata: c\n\n'],
      [message('a', 'message', '1'), message('b'), message('c', 'message', '1')],
    ],
    ['an id with NUL is no id', ['id: 1\u00002\ndata: a\n\n'], [message('a')]],
    [
      'letters cut between chunks',
      [bytes(0x64, 0x61, 0x74, 0x61, 0x3a, 0xe2, 0x82), bytes(0xac, 0x0a, 0x0a)],
      [message('€')],
    ],
    ['bytes that are no letters', [bytes(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a)], [message('\uFFFD')]],
    ['retry is read and does no harm', ['retry: 1000\nretry: x\nretry:\ndata: a\n\n'], [message('a')]],
    ['byte by byte', [...'event: e\nid: 7\ndata: a\n\n'], [message('a', 'e', '7')]],
  ])('%s', async (_, chunks, messages) => {
    expect((await listen(chunks)).messages).toEqual(messages);
  });
  test('comments are counted', async () => {
    expect((await listen([': a\n\n', ':', '\n\ndata: : b\n\n'])).comments).toBe(2);
  });
});

describe('end', () => {
  test('a stream that is closed normally', async () => {
    const recording = await listen(['data: a\n\n']);
    expect(recording).toMatchObject({ opened: 1, ends: [null] });
  });
  test.each([
    [{ 'content-type': 'text/html' }, 200, 'unreadable'],
    [{}, 200, 'unreadable'],
    [{ 'content-type': 'text/event-streams' }, 200, 'unreadable'],
    [{}, 204, 'forbidden'],
  ])('%o with %d is %s', async (headers, status, kind) => {
    const recording = await listen(['data: a\n\n'], headers as Record<string, string>, status);
    expect(recording).toMatchObject({ opened: 0, messages: [], ends: [{ kind }] });
  });
  test('a type with parameters, in capitals', async () => {
    expect(await listen(['data: a\n\n'], { 'content-type': 'Text/Event-Stream; charset=utf-8' })).toMatchObject({
      opened: 1,
      messages: [{ data: 'a' }],
    });
  });
  test.each<[string, (controller: ReadableStreamDefaultController<Uint8Array>, close: () => void) => void]>([
    ['an error', (controller) => controller.error(new TypeError('terminated'))],
    ['its end', (controller) => controller.close()],
    ['close', (_, close) => close()],
  ])('the opener learns of %s by its signal, before anybody else', async (_, end) => {
    const given: AbortSignal[] = [];
    const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controllers.push(controller);
        controller.enqueue(new TextEncoder().encode('data: a\n\n'));
      },
    });
    const isOver = (): boolean => given.length === 1 && given.every(({ aborted }) => aborted);
    const seen: [string, boolean][] = [];
    const connection = openStreamConnection(
      'http://127.0.0.1/stream',
      null,
      async (_, signal) => {
        given.push(signal);
        return ok(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
      },
      ({ kind }) => void seen.push([kind, isOver()]),
    );
    await settle();
    expect(seen.at(-1)).toEqual(['message', false]);
    for (const controller of controllers) end(controller, connection.close);
    await settle();
    expect(isOver()).toBe(true);
    expect(seen.filter(([kind]) => kind === 'ended').every(([, isKnown]) => isKnown)).toBe(true);
  });
  test('a line without end is dropped before it fills the memory', async () => {
    const recording = await listen(Array.from({ length: 34 }, () => 'data: '.padEnd(1 << 20, 'x')));
    expect(recording.messages).toEqual([]);
    expect(recording.ends).toHaveLength(1);
    expect(recording.ends[0]).toMatchObject({ kind: 'network' });
  });
});
