// Test: attacks on the loopback server: foreign origins, used tokens, large frames, idle clients.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { LinkedCore } from '../../shared/channels/link.ts';
import { CLOSED } from '../../shared/channels/socket-frames.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { handshakeOf } from '../../test/harness/link.ts';
import { TOKEN_LIFE } from '../host/launch-page.ts';
import { type Loopback, listenLoopback } from './loopback-server.ts';
import { createSessions } from './sessions.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
const calls: string[] = [];
const core: LinkedCore = {
  dispatch: async (name) => {
    calls.push(name);
    return { ok: true, value: {} };
  },
  attach: () => () => undefined,
};
const sessions = createSessions(clock);
let page: string;
let server: Loopback;
const serve = (port: number, by = clock) =>
  listenLoopback({
    port,
    page,
    sessions,
    core: (name) => (name === 'sandbox' ? core : null),
    failures: () => failures,
    clock: by,
  });

let failures: Message[] = [];
beforeAll(async () => {
  page = mkdtempSync(join(tmpdir(), 'barograph-page-'));
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>Barograph</title>');
  writeFileSync(join(page, 'assets', 'main-1.js'), '0');
  writeFileSync(join(page, '.hidden'), 'x');
  server = await serve(0);
});
afterAll(async () => {
  await server.close();
  rmSync(page, { recursive: true });
});

/** Proves the session over an opening socket. @returns the frame that follows */
async function greet(socket: WebSocket, session: string | null): Promise<string> {
  const handshake = handshakeOf(session ?? '', new URL(server.address).host);
  socket.on('open', () => socket.send(handshake.hello));
  const next = (): Promise<string> => new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
  const challenge = await next();
  socket.send(handshake.answer(challenge));
  return next();
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}
/** Sends a request as curl does: any header, any path, without normalisation. */
function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.address);
    const sent = request(
      { hostname, port, path, method: options.method ?? 'GET', headers: options.headers ?? {}, agent: false },
      (got) => {
        let body = '';
        got.on('data', (chunk) => {
          body += chunk;
        });
        got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, body }));
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The outcome of a socket: its close code, or the status that refused it. */
function fate(
  first: string | Buffer | null,
  options: { headers?: Record<string, string>; path?: string; of?: Loopback } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${(options.of ?? server).address.replace('http', 'ws')}${options.path ?? '/link'}`, {
      headers: options.headers ?? {},
    });
    socket.on('unexpected-response', (_request, got) => {
      resolve(got.statusCode ?? 0);
      got.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('open', () => first !== null && socket.send(first));
    socket.on('close', (code) => resolve(code));
  });
}

describe('the page', () => {
  test('says why no profile runs, and looks again by itself', async () => {
    failures = [message('profile.not_opened', { name: 'desk', why: '<the folder>' })];
    const said = await (await fetch(`${server.address}/`)).text();
    failures = [];
    expect(said).toContain('desk cannot be watched. &lt;the folder&gt;');
    expect(said).toContain('http-equiv="refresh"');
    expect(await (await fetch(`${server.address}/`)).text()).not.toContain('desk');
  });

  test('has a policy that allows nothing from elsewhere', async () => {
    const { status, headers, body } = await ask('/');
    expect(status).toBe(200);
    expect(body).toContain('<title>Barograph');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`connect-src 'self' ${server.address.replace('http', 'ws')};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await ask('/assets/main-1.js')).headers['cache-control']).toContain('immutable');
  });

  test.each([
    '/../../etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/x',
    '/assets/..%5c..%5cx',
    '/.hidden',
    '/nothing',
    '/%00',
    '/%',
  ])('nothing outside of the page is served: %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).not.toContain('root:');
  });
});

