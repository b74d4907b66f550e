// Faults: the relay's port against hostile senders: forged, replayed, slow, large, many at once.

import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serviceAt } from '../../main/core/connection/service-source.ts';
import { createSessionVault } from '../../main/core/keys/session-vault.ts';
import { createMonitor, type Monitor } from '../../main/core/monitor.ts';
import type { NotificationRequest } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import type { ListenerHandle } from '../../main/core/relay/server.ts';
import { openRelayServer, type ServerLimits } from '../../main/host/relay-server.ts';
import { RelayViewSchema } from '../../shared/channels/relay.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { createSubscriptionServer, type SubscriptionServer } from '../harness/relay-bench.ts';
import { saying } from '../harness/saying.ts';
import { createWireService, type WireService } from '../harness/wire-service.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
const CONNECTIONS = 64;
const LIMITS: ServerLimits = {
  body: 256 * 1024,
  inboundBody: 16 * 1024,
  request: 20_000,
  checkInterval: 50,
  connections: { unauthenticated: CONNECTIONS, authenticated: 16, deadline: 20_000 },
  answer: 400,
};
/** Limit for slow senders; a busy machine is slow itself. */
const SHORT: ServerLimits = { ...LIMITS, request: 400 };
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let service: WireService;
let subscriptions: SubscriptionServer;
let core: Monitor;
let shown: NotificationRequest[];
let port: number;
let path: string;
let secret: string;

/** Waits for a condition of a real socket. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
const view = () => RelayViewSchema.parse(core.handlers['relay.read']({}));
const reasons = (): string[] => view().refused.map(({ reason }) => reason);

beforeEach(() => begin(LIMITS));
afterEach(() => core.stop());

async function begin(limits: ServerLimits): Promise<void> {
  service = createWireService(clock);
  subscriptions = createSubscriptionServer();
  service.fault = subscriptions.answer;
  shown = [];
  const [profile] = DEFAULT_SETTINGS.profiles;
  if (profile === undefined) throw new Error('no profile');
  let settings: Settings = {
    ...DEFAULT_SETTINGS,
    profiles: [{ ...profile, relay: { on: true, port: 0, publicUrl: null } }],
  };
  core = createMonitor({
    ports: {
      clock,
      random: Math.random,
      fetch: service.fetch,
      vault: createSessionVault(),
      notifier: {
        async show(request) {
          shown.push(request);
          return { tier: 'system', detail: plainMessage('') };
        },
        status: () => ({ tier: 'system', detail: plainMessage('') }),
      },
      logger: quiet,
      settings: {
        read: () => settings,
        change: (job) => {
          settings = job(settings);
        },
      },
      host: { relay: openRelayServer(clock, limits) },
    },
    folder: ':memory:',
    profile: settings.profiles[0] ?? profile,
    source: serviceAt({ baseUrl: service.url, key: service.key }),
    label: plainMessage(''),
  });
  await core.start();
  await until(() => view().registration.state === 'registered');
  const url = new URL(subscriptions.only().url);
  port = Number(url.port);
  path = url.pathname;
  secret = subscriptions.only().secret;
  service.deaf = true;
}

interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}
const sign = (body: string | Buffer, key = secret): string => createHmac('sha256', key).update(body).digest('hex');

/** One request on a connection of its own. Status 0: cut off without an answer. */
function send({
  method = 'POST',
  path: to = path,
  headers = {},
  body = '',
}: TestRequest): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: to,
        agent: false,
        headers: { 'content-type': 'application/json', 'x-service-signature': sign(body), ...headers },
      },
      (answer: IncomingMessage) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, body: text }));
      },
    );
    outgoing.on('error', () => resolve({ status: 0, body: '' }));
    outgoing.end(body);
  });
}
/** Afterwards the relay still accepts a valid delivery, and notifies it once. */
async function stillWell(): Promise<void> {
  const event = service.emit('SPY', 2);
  const body = JSON.stringify(event);
  // A delivery cut off on a busy machine is sent again, as the service does.
  for (let answer = await send({ body }); answer.status !== 200; answer = await send({ body }))
    expect([0, 408]).toContain(answer.status);
  await until(() => shown.length > 0);
  expect(shown.map(({ id }) => id)).toEqual([`barograph:${event.event_id}`]);
}

