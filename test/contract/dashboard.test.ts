// Contract: the dashboard's proxy (specification 1 and 5; contract 26), over real sockets.
import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectSocket, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, stringMatching } from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { readDashboardAddress, signIn } from '../../client/dashboard.ts';
import { connect } from '../../client/index.ts';
import { dashboardCheck } from '../../conformance/dashboard-check.ts';
import { openKeyService } from '../../service/accounts/key-service.ts';
import { type DashboardOptions, listen, type RunningServer } from '../../service/listen.ts';
import { createAllowed } from '../../service/proxy/allowed.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { DASHBOARD_SCOPES } from '../../shared/wire/dashboard.ts';

const KEY = 'svc_test_dashboarddashboard1';
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
let running: RunningServer;
let dashboard: string;
let session: string;
beforeAll(async () => {
  running = await listen(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 3 },
      time: { start: Date.parse('2026-03-02T14:30:00Z'), speed: 0 },
      file: ':memory:',
    },
    { clock: createClock({ now: Date.now, setTimeout, clearTimeout }), logger: silent, randomBytes },
    { port: 0, key: KEY, publicUrl: 'https://risk.example', dashboard: { port: 0 } },
  );
  dashboard = running.dashboard ?? '';
  session = await traded(running.dashboardLink ?? '');
});
afterAll(() => running.close());
// Services that other tests start in this process delay it, and it refuses requests until it has caught up.
const readiness = async (): Promise<number> => (await fetch(`${running.url}/health/ready`)).status;
beforeEach(() => expect.poll(readiness, { timeout: 9_000 }).toBe(200));

/** Another service with a dashboard. */
const start = (
  options: DashboardOptions,
  { publicUrl, file = ':memory:' }: { publicUrl?: string; file?: string } = {},
): Promise<RunningServer> =>
  listen(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 1 },
      time: { start: Date.parse('2026-03-02T14:30:00Z'), speed: 0 },
      file,
    },
    { clock: createClock({ now: Date.now, setTimeout, clearTimeout }), logger: silent, randomBytes },
    { port: 0, key: KEY, dashboard: options, ...(publicUrl === undefined ? {} : { publicUrl }) },
  );

/** A session from a one-time link. */
async function traded(link: string): Promise<string> {
  const { dashboard: at = '', token } = readDashboardAddress(link) ?? {};
  const answer = await fetch(`${at}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return (await answer.json()).session ?? '';
}
/** Another link, from a key. */
async function linkBy(key: string | null, scopes?: readonly string[], base = dashboard) {
  const answer = await fetch(`${base}/link`, {
    method: 'POST',
    headers: { ...(key === null ? {} : { 'x-api-key': key }), 'content-type': 'application/json' },
    body: JSON.stringify(scopes === undefined ? {} : { scopes }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A request with a session. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
  askPlain(path, { authorization: `Bearer ${session}`, ...headers }, method, body);

/** A request to the letter: no header that fetch would add, no path that it would tidy. */
function askPlain(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string,
  base = dashboard,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
  const { hostname, port } = new URL(base);
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

test('a client without a key gets the answers of the backend, limits included', async () => {
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
  // The proof is of the service's own address: through the dashboard anybody could pass the question on.
  `/proof?key=key_0123456789ab&nonce=${'0'.repeat(64)}&origin=http://127.0.0.1:8787`,
])('%s is not passed on', async (path) => {
  const { status, text } = await ask(`/api/proxy${path}`);
  expect([status, JSON.parse(text).code]).toEqual([
    status === 400 ? 400 : 404,
    status === 400 ? 'invalid_request' : 'not_found',
  ]);
});

test('dots with a blank or # behind them do not pass: a URL parser would resolve them', () => {
  const allowed = createAllowed('production');
  expect([...allowed('/regime/SPY').keys()]).toEqual(['GET', 'HEAD']);
  for (const path of ['/regime/%2e%2e ', '/regime/.. ', '/regime/%2e%2e#', '/regime/..#x', '/regime/SPY#'])
    expect([path, allowed(path).size]).toEqual([path, 0]);
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
      if (allowed(path).size > 0)
        expect(new URL(path, 'http://backend').pathname.split('/').length).toBe(path.split('/').length);
      if (/sandbox|\.\.|%2f|%5c|\\/i.test(path) && allowed(path).size > 0)
        expect(decodeURIComponent(path)).not.toMatch(/\/\.\.(\/|$)|\\/);
    }),
    { numRuns: 2_000 },
  );
  expect(allowed('/sandbox/trigger').size).toBe(0);
  expect(createAllowed('sandbox')('/sandbox/trigger').get('POST')?.scope).toBe('trigger');
});

