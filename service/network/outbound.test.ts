// Service, test: requests and WebSockets through a proxy that counts, and what is said when it refuses.
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { createClock } from '../../shared/lib/clock.ts';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import { newCertificate } from '../../test/harness/certificate.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { type HttpProxy, startHttpProxy } from '../../test/harness/http-proxy.ts';
import { createAccount } from '../market/feeds/account.ts';
import { readSocket } from '../market/feeds/vendor-socket.ts';
import { createFetchFeed } from '../news/fetch-feed.ts';
import { environmentProxy } from './environment-proxy.ts';
import { createOutbound, directOutbound, outboundFetch } from './outbound.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
const going = new AbortController().signal;
/** How often a response was given up before its end. */
let cut = 0;

const plain = createServer(({ url }, response) => {
  response.on('close', () => (cut += response.writableEnded ? 0 : 1));
  if (url === '/endless') response.write('data: 1\n\n');
  else if (url === '/moved') response.writeHead(302, { location: 'http://10.0.0.1/feed.xml' }).end();
  else if (url === '/zipped') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unzipped'));
  else response.end(`plain ${url}`);
});
let secure: ReturnType<typeof createTlsServer>;
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

let proxy: HttpProxy;
beforeAll(async () => {
  const certificate = await newCertificate();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  secure = createTlsServer({ ...certificate }, (_, response) => response.end('secure'));
  new WebSocketServer({ server: secure }).on('connection', (socket) => socket.send('{"price":1}'));
  for (const server of [plain, secure]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(async () => {
  proxy = await startHttpProxy({ https: portOf(secure), http: portOf(plain) });
  cut = 0;
});
afterEach(() => proxy.close());

/** @param more of the environment */
function outbound(more: Record<string, string> = {}, limit?: number) {
  const found = environmentProxy({ HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ...more });
  if (!found.ok) throw new Error(found.error);
  return createOutbound(found.value, limit);
}
const vendor = { name: 'acme', perMinute: 100_000, cure: () => null };
const prices = (url: string, through = outbound()): Promise<string> =>
  createAccount({ vendor, clock, outbound: through })
    .fetch(url, { signal: going, priority: 'live' })
    .then(
      (answer) => answer.text(),
      (error: Error) => error.message,
    );
const stream = (through = outbound()): Promise<unknown> =>
  readSocket(
    {
      vendor: 'Acme',
      url: 'wss://desk.example/stream',
      schema: z.object({ price: z.number() }),
      take: ({ price }, socket) => socket.retry(`sent ${price}`),
      refusal: () => null,
    },
    { clock, outbound: through },
    going,
  ).catch((error: Error) => error.message);
const news = (url: string, through = outbound()): Promise<unknown> =>
  createFetchFeed({
    clock,
    outbound: through,
    resolve: () => Promise.reject(new Error('this network knows no names')),
    userAgent: 'test',
  })(url, { etag: null, lastModified: null }, going).then((fetched) =>
    fetched.ok ? fetched.value.text : fetched.error.problem,
  );

test('prices, their stream, news and the core go through it, with its password', async () => {
  expect(await prices('https://desk.example/bars')).toBe('secure');
  expect(await prices('http://desk.example/bars?symbol=SPY')).toBe('plain /bars?symbol=SPY');
  expect(await stream()).toBe('The stream of Acme sent 1.');
  expect(await news('https://desk.example/feed.xml')).toBe('secure');
  const answer = await outboundFetch(outbound())('https://desk.example/events', { method: 'POST', body: '{}' });
  expect(await answer.text()).toBe('secure');
  expect(proxy.asked).toEqual([
    'CONNECT desk.example:443 user:planted',
    'GET http://desk.example/bars?symbol=SPY user:planted',
    ...Array(3).fill('CONNECT desk.example:443 user:planted'),
  ]);
});

test('addresses of this computer and of NO_PROXY are reached directly', async () => {
  const port = portOf(plain);
  for (const host of ['127.0.0.1', '127.0.0.2', 'localhost'])
    expect(await prices(`http://${host}:${port}/x`)).toMatch(/^plain|directly: connect ECONNREFUSED/);
  const excepted = await prices('http://desk.invalid/x', outbound({ NO_PROXY: '.invalid' }));
  expect(excepted).toMatch(/^acme \(http:\/\/desk\.invalid\) cannot be reached directly: .*desk\.invalid/);
  expect(proxy.asked).toEqual([]);
});

test.each([
  [407, 'it wants a user name and a password (407)'],
  [502, 'it answered 502 Refused'],
])('a refusal with %i names the proxy, and never its password', async (status, why) => {
  proxy.refusalOf = () => status;
  const way = `through the proxy ${proxy.host}`;
  expect(await prices('https://desk.example/x')).toBe(`acme (https://desk.example) cannot be reached ${way}: ${why}.`);
  expect(await stream()).toBe(`The stream of Acme cannot be reached ${way}: ${why}.`);
  expect(await news('https://desk.example/feed.xml')).toBe(`cannot be reached ${way}: ${why}`);
  await expect(outboundFetch(outbound())('https://desk.example/')).rejects.toThrow(`${way}: ${why}`);
  expect(proxy.asked).toHaveLength(4);
  await eventually(() => expect(proxy.connections()).toBe(0));
});

test('a refusal of plain http is one of the proxy, not of the service', async () => {
  proxy.refusalOf = () => 407;
  expect(await prices('http://desk.example/x')).toBe(
    `acme (http://desk.example) cannot be reached through the proxy ${proxy.host}: it wants a user name and a password (407).`,
  );
});

test('a proxy that is not there is named', async () => {
  const { host } = proxy;
  const through = outbound();
  await proxy.close();
  expect(await prices('https://desk.example/x', through)).toBe(
    `acme (https://desk.example) cannot be reached through the proxy ${host}: connect ECONNREFUSED ${host}.`,
  );
});

test('a proxy that does not answer is given up, and its connection closed', async () => {
  proxy.refusalOf = () => 'silent';
  expect(await prices('https://desk.example/x', outbound({}, 50))).toMatch(
    /through the proxy .*: it opens no connection\.$/,
  );
  await eventually(() => expect(proxy.connections()).toBe(0));
});

test.each([
  ['socks5h://user:planted@s.example:1080', 'through the SOCKS proxy s.example:1080: SOCKS is not supported'],
])('nothing goes around %s, which is named', async (ALL_PROXY, why) => {
  const through = outbound({ HTTPS_PROXY: '', HTTP_PROXY: '', ALL_PROXY });
  for (const said of [await prices(`http://desk.example/x`, through), await stream(through)])
    expect(said).toMatch(new RegExp(`cannot be reached ${why}`));
});

test('each address has the proxy that a proxy file names for it', async () => {
  const other = await startHttpProxy({ http: portOf(plain) });
  const hosts: Record<string, HttpProxy> = { 'a.example': proxy, 'b.example': other };
  const findProxy: FindProxy = async (url) => {
    const found = hosts[new URL(url).hostname];
    return found === undefined
      ? { kind: 'unknown', why: 'the proxy file cannot be read' }
      : { kind: 'proxy', url: found.url, host: found.host };
  };
  const through = createOutbound(findProxy);
  for (const host of ['a', 'b', 'a']) await prices(`http://${host}.example/x`, through);
  expect([proxy.asked.length, other.asked.length]).toEqual([2, 1]);
  expect(await prices('http://c.example/x', through)).toMatch(/through a proxy: the proxy file cannot be read/);
  await other.close();
});

test('news through it: a redirect to a private address is not followed', async () => {
  expect(await news('http://desk.example/moved')).toBe(
    'it leads to 10.0.0.1, an address of a private or reserved network',
  );
});

test('an answer through it is as from fetch: unzipped, as it arrives, and given up when its reader is', async () => {
  const fetch = outboundFetch(outbound());
  expect(await (await fetch('http://desk.example/zipped')).text()).toBe('unzipped');
  const moved = await fetch('http://desk.example/moved', { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://10.0.0.1/feed.xml']);
  await expect(fetch('http://desk.example/moved', { redirect: 'error' })).rejects.toThrow('answered 302');
  const [cancelled, aborting] = [await fetch('http://desk.example/endless'), new AbortController()];
  await cancelled.body?.cancel();
  const aborted = await fetch('http://desk.example/endless', { signal: aborting.signal });
  const reader = aborted.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  aborting.abort(new Error('enough'));
  await expect(reader?.read()).rejects.toThrow();
  await eventually(() => expect(cut).toBe(2));
});

test('a direct request that its caller ends is without the time limits of Node, which wake a process twice a second', async () => {
  const url = `http://127.0.0.1:${portOf(plain)}`;
  // Node has its client after the first request.
  await (await fetch(`${url}/first`)).text();
  const limitsOf: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, init?: { dispatcher?: object }) => {
    const options =
      init?.dispatcher &&
      Object.getOwnPropertySymbols(init.dispatcher).map((name) => Reflect.get(init.dispatcher as object, name));
    limitsOf.push(options?.find((one) => typeof one === 'object' && one !== null && 'bodyTimeout' in one));
    return new Response();
  });
  try {
    const request = outboundFetch(directOutbound);
    await request(`${url}/endless`, { signal: going });
    await request(`${url}/x`);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(limitsOf).toEqual([expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 }), undefined]);
  const answer = await outboundFetch(directOutbound)(`${url}/x`, { signal: going });
  expect(await answer.text()).toBe('plain /x');
});