test.each<[string, (good: string) => TestRequest, number, string]>([
  ['another Host', () => ({ headers: { host: 'signals.example' } }), 421, 'wrong_host'],
  ['localhost by name', () => ({ headers: { host: `localhost:${port}` } }), 421, 'wrong_host'],
  [
    'a name that was rebound to this computer',
    () => ({ headers: { host: `127.0.0.1.rebind.example:${port}` } }),
    421,
    'wrong_host',
  ],
  ['another port in Host', () => ({ headers: { host: '127.0.0.1:1' } }), 421, 'wrong_host'],
  ['a page of another site', () => ({ headers: { origin: 'https://evil.example' } }), 403, 'has_origin'],
  ['a page of this computer', () => ({ headers: { origin: `http://127.0.0.1:${port}` } }), 403, 'has_origin'],
  ['a sandboxed frame', () => ({ headers: { origin: 'null' } }), 403, 'has_origin'],
  ['a browser without Origin', () => ({ headers: { 'sec-fetch-site': 'cross-site' } }), 403, 'has_origin'],
  ['the root', () => ({ path: '/' }), 404, 'wrong_path'],
  ['a guessed path', () => ({ path: `/in/${randomBytes(24).toString('base64url')}` }), 404, 'wrong_path'],
  ['the path and more', () => ({ path: `${path}/` }), 404, 'wrong_path'],
  ['the path and a query', () => ({ path: `${path}?x=1` }), 404, 'wrong_path'],
  ['the path, escaped', () => ({ path: path.replace('/in/', '/%69n/') }), 404, 'wrong_path'],
  ['a path that is badly escaped', () => ({ path: '/%zz' }), 404, 'wrong_path'],
  ['GET', () => ({ method: 'GET' }), 405, 'wrong_method'],
  ['PUT', () => ({ method: 'PUT' }), 405, 'wrong_method'],
  ['OPTIONS, as a page asks before', () => ({ method: 'OPTIONS' }), 405, 'wrong_method'],
  [
    'a form',
    (good) => ({ body: good, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    415,
    'wrong_type',
  ],
  ['plain text', (good) => ({ body: good, headers: { 'content-type': 'text/plain' } }), 415, 'wrong_type'],
  ['no signature', (good) => ({ body: good, headers: { 'x-service-signature': '' } }), 401, 'unreadable_signature'],
  [
    'a signature by nobody',
    (good) => ({ body: good, headers: { 'x-service-signature': sign(good, 'x') } }),
    401,
    'wrong_signature',
  ],
  [
    'a signature with an empty key',
    (good) => ({ body: good, headers: { 'x-service-signature': sign(good, '') } }),
    401,
    'wrong_signature',
  ],
  [
    'one byte more than was signed',
    (good) => ({ body: `${good} `, headers: { 'x-service-signature': sign(good) } }),
    401,
    'wrong_signature',
  ],
  [
    'nothing at all, signed for something',
    (good) => ({ headers: { 'x-service-signature': sign(good) } }),
    401,
    'wrong_signature',
  ],
  ['10 MB', () => ({ body: Buffer.alloc(10 * 1024 * 1024, 32) }), 413, 'too_large'],
])('%s is refused, and says why', async (_, make, status, reason) => {
  const forged = JSON.stringify({ ...service.emit('QQQ', 2), event_id: 'evt_forged' });
  service.log.pop();
  const answer = await send(make(forged));
  // The relay cuts off a body that is too large while it is sent; its answer may be lost.
  if (status === 413) expect([0, 413]).toContain(answer.status);
  else expect(answer.status).toBe(status);
  await until(() => reasons().includes(reason));
  expect(reasons()).toEqual([reason]);
  const said = answer.body + JSON.stringify(view());
  expect(said).not.toContain(secret);
  expect(said).not.toContain(path);
  await stillWell();
});

const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });

describe('slow senders', () => {
  beforeEach(async () => {
    await core.stop();
    await begin(SHORT);
  });

  test.each([
    ['says nothing', () => ''],
    ['stops in its first line', () => `POST ${path} HT`],
    ['stops in its headers', () => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-A: `],
    [
      'stops in its body',
      () =>
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a`,
    ],
    [
      'says it in chunks and never ends',
      () =>
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    ],
  ])('a sender that %s is cut off, and others are answered meanwhile', async (_, text) => {
    const slow = raw(text());
    await stillWell();
    await slow;
  });

  test('so many that no other gets in: they are cut off, then the others are answered', async () => {
    const sockets: Socket[] = [];
    const closed: Promise<void>[] = [];
    for (let count = 0; count < CONNECTIONS + 20; count += 1) {
      const socket = connect(port, '127.0.0.1', () => socket.write(`POST ${path} HTTP/1.1\r\nX-A: `));
      socket.on('error', () => undefined);
      // An unread response never ends.
      socket.resume();
      closed.push(new Promise((resolve) => void socket.on('close', () => resolve())));
      sockets.push(socket);
    }
    await Promise.all(closed);
    await stillWell();
  });
});

