// Service, webhooks, test: one HTTP request to a subscriber.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { createPost, HEADERS_LIMIT_MS, type Receipt } from './post.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

const receiver = (answer: RequestListener): Promise<number> => listening(createServer(answer));

/** The real time, but with limits that expire only on request. */
function handClock() {
  const waiting: { ms: number; job: () => void }[] = [];
  const clock = createClock({
    now: () => Date.now(),
    setTimeout: (job, ms) => {
      const entry = { ms, job };
      waiting.push(entry);
      return entry;
    },
    clearTimeout: (entry) => {
      const index = waiting.indexOf(entry);
      if (index !== -1) waiting.splice(index, 1);
    },
  });
  return { clock, waiting };
}

const names = (addresses: Record<string, string[]>) => async (name: string) => addresses[name] ?? [];

function poster(resolve = names({})) {
  const { clock, waiting } = handClock();
  const post = createPost({ clock, allowLoopback: true, resolve });
  const send = (url: string, body = '{"a":1}', signal = new AbortController().signal): Promise<Receipt> =>
    post({ url, body, signal, headers: { 'x-test': '1' } });
  return { send, waiting };
}

test('the body arrives unchanged byte by byte, and 2xx is a success', async () => {
  const arrived: { body: string; type: string | undefined; length: string | undefined; extra: unknown }[] = [];
  const port = await receiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'content-type': type, 'content-length': length, 'x-test': extra } = request.headers;
      arrived.push({ body: Buffer.concat(chunks).toString('utf8'), type, length, extra });
      response.writeHead(202).end('thanks');
    });
  });
  const { send, waiting } = poster();
  const body = '{"note":"Straße – 株価 📉"}';
  expect(await send(`http://127.0.0.1:${port}/`, body)).toMatchObject({ status: 202, error: null, response: 'thanks' });
  expect(arrived).toEqual([
    { body, type: 'application/json; charset=utf-8', length: String(Buffer.byteLength(body)), extra: '1' },
  ]);
  expect(waiting).toEqual([]);
});

test('a redirect is a failure and is not followed', async () => {
  let visits = 0;
  const elsewhere = await receiver((_, response) => {
    visits += 1;
    response.end();
  });
  const port = await receiver((_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end(),
  );
  const { send } = poster();
  expect(await send(`http://localhost:${port}/`)).toMatchObject({
    status: 307,
    error: 'answered 307; redirects are not followed',
  });
  expect(visits).toBe(0);
});

test('the limit of ten seconds covers the status line and headers', async () => {
  const port = await receiver(() => undefined);
  const { send, waiting } = poster();
  const sent = send(`http://127.0.0.1:${port}/`);
  expect(waiting.map(({ ms }) => ms)).toEqual([HEADERS_LIMIT_MS]);
  waiting[0]?.job();
  expect(await sent).toMatchObject({ status: null, error: 'no answer within 10 s' });
});

test('the limit also covers a name that does not resolve', async () => {
  const { send, waiting } = poster(() => new Promise(() => undefined));
  const sent = send('https://slow.example.com/');
  waiting[0]?.job();
  expect(await sent).toMatchObject({ status: null, error: 'no answer within 10 s' });
});

test('at most 64 KB of an endless body are read, and the status decides', async () => {
  let cut = false;
  const port = await receiver((_, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    response.on('close', () => {
      cut = true;
    });
    more();
  });
  const { send } = poster();
  const { status, error, response } = await send(`http://127.0.0.1:${port}/`);
  expect({ status, error, length: response?.length }).toEqual({ status: 200, error: null, length: 1_024 });
  await expect.poll(() => cut).toBe(true);
});

test('a stalled body does not delay the result', async () => {
  const port = await receiver((_, response) => void response.writeHead(200).write('begun'));
  const { send, waiting } = poster();
  const sent = send(`http://127.0.0.1:${port}/`);
  await expect.poll(() => waiting.map(({ ms }) => ms)).toEqual([5_000]);
  waiting[0]?.job();
  expect(await sent).toMatchObject({ status: 200, error: null, response: 'begun' });
});

test('a peer without HTTP, a closed connection and a refused one are failures with a reason', async () => {
  const { send } = poster();
  const garbage = await listening(createTcpServer((socket) => void socket.end('no such protocol\r\n\r\n')));
  const closer = await listening(createTcpServer((socket) => void socket.destroy()));
  for (const port of [garbage, closer]) {
    const receipt = await send(`http://127.0.0.1:${port}/`);
    expect(receipt.status).toBeNull();
    expect(receipt.error).toBeTruthy();
  }
  const gone = createServer();
  const port = await listening(gone);
  await new Promise((resolve) => gone.close(resolve));
  expect((await send(`http://127.0.0.1:${port}/`)).error).toContain('ECONNREFUSED');
});

test('an answer that switches protocols is a failure, and its connection ends', async () => {
  let ended = false;
  const port = await listening(
    createTcpServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
      socket.on('error', () => undefined);
      socket.on('close', () => {
        ended = true;
      });
    }),
  );
  const { send, waiting } = poster();
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'answered 101' });
  expect(waiting).toEqual([]);
  await expect.poll(() => ended).toBe(true);
});

test('a name that now points to a private address is refused at the time of sending, whatever it pointed to before', async () => {
  const answers = [['93.184.216.34'], ['10.0.0.1']];
  const { send } = poster(async () => answers.pop() ?? []);
  expect(await send('https://hooks.example.com/')).toMatchObject({
    status: null,
    error: 'hooks.example.com points to 10.0.0.1, an address of a private or reserved network',
  });
  expect(answers).toHaveLength(1);
});

test('a request can be aborted', async () => {
  const port = await receiver(() => undefined);
  const abort = new AbortController();
  const { send, waiting } = poster();
  const sent = send(`http://127.0.0.1:${port}/`, '{}', abort.signal);
  abort.abort(new Error('stopped'));
  expect(await sent).toMatchObject({ status: null, error: 'stopped' });
  expect(waiting).toEqual([]);
});
