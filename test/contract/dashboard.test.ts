// Contract: the dashboard's proxy (specification 1 and 5; contract 26), over real sockets.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { array, assert, asyncProperty, constantFrom, stringMatching } from 'fast-check';
import { jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../service/listen.ts';
import { createAllowed } from '../../service/proxy/allowed.ts';
import { createDashboard } from '../../service/proxy/dashboard.ts';
import { createProxyTokens } from '../../service/proxy/tokens.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { createManualClock } from '../harness/manual-clock.ts';

const KEY = 'svc_test_dashboarddashboard1';
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let running: RunningServer;
let dashboard: string;
beforeAll(async () => {
  running = await listen(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 3 },
      time: { start: Date.parse('2026-03-02T14:30:00Z'), speed: 0 },
      file: ':memory:',
    },
    { clock: createClock({ now: Date.now, setTimeout, clearTimeout }), logger: silent, randomBytes },
    { port: 0, key: KEY, dashboardPort: 0 },
  );
  dashboard = running.dashboard ?? '';
});
afterAll(() => running.close());

/** A request to the letter: no header that fetch would add, no path that it would tidy. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const { hostname, port } = new URL(dashboard);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent: false }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a client without a key gets what the backend says, limits included', async () => {
  const answer = await ask('/api/proxy/signal?symbol=SPY');
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ symbol: 'SPY' });
  expect(answer.headers).toMatchObject({ 'x-service-version': 'v1', 'x-ratelimit-limit': '100' });
  expect((await ask('/api/proxy/api/archetypes/current')).status).toBe(200);
  expect((await ask('/api/proxy/')).status).toBe(200);
  const error = await ask('/api/proxy/signal?symbol=NOPE');
  expect([error.status, JSON.parse(error.text).code]).toEqual([404, 'symbol_not_covered']);
});

test("bodies go through, and what was made is the dashboard's", async () => {
  const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook' });
  const json = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const made = await ask('/api/proxy/signals/subscribe', json, 'POST', body);
  expect(made.status).toBe(201);
  const { id } = JSON.parse(made.text);
  const direct = await fetch(`${running.url}/signals/subscriptions/${id}`, { headers: { 'x-api-key': KEY } });
  expect(direct.status).toBe(404);
  expect((await ask(`/api/proxy/signals/subscriptions/${id}`, {}, 'DELETE')).status).toBe(200);
});

test.each([
  '/none',
  '/events/../snapshot',
  '/regime/%2e%2e',
  '/regime/..%2fsnapshot',
  '//snapshot',
  '/snapshot/',
  '/Snapshot',
  '/regime/%E0%A4%A',
  '/regime/%00',
])('%s is not passed on', async (path) => {
  const { status, text } = await ask(`/api/proxy${path}`);
  expect([status, JSON.parse(text).code]).toEqual([
    status === 400 ? 400 : 404,
    status === 400 ? 'invalid_request' : 'not_found',
  ]);
});

test('dots with a blank behind them do not pass: a URL parser would resolve them', () => {
  const allowed = createAllowed('production');
  expect([allowed('/regime/SPY'), allowed('/regime/%2e%2e '), allowed('/regime/.. ')]).toEqual([
    ['GET', 'HEAD'],
    [],
    [],
  ]);
});

test('only paths of the table pass, whatever they are made of', async () => {
  const allowed = createAllowed('production');
  const segment = constantFrom(
    'regime',
    'SPY',
    '..',
    '.',
    '%2e%2e',
    '%2F',
    'history',
    'signals',
    'subscriptions',
    '',
    'sandbox',
    'trigger',
    '\\',
    '%5c',
  );
  await assert(
    asyncProperty(array(segment, { maxLength: 5 }), stringMatching(/^[ -~]{0,8}$/), async (segments, tail) => {
      const path = `/${segments.join('/')}${tail.replaceAll('?', '')}`;
      if (allowed(path).length > 0)
        expect(new URL(path, 'http://backend').pathname.split('/').length).toBe(path.split('/').length);
      if (/sandbox|\.\.|%2f|%5c|\\/i.test(path) && allowed(path).length > 0)
        expect(decodeURIComponent(path)).not.toMatch(/\/\.\.(\/|$)|\\/);
    }),
    { numRuns: 2_000 },
  );
  expect(allowed('/sandbox/trigger')).toEqual([]);
  expect(createAllowed('sandbox')('/sandbox/trigger')).toEqual(['POST']);
});

describe('another page', () => {
  test.each([['cross-site'], ['same-site']])('%s is refused without a session, and passes with one', async (site) => {
    expect((await ask('/api/proxy/snapshot', { 'sec-fetch-site': site })).status).toBe(403);
    const page = await ask('/');
    expect(page.status).toBe(200);
    const [cookie = ''] = page.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^barograph_dashboard_\d+=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/);
    const [session = ''] = cookie.split(';');
    expect((await ask('/api/proxy/snapshot', { 'sec-fetch-site': site, cookie: `a=b; ${session}` })).status).toBe(200);
    expect((await ask('/api/proxy/snapshot', { 'sec-fetch-site': site, cookie: `${session}x` })).status).toBe(403);
  });
  test.each(['same-origin', 'none'])('%s needs none', async (site) => {
    expect((await ask('/api/proxy/snapshot', { 'sec-fetch-site': site })).status).toBe(200);
  });
  test('of another origin or by another name is refused', async () => {
    expect((await ask('/api/proxy/snapshot', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask('/api/proxy/snapshot', { host: 'evil.example' })).status).toBe(403);
    expect((await ask('/api/proxy/snapshot', { origin: dashboard })).status).toBe(200);
  });
});

test('other methods are 405, and no session is a token for the backend', async () => {
  const wrong = await ask('/api/proxy/snapshot', {}, 'DELETE');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
  const [cookie = ''] = (await ask('/')).headers['set-cookie'] ?? [];
  const session = /=([\w.-]+);/.exec(cookie)?.[1] ?? '';
  expect((await fetch(`${running.url}/snapshot`, { headers: { authorization: `Bearer ${session}` } })).status).toBe(
    401,
  );
});

test('the stream comes as it is written, and ends at the backend when the client leaves', async () => {
  const abort = new AbortController();
  const stream = await fetch(`${dashboard}/api/proxy/stream`, { signal: abort.signal });
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  const reader = stream.body?.getReader();
  const read = async (): Promise<string> => Buffer.from((await reader?.read())?.value ?? []).toString();
  let text = await read();
  expect(text).toMatch(/^: connected\n/);
  await fetch(`${running.url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
  });
  while (!text.includes('event: signal.high_risk\n')) text += await read();
  abort.abort();
  // Five streams are the most: all five are free again once the first is gone.
  await expect
    .poll(async () => {
      const more = await Promise.all(Array.from({ length: 5 }, () => fetch(`${dashboard}/api/proxy/stream`)));
      const good = more.filter(({ status }) => status === 200).length;
      await Promise.all(more.map(({ body }) => body?.cancel()));
      return good;
    })
    .toBe(5);
});

describe('what reaches the backend', () => {
  let backend: Server;
  let seen: IncomingMessage | undefined;
  const secret = randomBytes(32);
  const clock = createManualClock();
  const made = () =>
    createDashboard({
      environment: 'production',
      tokens: createProxyTokens(secret, clock),
      logger: silent,
      backend: () => `http://127.0.0.1:${(backend.address() as AddressInfo).port}`,
      admit: () => null,
      cookie: () => 'c',
    });
  beforeAll(async () => {
    backend = createServer((request, answer) => {
      seen = request;
      answer.setHeader('set-cookie', 'theirs=1').end('{}');
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void backend.close());

  test('holds no credential of the client, and a token of a minute at most that changes', async () => {
    const app = made();
    const get = () =>
      app.inject({
        url: '/api/proxy/snapshot?limit=2',
        headers: {
          'x-api-key': 'svc_live_mine',
          authorization: 'Bearer mine',
          cookie: 'c=mine',
          'proxy-authorization': 'x',
          'x-forwarded-for': '1.2.3.4',
          forwarded: 'for=1',
          'last-event-id': 'evt_1',
        },
      });
    await get();
    expect(seen?.url).toBe('/snapshot?limit=2');
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(/mine|1\.2\.3\.4|for=1|proxy-authorization|cookie/i);
    expect(seen?.headers['last-event-id']).toBe('evt_1');
    const tokenOf = (): string => seen?.headers.authorization?.replace('Bearer ', '') ?? '';
    const first = tokenOf();
    const { payload } = await jwtVerify(first, secret, { currentDate: new Date(clock.now()) });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    await clock.advance(20_000);
    await get();
    expect(tokenOf()).not.toBe(first);
    const tokens = createProxyTokens(secret, clock);
    expect(await tokens.holds(first, 'backend')).toBe(true);
    await clock.advance(40_000);
    expect(await tokens.holds(first, 'backend')).toBe(false);
    await app.close();
  });

  test('is signed by nobody else', async () => {
    const tokens = createProxyTokens(secret, clock);
    const at = Math.floor(clock.now() / 1_000);
    const forged = (alg: string, key: Uint8Array, audience: string) =>
      new SignJWT()
        .setProtectedHeader({ alg })
        .setAudience(audience)
        .setIssuedAt(at)
        .setExpirationTime(at + 60)
        .sign(key);
    expect(await tokens.holds(await forged('HS256', secret, 'backend'), 'backend')).toBe(true);
    expect(await tokens.holds(await forged('HS256', randomBytes(32), 'backend'), 'backend')).toBe(false);
    expect(await tokens.holds(await forged('HS512', randomBytes(64), 'backend'), 'backend')).toBe(false);
    expect(await tokens.holds(await tokens.forSession(), 'backend')).toBe(false);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ aud: 'backend', iat: at, exp: at + 60 })).toString('base64url')}.`;
    expect(await tokens.holds(none, 'backend')).toBe(false);
  });

  test('a backend that is gone is 502', async () => {
    const app = made();
    await new Promise((resolve) => backend.close(resolve));
    // Its port is free now; nobody answers there.
    const gone = createDashboard({
      environment: 'production',
      tokens: createProxyTokens(secret, clock),
      logger: silent,
      backend: () => 'http://127.0.0.1:9',
      admit: () => null,
      cookie: () => 'c',
    });
    const answer = await gone.inject({ url: '/api/proxy/snapshot' });
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'BACKEND_UNAVAILABLE']);
    await Promise.all([app.close(), gone.close()]);
  });
});