describe('without a session', () => {
  test('nothing is answered but the page that says how to sign in', async () => {
    for (const [path, method] of [
      ['/api/proxy/snapshot', 'GET'],
      ['/api/proxy/stream', 'GET'],
      ['/api/proxy/nothing', 'GET'],
      ['/api/proxy/proof', 'GET'],
      ['/api/proxy/sandbox/trigger', 'POST'],
      ['/api/proxy/signals/subscribe', 'POST'],
    ] as const) {
      const { status, text } = await askPlain(path, {}, method);
      expect([path, status, JSON.parse(text).code]).toEqual([path, 401, 'unauthorized']);
    }
    // What needs no key at the service needs no session here.
    for (const path of ['/api/proxy/health', '/api/proxy/', '/api/proxy/openapi.json'])
      expect([path, (await askPlain(path)).status]).toEqual([path, 200]);
    const page = await askPlain('/');
    expect([page.status, page.headers['set-cookie']]).toEqual([200, undefined]);
    expect(page.text).toContain('not signed in');
    expect(page.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-service-version': 'v1' });
  });

  test('an error made here has rate headers, a request id, and a doc_url that is public', async () => {
    const { headers, text } = await askPlain('/api/proxy/snapshot');
    expect(headers).toMatchObject({
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-request-id': expect.stringMatching(/^req_/),
      'x-service-version': 'v1',
    });
    expect(JSON.parse(text).doc_url).toBe('https://risk.example/docs#unauthorized');
  });
});

describe('a one-time link', () => {
  test('begins one session, as a cookie too, and then no other', async () => {
    const { body } = await linkBy(KEY);
    const token = readDashboardAddress(body.link)?.token;
    const trade = () => askPlain('/session', { 'content-type': 'application/json' }, 'POST', JSON.stringify({ token }));
    const { status, headers, text } = await trade();
    expect(status).toBe(200);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^barograph_dashboard_\d+=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    expect(cookie).toContain(JSON.parse(text).session);
    expect((await trade()).status).toBe(401);
    const own = { cookie: `a=b; ${cookie.split(';')[0]}` };
    expect((await askPlain('/api/proxy/snapshot', own)).status).toBe(200);
    expect((await askPlain('/', own)).text).toContain('signed in for: read, trigger, subscriptions');
    expect((await askPlain('/session', own, 'DELETE')).status).toBe(200);
    expect((await askPlain('/api/proxy/snapshot', own)).status).toBe(401);
  });

  test('is made for a key, with the scopes of the key at most', async () => {
    expect((await linkBy(null)).status).toBe(401);
    expect((await linkBy('svc_test_unknownunknownunknown1')).status).toBe(401);
    expect((await linkBy(session)).status).toBe(401);
    expect((await linkBy(KEY, ['all'])).status).toBe(400);
    expect((await linkBy(KEY, ['read'])).body.scopes).toEqual(['read']);
  });

  test.each(DASHBOARD_SCOPES)('of the scope %s does that and no more', async (scope) => {
    const limited = await traded((await linkBy(KEY, [scope])).body.link);
    const bearer = { authorization: `Bearer ${limited}`, 'content-type': 'application/json' };
    const event = JSON.stringify({ event: 'signal.elevated', symbol: 'SPY' });
    const statuses = {
      read: (await askPlain('/api/proxy/snapshot', bearer)).status,
      trigger: (await askPlain('/api/proxy/sandbox/trigger', bearer, 'POST', event)).status,
      subscriptions: (await askPlain('/api/proxy/signals/subscriptions', bearer)).status,
      account: (await askPlain('/api/proxy/account/keys', bearer)).status,
    };
    expect(statuses).toEqual({ read: 403, trigger: 403, subscriptions: 403, account: 403, [scope]: 200 });
  });
});

describe('a key that is revoked', () => {
  test('ends its sessions with the next request, and their streams within a second', { tags: ['long'] }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'barograph-dashboard-'));
    const file = join(folder, 'service.db');
    const server = await start({ port: 0 }, { file });
    const base = server.dashboard ?? '';
    const keys = openKeyService(file, Date.now, randomBytes);
    const { key, id } = keys.issue({ scope: 'webhooks', account: null, plan: null, hardCap: false, contract: null });
    const [own, other] = await Promise.all([linkBy(key, undefined, base), linkBy(KEY, undefined, base)]);
    const [first, second] = await Promise.all([own, other].map(({ body }) => traded(body.link)));
    const unused = (await linkBy(key, undefined, base)).body.link;
    const headers = { authorization: `Bearer ${first}` };
    const statusOf = async (token = '') =>
      (await fetch(`${base}/api/proxy/snapshot`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await Promise.all([statusOf(first), statusOf(second)])).toEqual([200, 200]);
    const stream = await fetch(`${base}/api/proxy/stream`, { headers });
    const otherHeaders = { authorization: `Bearer ${second}` };
    const otherStream = await fetch(`${base}/api/proxy/stream`, { headers: otherHeaders });
    keys.revoke(id);
    expect(await Promise.all([statusOf(first), statusOf(second), traded(unused)])).toEqual([401, 200, '']);
    await stream.text().catch(() => undefined);
    // So does the stream of a session that its user ends.
    await fetch(`${base}/session`, { method: 'DELETE', headers: otherHeaders });
    await otherStream.text().catch(() => undefined);
    await keys.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });
});

