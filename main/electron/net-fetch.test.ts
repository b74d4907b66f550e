// Test: the core's requests over Electron's network: no state, no followed redirects, no buffers.
import { expect, test } from 'vitest';
import { textOf } from '../../shared/text/message.ts';
import { proxyMessage } from '../host/network-path.ts';
import { createFindProxy, createNetFetch } from './machine.ts';

const resolveProxy = async (): Promise<string> => 'PROXY p.example:8080';

test('no cookie is sent and nothing is stored', async () => {
  const requests: RequestInit[] = [];
  const netFetch = createNetFetch({
    resolveProxy,
    fetch: async (_url, init) => {
      requests.push(init as RequestInit);
      return new Response('ok');
    },
  });
  await netFetch('https://service.example/', { headers: { 'X-API-Key': 'k' }, redirect: 'manual' });
  expect(requests).toEqual([
    {
      headers: { 'X-API-Key': 'k' },
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      bypassCustomProtocolHandlers: true,
    },
  ]);
});

test('a redirect that Electron cancels is an answer without a location, as from fetch', async () => {
  const netFetch = createNetFetch({ resolveProxy, fetch: () => Promise.reject(new Error('Redirect was cancelled')) });
  const answer = await netFetch('https://service.example/', { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBeNull();
  await expect(netFetch('https://service.example/', {})).rejects.toThrow('cancelled');
});

test('other failures fail', async () => {
  const netFetch = createNetFetch({
    resolveProxy,
    fetch: () => Promise.reject(new Error('net::ERR_CERT_AUTHORITY_INVALID')),
  });
  await expect(netFetch('https://service.example/', { redirect: 'manual' })).rejects.toThrow(
    /^net::ERR_CERT_AUTHORITY_INVALID$/,
  );
});

test('the failure of a proxy names it', async () => {
  const netFetch = createNetFetch({
    resolveProxy,
    fetch: () => Promise.reject(new Error('net::ERR_TUNNEL_CONNECTION_FAILED')),
  });
  await expect(netFetch('https://service.example/', {})).rejects.toThrow(
    'through PROXY p.example:8080: net::ERR_TUNNEL_CONNECTION_FAILED',
  );
});

test('a stream is passed on as it arrives', async () => {
  let push: (text: string) => void = () => undefined;
  const body = new ReadableStream({
    start(controller) {
      push = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const answer = await createNetFetch({ resolveProxy, fetch: async () => new Response(body) })(
    'https://service.example/stream',
    {},
  );
  const reader = answer.body?.getReader();
  push('data: 1\n\n');
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  await reader?.cancel();
});

test.each([
  ['DIRECT', 'direct', 'direct'],
  ['PROXY p.example:8080', 'http://p.example:8080', 'PROXY p.example:8080, by the system'],
  ['HTTPS p.example:443; DIRECT', 'https://p.example:443', 'HTTPS p.example:443; DIRECT, by the system'],
  ['SOCKS5 s.example:1080; PROXY p.example:8080', 'http://p.example:8080', expect.stringContaining('SOCKS5 s.example')],
  ['SOCKS5 s.example:1080; DIRECT', 'direct', 'SOCKS5 s.example:1080; DIRECT, by the system'],
  ['SOCKS5 s.example:1080', 'socks', 'SOCKS5 s.example:1080, by the system'],
  ['PROXY', 'unknown', 'PROXY, by the system'],
])('the answer of a proxy file %s: prices go by %s', async (answer, used, shown) => {
  const choice = await createFindProxy({ resolveProxy: async () => answer })('https://x.example/');
  expect(choice.kind === 'proxy' ? choice.url : choice.kind).toBe(used);
  expect(textOf(proxyMessage(choice))).toEqual(shown);
});

test('this computer is reached directly, whatever a proxy file answers; one that cannot be read is said', async () => {
  expect(await createFindProxy({ resolveProxy })('http://127.0.0.1:9/')).toEqual({ kind: 'direct', why: 'loopback' });
  const broken = createFindProxy({ resolveProxy: () => Promise.reject(new Error('no answer')) });
  expect(textOf(proxyMessage(await broken('https://x.example/')))).toBe('not known: no answer');
});
