// Test: the event-stream format over the whole chain, with its bytes split at every position.
// The chain is: response, reader, parser, events. Requested waits are tested in a whole core.
import { describe, expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { settle } from '../../../test/harness/manual-clock.ts';
import { openStreamConnection } from './event-stream.ts';

/** All output: messages as "name|id|data", requested waits as numbers. */
async function receive(chunks: readonly Uint8Array[]): Promise<(string | number)[]> {
  const received: (string | number)[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  openStreamConnection(
    'http://127.0.0.1/stream',
    null,
    async () => ok(response),
    (event) => {
      if (event.kind === 'delayRequested') received.push(event.ms);
      else if (event.kind === 'message') {
        const { name, id, data } = event.message;
        received.push(`${name}|${id}|${data}`);
      }
    },
  );
  await settle();
  return received;
}
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const CASES: readonly [string, string, readonly (string | number)[]][] = [
  ['a byte-order mark before the first field', '\uFEFFdata:1\n\n', ['message||1']],
  ['a byte-order mark before a comment', '\uFEFF:c\ndata:1\n\n', ['message||1']],
  ['two marks: the second belongs to a field nobody knows', '\uFEFF\uFEFFdata:1\n\ndata:2\n\n', ['message||2']],
  ['a mark further on is data', 'data:\uFEFF1\n\n', ['message||\uFEFF1']],
  ['line feeds', 'data:1\ndata:2\n\ndata:3\n\n', ['message||1\n2', 'message||3']],
  ['carriage returns', 'data:1\rdata:2\r\rdata:3\r\r', ['message||1\n2', 'message||3']],
  ['both together', 'data:1\r\ndata:2\r\n\r\ndata:3\r\n\r\n', ['message||1\n2', 'message||3']],
  ['all mixed', 'data:1\rdata:2\ndata:3\r\n\rdata:4\n\r\n', ['message||1\n2\n3', 'message||4']],
  ['a carriage return, then a line feed as a line of its own', 'data:1\r\r\ndata:2\n\n', ['message||1', 'message||2']],
  ['several lines of data', 'data:a\ndata\ndata:\ndata:b\n\n', ['message||a\n\n\nb']],
  ['one space is dropped, a second and a tab stay', 'data: a\ndata:  b\ndata:\tc\n\n', ['message||a\n b\n\tc']],
  ['a colon in the value', 'data:a:b\ndata: c: d\n\n', ['message||a:b\nc: d']],
  ['a field without a colon', 'data\n\ndata\ndata\n\n', ['message||', 'message||\n']],
  ['blanks belong to the name of a field', 'data :x\n data:y\ndata:z\n\n', ['message||z']],
  ['names of fields in other letters', 'Data:x\nDATA:y\ndata:z\n\n', ['message||z']],
  ['fields that nobody knows', 'foo:x\nfoo\nda\u0000ta:y\ndata:z\n\n', ['message||z']],
  ['comments anywhere', ':\n: c\ndata:1\n:d\ndata:2\n::\n\n:e\n\n', ['message||1\n2']],
  ['NUL in data', 'data:a\u0000b\n\n', ['message||a\u0000b']],
  ['no data: no message, and the name is dropped', 'event:x\n\ndata:1\n\n', ['message||1']],
  ['empty data alone', 'data:\n\n', ['message||']],
  ['a name counts for one event', 'event:x\ndata:1\n\ndata:2\n\n', ['x||1', 'message||2']],
  [
    'the last name counts; an empty name counts as absent',
    'event:x\nevent:y\ndata:1\n\nevent:x\nevent\ndata:2\n\nevent:\ndata:3\n\n',
    ['y||1', 'message||2', 'message||3'],
  ],
  ['an id for its event', 'id: 1\ndata:1\n\ndata:2\n\n', ['message|1|1', 'message||2']],
  ['an id that comes after the data', 'data:1\nid:7\n\n', ['message|7|1']],
  ['an id without an event is the next one’s', 'id:1\n\nid:2\ndata:2\n\n', ['message|2|2']],
  [
    'an empty id resets',
    'id:1\ndata:1\n\nid\ndata:2\n\nid:\ndata:3\n\nid:1\ndata:4\n\n',
    ['message|1|1', 'message||2', 'message||3', 'message|1|4'],
  ],
  [
    'an id with NUL is ignored',
    'id:1\u00002\ndata:1\n\nid:\u0000\ndata:2\n\nid:3\ndata:3\n\n',
    ['message||1', 'message||2', 'message|3|3'],
  ],
  ['letters of two, three and four bytes', 'data:ö€😀\nevent:ö\n\n', ['ö||ö€😀']],
  ['an event without a blank line at the end', 'data:1\n\ndata:2\n', ['message||1']],
  ['a line without an end', 'data:1\n\ndata:2\n\ndata:3', ['message||1', 'message||2']],
  [
    'times to wait: digits only',
    'retry:1500\nretry: 20\n\nretry:x\nretry:1e3\nretry:-1\nretry:1.5\nretry\nretry:\nretry: \n\n',
    [1500, 20],
  ],
  ['a time to wait is no event and ends none', 'data:1\nretry:5\ndata:2\n\n', [5, 'message||1\n2']],
  ['what only looks like one', ':retry:1\nxretry:2\ndata:retry:3\nretry :4\nRetry:5\n\nretry:6', ['message||retry:3']],
];

describe('the event-stream format, with any split of its bytes', () => {
  test.each(CASES)('%s', async (_, text, expected) => {
    const bytes = encode(text);
    const sorted = (received: readonly (string | number)[]): unknown => ({
      messages: received.filter((one) => typeof one === 'string'),
      waits: received.filter((one) => typeof one === 'number').at(-1),
    });
    const expectedSorted = sorted(expected);
    expect(sorted(await receive([bytes]))).toEqual(expectedSorted);
    expect(sorted(await receive([...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(expectedSorted);
    for (let cut = 1; cut < bytes.length; cut += 1)
      expect({ cut, ...(sorted(await receive([bytes.subarray(0, cut), bytes.subarray(cut)])) as object) }).toEqual({
        cut,
        ...(expectedSorted as object),
      });
  });
});

describe('the requested wait', () => {
  const bench = setUpCoreBench();
  test('the next attempt is not before it', async () => {
    await bench.up();
    bench.service.write('retry: 7000\n\n');
    await bench.clock.advance(20_000);
    const before = bench.streamRequests();
    bench.service.cut();
    await bench.clock.advance(6_900);
    expect(bench.streamRequests()).toBe(before);
    await bench.clock.advance(5_100);
    expect(bench.streamRequests()).toBeGreaterThan(before);
  });
});
