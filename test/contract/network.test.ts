// Contract: the service beyond loopback, over real sockets: TLS, names, proxies, the end.
import { randomBytes } from 'node:crypto';
import { request as askPlainly, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as askByTls } from 'node:https';
import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readDashboardAddress } from '../../client/dashboard.ts';
import { type ListenOptions, listen, type RunningServer } from '../../service/listen.ts';
import { whyNotProxied } from '../../service/network/admission.ts';
import type { TlsPair } from '../../service/network/tls.ts';
import { type ProxyTrust, parseTrustedProxies } from '../../service/network/trusted-proxies.ts';
import { newCertificate, writeCertificate } from '../harness/certificate.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const KEY = 'svc_test_networknetworknet01';
const START = Date.parse('2026-03-02T14:30:00Z');

let first: TlsPair;
let second: TlsPair;
let folder: TemporaryFolder;
beforeAll(async () => {
  [first, second] = await Promise.all([newCertificate(), newCertificate()]);
  folder = temporaryFolder();
});
const servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => folder.remove());

interface Rig {
  readonly server: RunningServer;
  readonly clock: ManualClock;
  readonly complaints: string[];
}

async function start(options: Omit<ListenOptions, 'port' | 'key'>, webhooks: object = {}): Promise<Rig> {
  const clock = createManualClock(START);
  const complaints: string[] = [];
  const complain = (fields: object, message: string): void =>
    void complaints.push(`${message} ${JSON.stringify(fields)}`);
  const server = await listen(
    { world: { kind: 'sandbox', seed: 7, symbols: 1 }, time: { start: START, speed: 0 }, file: ':memory:' },
    {
      clock,
      logger: { debug: () => undefined, info: () => undefined, warn: complain, error: complain },
      randomBytes,
      webhooks: { allowLoopback: true, ...webhooks },
    },
    { port: 0, key: KEY, ...options },
  );
  servers.push(server);
  return { server, clock, complaints };
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One request on a connection of its own; a stream ends when the server ends it. */
function ask(url: string, options: RequestOptions & { ca?: string } = {}, body?: string): Promise<Reply> {
  const { ca, ...plain } = options;
  const read = (resolve: (reply: Reply) => void, reject: (error: Error) => void) => async (answer: IncomingMessage) => {
    try {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    } catch (error) {
      reject(error as Error);
    }
  };
  return new Promise((resolve, reject) => {
    const sent = url.startsWith('https:')
      ? askByTls(
          url,
          { agent: false, servername: 'desk.example', ...plain, ...(ca === undefined ? {} : { ca }) },
          read(resolve, reject),
        )
      : askPlainly(url, { agent: false, ...plain }, read(resolve, reject));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An open stream: what arrived so far, and its end. */
async function openStream(url: string, ca?: string): Promise<{ text(): string; readonly end: Promise<void> }> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const options = { agent: false, headers: { 'x-api-key': KEY }, ...(ca === undefined ? {} : { ca }) };
  (url.startsWith('https:') ? askByTls : askPlainly)(`${url}/stream`, options, resolve).end();
  const answer = await promise;
  answer.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  return { text: () => text, end: new Promise((ended) => answer.on('close', () => ended())) };
}

const trigger = (url: string, ca?: string): Promise<Reply> =>
  ask(
    `${url}/sandbox/trigger`,
    {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(ca === undefined ? {} : { ca }),
    },
    JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
  );

const trusting = (text: string): ProxyTrust => {
  const parsed = parseTrustedProxies(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};

describe('with TLS', () => {
  test('the service answers by its certificate, to its own address and to the names it was given, and to no other', async () => {
    const tls = writeCertificate(folder.path, first);
    const { server } = await start({
      network: { host: '0.0.0.0', tls, allowedHosts: ['desk.example', 'other.example:9000'] },
    });
    const { port } = new URL(server.url);
    expect(server.url).toBe(`https://127.0.0.1:${port}`);
    const called = async (host: string, headers: Record<string, string> = {}): Promise<number> =>
      (await ask(`${server.url}/health/ready`, { ca: first.cert, headers: { host, ...headers } })).status;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      'desk.example',
      `Desk.Example:${port}`,
      'other.example:9000',
    ])
      expect(await called(host), host).toBe(200);
    for (const host of ['evil.example', 'desk.example.evil', 'other.example', '127.0.0.1', `10.0.0.1:${port}`])
      expect(await called(host), host).toBe(403);
    expect(await called('desk.example', { origin: 'https://desk.example' })).toBe(200);
    for (const origin of ['https://evil.example', 'http://desk.example', `http://127.0.0.1:${port}`, 'null'])
      expect(await called('desk.example', { origin }), origin).toBe(403);
    const refused = await ask(`${server.url}/health`, { ca: first.cert, headers: { host: 'evil.example' } });
    expect(JSON.parse(refused.text).message).toContain('--allowed-host');
    await expect(ask(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
    await expect(ask(`${server.url}/health`, { ca: second.cert })).rejects.toThrow(/certificate/);
  });

  test('a new pair of files is used for the next connections, and ends none', async () => {
    const tls = writeCertificate(folder.path, first);
    const { server, clock } = await start({ network: { tls } });
    const stream = await openStream(server.url, first.cert);
    writeCertificate(folder.path, second);
    await clock.advance(2_000);
    expect((await trigger(server.url, second.cert)).status).toBe(200);
    await expect.poll(stream.text).toContain('signal.high_risk');
    await expect(ask(`${server.url}/health`, { ca: first.cert })).rejects.toThrow(/certificate/);
  });

  test.each([
    ['half a pair', () => ({ cert: second.cert, key: first.key }), 'is not that of the certificate'],
    ['no certificate', () => ({ cert: 'nonsense', key: first.key }), 'holds no certificate'],
    ['no key', () => ({ cert: first.cert, key: '' }), 'holds no private key'],
  ])('%s changes nothing, is logged once, and is mended by the next pair', async (_what, bad, problem) => {
    const tls = writeCertificate(folder.path, first);
    const { server, clock, complaints } = await start({ network: { tls } });
    writeCertificate(folder.path, bad());
    await clock.advance(20_000);
    expect((await ask(`${server.url}/health`, { ca: first.cert })).status).toBe(200);
    expect(complaints.filter((line) => line.includes('certificate cannot be renewed'))).toHaveLength(1);
    expect(complaints.join()).toContain(problem);
    expect(complaints.join()).not.toContain('PRIVATE KEY');
    writeCertificate(folder.path, second);
    await clock.advance(2_000);
    expect((await ask(`${server.url}/health`, { ca: second.cert })).status).toBe(200);
  });

  test('silent connections end at their deadline, before and after the handshake; an open stream does not', {
    tags: ['long'],
  }, async () => {
    const tls = writeCertificate(folder.path, first);
    const { server, clock } = await start({ network: { tls } });
    const stream = await openStream(server.url, first.cert);
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => silent.on('close', () => resolve()));
    silent.on('error', () => undefined);
    await new Promise((resolve) => silent.on('connect', resolve));
    // A request on another connection is answered after the first one was accepted.
    await ask(`${server.url}/health`, { ca: first.cert });
    await clock.advance(10_000);
    await closed;
    await clock.advance(20_000);
    await expect.poll(stream.text).toContain('heartbeat');
  });

  test('the dashboard reaches it by its own certificate, also after a renewal', { tags: ['long'] }, async () => {
    const tls = writeCertificate(folder.path, first);
    const { server, clock } = await start({ network: { tls }, dashboard: { port: 0 } });
    const { dashboard = '', token } = readDashboardAddress(server.dashboardLink ?? '') ?? {};
    const json = { 'content-type': 'application/json' };
    const traded = await ask(`${dashboard}/session`, { method: 'POST', headers: json }, JSON.stringify({ token }));
    const headers = { authorization: `Bearer ${JSON.parse(traded.text).session}` };
    expect((await ask(`${dashboard}/api/proxy/snapshot`, { headers })).status).toBe(200);
    writeCertificate(folder.path, second);
    await clock.advance(2_000);
    expect((await ask(`${dashboard}/api/proxy/snapshot`, { headers })).status).toBe(200);
  });
});

describe('behind a proxy', () => {
  const left = (reply: Reply): number => Number(reply.headers['x-ratelimit-remaining']);

  test('a client is who the trusted proxy names, and nobody else may name one', { tags: ['long'] }, async () => {
    const from = (url: string, client: string): Promise<Reply> =>
      ask(`${url}/health`, { headers: { 'x-forwarded-for': client } });
    const { server: trusted } = await start({ network: { trusts: trusting('127.0.0.1') } });
    const full = left(await from(trusted.url, '203.0.113.1'));
    expect(left(await from(trusted.url, '203.0.113.2'))).toBe(full);
    // What the client wrote itself is before the address that the proxy added.
    expect(left(await from(trusted.url, '198.51.100.9, 203.0.113.1'))).toBe(full - 1);
    const { server: direct } = await start({ network: { trusts: trusting('10.0.0.1') } });
    const count = left(await from(direct.url, '203.0.113.1'));
    expect(left(await from(direct.url, '203.0.113.2'))).toBe(count - 1);
  });

  test('plain http is answered to the proxy and to this computer alone', () => {
    const trusts = trusting('10.0.0.0/24');
    const why = (remoteAddress: string, localAddress: string): string | null =>
      whyNotProxied({ socket: { remoteAddress, localAddress } } as FastifyRequest, trusts);
    for (const [remote, local] of [
      ['10.0.0.7', '10.0.0.1'],
      ['::ffff:10.0.0.7', '::ffff:10.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
      ['192.0.2.1', '192.0.2.1'],
    ] as const)
      expect(why(remote, local), remote).toBeNull();
    for (const remote of ['10.0.1.7', '203.0.113.1', '2001:db8::1']) expect(why(remote, '10.0.0.1')).toMatch(/proxy/);
  });

  test('plain http for other computers is refused without one', async () => {
    await expect(start({ network: { host: '0.0.0.0' } })).rejects.toThrow(/--tls-cert .*--trusted-proxy/);
  });
});

describe('the end', () => {
  interface Flight {
    readonly id: string;
    readonly settle: () => void;
  }
  /** A receiver that answers when the test says so. */
  async function withReceiver(): Promise<Rig & { readonly flights: Flight[]; readonly subscription: string }> {
    const flights: Flight[] = [];
    const post = ({ headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) =>
      new Promise((resolve) => {
        const answered = { status: 204, error: null, latencyMs: 1, response: null };
        flights.push({ id: headers['webhook-id'] ?? '', settle: () => resolve(answered) });
        signal.addEventListener('abort', () => resolve({ ...answered, status: null, error: 'aborted' }));
      });
    const rig = await start({}, { post });
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook', events: ['signal.high_risk'] });
    const made = await ask(`${rig.server.url}/signals/subscribe`, { method: 'POST', headers }, body);
    return { ...rig, flights, subscription: JSON.parse(made.text).id };
  }

  test('a drain: not ready, streams told to reconnect, no delivery begun, those in flight written down, then the end', async () => {
    const { server, clock, flights, subscription } = await withReceiver();
    const { url } = server;
    await trigger(url);
    await clock.until(() => flights.length === 1);
    const stream = await openStream(url);
    let ended = false;
    const drained = server.drain(60_000).then(() => {
      ended = true;
    });
    await stream.end;
    expect(stream.text()).toMatch(/retry: [1-5]\d{3}\n\n: the service is stopping; reconnect with Last-Event-ID\n\n$/);
    const headers = { 'x-api-key': KEY };
    const ready = await ask(`${url}/health/ready`);
    expect([ready.status, ready.headers['retry-after'], ready.headers.connection]).toEqual([503, '5', 'close']);
    expect((await ask(`${url}/health/live`)).status).toBe(200);
    expect((await ask(`${url}/stream`, { headers })).status).toBe(503);
    // A balancer may not have noticed yet: what is asked meanwhile is answered.
    expect((await trigger(url)).status).toBe(200);
    await clock.advance(5_000);
    expect([flights.length, ended]).toEqual([1, false]);
    const before = JSON.parse((await ask(`${url}/signals/subscriptions/${subscription}/deliveries`, { headers })).text);
    expect(before.data.at(-1)).toMatchObject({ status: 'pending', event_id: flights[0]?.id });
    flights[0]?.settle();
    await clock.until(() => ended);
    await drained;
    await expect(ask(`${url}/health/live`)).rejects.toThrow();
    expect(flights).toHaveLength(1);
  });

  test('a drain ends in time, whatever does not answer', { tags: ['long'] }, async () => {
    const { server, clock, flights } = await withReceiver();
    await trigger(server.url);
    await clock.until(() => flights.length === 1);
    let ended = false;
    const drained = server.drain(4_000).then(() => {
      ended = true;
    });
    await clock.advance(3_900);
    expect(ended).toBe(false);
    await clock.advance(200);
    await drained;
    expect(ended).toBe(true);
  });
});