test('idle connections keep no signed delivery out, while they stay open', async () => {
  const idle = Array.from({ length: CONNECTIONS + 6 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  await stillWell();
  for (const socket of idle) socket.destroy();
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['headers without end', `POST / HTTP/1.1\r\n${'X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(2_000)}`],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no Host', 'POST / HTTP/1.1\r\n\r\n'],
])('%s is refused', async (_, text) => {
  expect(await raw(text)).toMatch(/^HTTP\/1\.1 4\d\d |^$/);
  await stillWell();
});

test('a delivery that was recorded and is sent again, at once sixty times and later, is notified once', async () => {
  const event = service.emit('SPY', 2);
  const body = JSON.stringify(event);
  const answers = await Promise.all(Array.from({ length: 60 }, () => send({ body })));
  const statuses = answers.map((answer) => JSON.parse(answer.body).status);
  expect(statuses.filter((status) => status === 'stored')).toHaveLength(1);
  expect(statuses.filter((status) => status === 'known')).toHaveLength(59);
  await until(() => shown.length > 0);
  expect(await send({ body, headers: { 'webhook-id': 'evt_another', 'webhook-timestamp': '1' } })).toMatchObject({
    status: 200,
  });
  expect(shown).toHaveLength(1);
});

test('a delivery counts although its sender hangs up before the answer, and no other is refused', async () => {
  const event = service.emit('SPY', 2);
  const body = JSON.stringify(event);
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
  const socket = connect(port, '127.0.0.1', () => {
    socket.end(
      `${head}X-Service-Signature: ${sign(body)}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    socket.destroySoon();
  });
  socket.on('error', () => undefined);
  await until(() => shown.length > 0);
  expect(shown.map(({ id }) => id)).toEqual([`barograph:${event.event_id}`]);
  expect(reasons()).toEqual([]);
});

describe('the server itself', () => {
  let open: ListenerHandle[] = [];
  let servers: Server[] = [];
  const server = openRelayServer(clock, LIMITS);
  const listen = async (port: number): Promise<ListenerHandle> => {
    const listening = await server.listen({
      port: port,
      paths: () => ['/in'],
      hosts: () => ['tunnel.example'],
      receive: async () => ({ status: 200, body: {} }),
      refused: () => undefined,
    });
    open.push(listening);
    return listening;
  };
  const serve = async (answer: (text: string) => [number, Record<string, string>] | null): Promise<string> => {
    const server = createServer((incoming, outgoing) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => {
        const said = answer(text);
        if (said !== null) outgoing.writeHead(...said).end('x'.repeat(1_000_000));
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };
  afterEach(async () => {
    for (const listening of open) await listening.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    open = [];
    servers = [];
  });

  test('a busy port is skipped for the next free one, and reported', async () => {
    const first = await listen(0);
    const second = await listen(first.port);
    expect([first.isConfiguredPort, second.isConfiguredPort]).toEqual([true, false]);
    expect(second.port).not.toBe(first.port);
  });

  test('the server of the relay listens on this computer alone', async () => {
    const { port: own } = await listen(0);
    const elsewhere = await new Promise<string>((resolve) => {
      const socket = connect(own, '127.0.0.2', () => resolve('open'));
      socket.on('error', ({ message }) => resolve(message));
    });
    expect(elsewhere).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|EHOSTUNREACH/);
  });

  test('forwarded bytes arrive unchanged, at checked addresses only, and redirects are not followed', async () => {
    const received: string[] = [];
    const take = await serve((text) => {
      received.push(text);
      return [204, {}];
    });
    const post = (url: string, allowPublic = false) =>
      server.post({ url, headers: { 'x-a': '1' }, body: '{ "ü": 1 }', allowPublic });
    expect(await post(take)).toEqual({ status: 204, error: null });
    expect(await post(take.replace('127.0.0.1', 'localhost'))).toEqual({ status: 204, error: null });
    expect(received).toEqual(['{ "ü": 1 }', '{ "ü": 1 }']);
    expect(await post(await serve(() => [302, { location: take }]))).toMatchObject({
      status: 302,
      error: saying(/redirect/),
    });
    expect(await post(await serve(() => [500, {}]))).toMatchObject({ status: 500 });
    expect(await post(await serve(() => null))).toMatchObject({
      status: null,
      error: saying(/no answer within/),
    });
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ status: null });
    expect(received).toHaveLength(2);
  });
});
