// Test: answers of the relay's targets are bounded in bytes and in time, over real sockets.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { message } from '../../shared/text/message.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { openRelayServer } from './relay-server.ts';

let server: Server | null = null;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

/** Bytes that the target could send before it was cut off. */
interface Sent {
  bytes: number;
  readonly isClosed: Promise<unknown>;
}

/** A target that begins with `head` and sends `more` for ever, as fast as it is read. */
async function target(head: string, more: string): Promise<{ url: string; sent: Promise<Sent> }> {
  const { promise, resolve } = Promise.withResolvers<Sent>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const sent: Sent = { bytes: 0, isClosed: new Promise((done) => socket.on('close', done)) };
    const pour = (): void => {
      while (!socket.destroyed) {
        sent.bytes += more.length;
        if (!socket.write(more)) break;
      }
    };
    socket.once('data', () => {
      socket.write(head);
      if (more !== '') {
        socket.on('drain', pour);
        pour();
      }
      resolve(sent);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent: promise };
}

const KB64 = 'x'.repeat(65_536);
/** Most bytes that both ends of a connection buffer before a read. */
const IN_BUFFERS = 16 * 1024 * 1024;

function post(url: string) {
  const clock = createManualClock();
  return { clock, receipt: openRelayServer(clock).post({ url, headers: {}, body: '{}', allowPublic: false }) };
}

test('an answer without end: its status line decides, and the connection is closed', async () => {
  const { url, sent } = await target('HTTP/1.1 200 OK\r\n\r\n', KB64);
  expect(await post(url).receipt).toEqual({ status: 200, error: null });
  const { bytes, isClosed } = await sent;
  await isClosed;
  expect(bytes).toBeLessThan(IN_BUFFERS);
});

test('a head without end is refused after a few kilobytes', async () => {
  const { url, sent } = await target('HTTP/1.1 200 OK\r\n', `x-more: ${'y'.repeat(1_000)}\r\n`);
  expect(await post(url).receipt).toMatchObject({ status: null, error: expect.anything() });
  const { bytes, isClosed } = await sent;
  await isClosed;
  expect(bytes).toBeLessThan(IN_BUFFERS);
});

test.each([
  ['nothing at all', '', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\nx-a: ', ''],
  ['interim answers', 'HTTP/1.1 103 Early Hints\r\n\r\n', ''],
])('%s: after ten seconds it counts as no answer', async (_, head, more) => {
  const { url, sent } = await target(head, more);
  const { clock, receipt } = post(url);
  const { isClosed } = await sent;
  await clock.advance(10_000);
  expect(await receipt).toEqual({ status: null, error: message('target.no_answer', { seconds: 10 }) });
  await isClosed;
});