describe('the monitor’s client', () => {
  test('finds /api/proxy below the address, and sends the session of a link as it would no key', async () => {
    const address = readDashboardAddress((await linkBy(KEY, ['read'])).body.link);
    if (address === null) throw new Error('no link');
    const granted = await signIn(address, (url, init) => fetch(url, init), Date.now);
    if (!granted.ok) throw new Error(granted.error.message);
    const by = (key: string | undefined, baseUrl = dashboard) =>
      connect({ baseUrl, mode: 'proxy', trusted: true, ...(key === undefined ? {} : { key }) });
    for (const baseUrl of [dashboard, `${dashboard}/`, `${dashboard}/api/proxy`])
      expect(await by(granted.value, baseUrl).call('signal', { query: { symbol: 'SPY' } })).toMatchObject({ ok: true });
    expect(await by(undefined).call('health')).toMatchObject({ ok: true });
    for (const key of [undefined, KEY])
      expect(await by(key).call('signal', { query: { symbol: 'SPY' } })).toMatchObject({
        ok: false,
        error: { kind: 'unauthorized', message: expect.stringContaining('one-time link') },
      });
    expect(await signIn(address, (url, init) => fetch(url, init), Date.now)).toMatchObject({
      ok: false,
      error: { kind: 'unauthorized', message: expect.stringContaining('used before') },
    });
  });
});

describe('the check of conformance', () => {
  const outcome = (address: string) => {
    const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
    const { run } = dashboardCheck(new URL(address), { fetch: (url, init) => fetch(url, init), clock });
    return run({} as Parameters<typeof run>[0]);
  };
  test('takes the one-time link, and finds /api/proxy itself', async () => {
    expect(await outcome((await linkBy(KEY)).body.link)).toMatchObject({ status: 'green' });
    expect(await outcome(dashboard)).toMatchObject({ status: 'red', detail: expect.stringContaining('one-time link') });
  });
});

describe('another page', () => {
  test.each(['cross-site', 'same-site'])('%s is refused, even with the cookie of a session', async (site) => {
    const cookie = `barograph_dashboard_${new URL(dashboard).port}=${session}`;
    for (const headers of [{}, { cookie }])
      expect((await askPlain('/api/proxy/snapshot', { 'sec-fetch-site': site, ...headers })).status).toBe(403);
    const trade = await askPlain('/session', { 'sec-fetch-site': site }, 'POST', '{}');
    expect(trade.status).toBe(403);
  });
  test.each(['same-origin', 'none'])('%s is answered', async (site) => {
    expect((await ask('/api/proxy/snapshot', { 'sec-fetch-site': site })).status).toBe(200);
  });
  test('that leads here shows the page, without a session', async () => {
    const { status, text } = await askPlain('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' });
    expect([status, text]).toEqual([200, expect.stringContaining('not signed in')]);
  });
  test('of another origin or by another name is refused, and told the cure', async () => {
    expect((await ask('/api/proxy/snapshot', { origin: 'http://evil.example' })).status).toBe(403);
    const named = await ask('/api/proxy/snapshot', { host: 'evil.example' });
    expect([named.status, JSON.parse(named.text).message]).toEqual([403, expect.stringContaining('--dashboard-url')]);
    expect((await ask('/api/proxy/snapshot', { origin: dashboard })).status).toBe(200);
    expect((await ask('/api/proxy/snapshot', { host: 'risk.example', origin: 'https://risk.example' })).status).toBe(
      200,
    );
  });
});