describe('who may connect', () => {
  test.each(['localhost:PORT', 'attacker.example:PORT', '127.0.0.1', '127.0.0.1:1', '127.0.0.1.:PORT', '[::1]:PORT'])(
    'a request for the host %s is refused, also by socket',
    async (host) => {
      const headers = { host: host.replace('PORT', new URL(server.address).port) };
      expect((await ask('/', { headers })).status).toBe(421);
      expect((await post('/session', { token: sessions.issue('sandbox') }, headers)).status).toBe(421);
      expect(await fate('{}', { headers })).toBe(421);
    },
  );

  test.each([
    'http://attacker.example',
    'null',
    'http://127.0.0.1:1',
    'http://localhost:PORT',
    'https://127.0.0.1:PORT',
    'file://',
  ])('a page of %s is refused, also by socket', async (from) => {
    const headers = { origin: from.replace('PORT', new URL(server.address).port) };
    expect((await ask('/', { headers })).status).toBe(403);
    expect((await post('/session', { token: sessions.issue('sandbox') }, headers)).status).toBe(403);
    expect(await fate('{}', { headers })).toBe(403);
  });

  test('other methods and preflights are not found', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await ask('/session', { method });
      expect(status).toBe(404);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('token and session', () => {
  test('a token is traded once', async () => {
    const token = sessions.issue('sandbox');
    const first = await post('/session', { token });
    expect(first.status).toBe(200);
    expect(JSON.parse(first.body).session).toMatch(/^[\w-]{43}$/);
    expect((await post('/session', { token })).status).toBe(401);
  });

  test('of two exchanges of a token at once, one wins', async () => {
    const token = sessions.issue('sandbox');
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/session', { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a token expires after a minute', () => {
    vi.useFakeTimers();
    const own = createSessions(createClock({ now: Date.now, setTimeout, clearTimeout }));
    const [early, late] = [own.issue('sandbox'), own.issue('sandbox')];
    vi.advanceTimersByTime(TOKEN_LIFE - 1);
    const session = own.trade(early);
    expect(session).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(own.trade(late)).toBeNull();
    vi.advanceTimersByTime(TOKEN_LIFE * 1000);
    expect(own.find(JSON.parse(handshakeOf(session ?? '', '').hello).session)?.profile).toBe('sandbox');
    vi.useRealTimers();
  });

  test('a token is exchanged in JSON alone, and in a small body', async () => {
    const token = sessions.issue('sandbox');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await ask('/session', { method: 'POST', headers: form, body: `token=${token}` })).status).toBe(415);
    expect(
      (
        await ask('/session', {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: JSON.stringify({ token }),
        })
      ).status,
    ).toBe(415);
    expect((await post('/session', { token, more: 1 })).status).toBe(400);
    expect((await post('/session', { token: 'a'.repeat(100_000) })).status).toBe(413);
    expect(
      (await ask('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })).status,
    ).toBe(400);
    expect((await post('/session', { token })).status).toBe(200);
  });

  test('no request makes a token: only the socket for commands does', async () => {
    for (const path of ['/open', '/token', '/sessions', '/session/'])
      expect([path, (await post(path, { profile: 'sandbox' })).status]).toEqual([path, 404]);
    for (const body of [{}, { profile: 'sandbox' }, { token: 'x'.repeat(43), profile: 'sandbox' }])
      expect((await post('/session', body)).status).toBe(400);
    expect((await post('/session', { token: 'x'.repeat(43) })).status).toBe(401);
  });
});

describe('the socket', () => {
  test.each([
    ['text that is no JSON', 'hello'],
    ['no session', '{}'],
    ['a call before the session', '{"id":1,"name":"state.snapshot","payload":{}}'],
    ['an unknown session', handshakeOf('x'.repeat(43), '').hello],
    ['a session itself', JSON.stringify({ session: 'x'.repeat(43) })],
    ['a token', JSON.stringify({ session: 'T' })],
    ['bytes', Buffer.from('{}')],
  ])('a first frame with %s closes it', async (_what, frame) => {
    calls.length = 0;
    const first = typeof frame === 'string' ? frame.replace('"T"', JSON.stringify(sessions.issue('sandbox'))) : frame;
    expect(await fate(first)).toBe(CLOSED.sessionRefused);
    expect(calls).toEqual([]);
  });

  test('a window that names a session and does not prove it gets no core', async () => {
    calls.length = 0;
    const session = sessions.trade(sessions.issue('sandbox')) ?? '';
    const { host } = new URL(server.address);
    const cases: [string, (challenge: string) => string][] = [
      ['nothing', () => '{}'],
      ['a call', () => '{"id":1,"name":"state.snapshot","payload":{}}'],
      ['a proof for another address', (challenge) => handshakeOf(session, '127.0.0.1:1').answer(challenge)],
      ['a proof by another session', (challenge) => handshakeOf('x'.repeat(43), host).answer(challenge)],
      ['the core’s own proof', (challenge) => JSON.stringify({ proof: JSON.parse(challenge).proof })],
      ['a proof for another connection', (challenge) => handshakeOf(session, host).answer(challenge)],
    ];
    for (const [what, second] of cases) {
      const socket = new WebSocket(`${server.address.replace('http', 'ws')}/link`);
      socket.on('open', () => socket.send(handshakeOf(session, host).hello));
      socket.once('message', (data) => socket.send(second(String(data))));
      expect([what, await new Promise((resolve) => socket.on('close', resolve))]).toEqual([
        what,
        CLOSED.sessionRefused,
      ]);
    }
    expect(calls).toEqual([]);
  });

  test('a frame that is too large closes it, and the server survives', async () => {
    const session = sessions.trade(sessions.issue('sandbox'));
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/link`);
    await greet(socket, session);
    socket.send('a'.repeat(5 * 1024 * 1024));
    expect(await new Promise((resolve) => socket.on('close', resolve))).toBe(1009);
    expect((await ask('/')).status).toBe(200);
  });

  test('before a session a frame is cut off after 8 KB', async () => {
    expect(await fate('a'.repeat(16 * 1024))).toBe(1006);
  });

  test('silent connections keep no window out: the oldest is closed', { tags: ['long'] }, async () => {
    const { hostname, port } = new URL(server.address);
    const silent = Array.from({ length: 1_100 }, () => connect(Number(port), hostname).on('error', () => undefined));
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await ask('/')).status).toBe(200);
    const session = sessions.trade(sessions.issue('sandbox'));
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/link`);
    expect(await greet(socket, session)).toBe('{"ready":true}');
    socket.terminate();
    for (const one of silent) one.destroy();
  });

  test('an invalid frame closes it after the earlier calls are answered', async () => {
    const session = sessions.trade(sessions.issue('sandbox'));
    const socket = new WebSocket(`${server.address.replace('http', 'ws')}/link`);
    expect(await greet(socket, session)).toBe('{"ready":true}');
    socket.send('{"id":1,"name":"a","payload":{}}');
    setImmediate(() => socket.send('{"id":"two","name":"b"}'));
    const code = await new Promise((resolve) => socket.on('close', resolve));
    expect(code).toBe(CLOSED.badFrame);
  });

  test('a client that sends nothing is disconnected', async () => {
    // No faster clock than this: the connection is cut at twice the limit, and a busy machine closes slowly.
    const hasty = createClock({ now: Date.now, setTimeout: (job, ms) => setTimeout(job, ms / 10), clearTimeout });
    const own = await serve(0, hasty);
    expect(await fate(null, { of: own })).toBe(CLOSED.tooLate);
    await own.close();
  });

  test('exists at its own path only', async () => {
    expect(await fate('{}', { path: '/' })).toBe(404);
    expect(await fate('{}', { path: '/link2' })).toBe(404);
    expect((await ask('/link')).status).toBe(404);
  });
});

test('a busy port is skipped', async () => {
  const busyPort = Number(new URL(server.address).port);
  const other = await serve(busyPort);
  expect(server.isPreferredPort).toBe(true);
  expect(other.isPreferredPort).toBe(false);
  expect(Number(new URL(other.address).port)).not.toBe(busyPort);
  await other.close();
});

test('closing waits half a second for clients that do not answer', async () => {
  const due: { ms: number; job: () => void }[] = [];
  const held = createClock({
    now: Date.now,
    setTimeout: (job, ms) => due.push({ ms, job }),
    clearTimeout: () => undefined,
  });
  const own = await serve(0, held);
  const { hostname, port } = new URL(own.address);
  const half = connect(Number(port), hostname);
  half.on('error', () => undefined);
  await new Promise((resolve) => half.once('connect', resolve));
  half.write('POST /session HTTP/1.1\r\n');
  const deaf = new WebSocket(`${own.address.replace('http', 'ws')}/link`);
  deaf.on('error', () => undefined);
  await new Promise((resolve) => deaf.once('open', resolve));
  deaf.pause();
  due.splice(0);
  const closing = own.close();
  expect(due.map(({ ms }) => ms)).toEqual([500]);
  due[0]?.job();
  await closing;
  deaf.terminate();
  half.destroy();
});