describe('said to be open', () => {
  const statusesAt = async (base: string | null) => [
    (await fetch(`${base}/api/proxy/snapshot`)).status,
    (await fetch(`${base}/api/proxy/signals/subscriptions`)).status,
  ];

  test('the dashboard is read without a session, and no more unless that is said too', { tags: ['long'] }, async () => {
    const [plain, more] = await Promise.all([
      start({ port: 0, isOpen: true }),
      start({ port: 0, isOpen: true, scopes: ['read', 'subscriptions'] }),
    ]);
    expect(plain.dashboardLink).toBeNull();
    expect(await statusesAt(plain.dashboard)).toEqual([200, 403]);
    expect(await statusesAt(more.dashboard)).toEqual([200, 200]);
    await Promise.all([plain.close(), more.close()]);
  });

  test('the dashboard is open under an address of this computer only', { tags: ['long'] }, async () => {
    for (const more of [{ url: 'https://desk.example' }, { host: '0.0.0.0' }, { scopes: ['read', 'account'] }] as const)
      await expect(start({ port: 0, isOpen: true, ...more })).rejects.toThrow(
        /--dashboard-open (is for programs of this|gives nobody the scope account)/,
      );
    const server = await start({ port: 0, isOpen: true }, { publicUrl: 'https://risk.example' });
    const answers = await Promise.all(
      ['risk.example', new URL(server.dashboard ?? '').host].map((host) =>
        askPlain('/api/proxy/snapshot', { host }, 'GET', undefined, server.dashboard ?? ''),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
    expect(answers[0]?.text).not.toContain('--dashboard-url');
    await server.close();
  });

  test('hosted: the link has its public address, and the cookie is secure', { tags: ['long'] }, async () => {
    const hosted = await start({ port: 0, host: '127.0.0.2', url: 'https://desk.example/risk' });
    expect(hosted.dashboard).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
    expect(hosted.dashboardLink).toMatch(/^https:\/\/desk\.example\/risk\/#t=/);
    const { token } = readDashboardAddress(hosted.dashboardLink ?? '') ?? {};
    const answer = await fetch(`${hosted.dashboard}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://desk.example' },
      body: JSON.stringify({ token }),
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('; Secure')]);
    await hosted.close();
  });
});

test('a dashboard at localhost listens on 127.0.0.1 alone: another server would have no limit of connections', async () => {
  const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance<(...given: unknown[]) => void>;
  lookup.mockImplementation((...given) => {
    const names = given[0] === 'localhost' ? ['127.0.0.1', '::1'] : [String(given[0])];
    const found = names.map((address) => ({ address, family: isIP(address) }));
    (given.at(-1) as (...answer: unknown[]) => void)(null, found);
  });
  const server = await start({ port: 0, host: 'localhost' });
  lookup.mockRestore();
  const { hostname, port } = new URL(server.dashboard ?? '');
  const reached = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connectSocket(Number(port), host);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  expect([hostname, await reached('127.0.0.1'), await reached('::1')]).toEqual(['localhost', true, false]);
  await server.close();
});

test('other methods are 405, and no session is a token for the backend', async () => {
  const wrong = await ask('/api/proxy/snapshot', {}, 'DELETE');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
  const direct = await fetch(`${running.url}/snapshot`, { headers: { authorization: `Bearer ${session}` } });
  expect(direct.status).toBe(401);
});

test('the stream comes as it is written, and ends at the backend when the client leaves', async () => {
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${session}` };
  const stream = await fetch(`${dashboard}/api/proxy/stream`, { headers, signal: abort.signal });
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
      const one = (): Promise<Response> => fetch(`${dashboard}/api/proxy/stream`, { headers });
      const more = await Promise.all(Array.from({ length: 5 }, one));
      const good = more.filter(({ status }) => status === 200).length;
      await Promise.all(more.map(({ body }) => body?.cancel()));
      return good;
    })
    .toBe(5);
});
