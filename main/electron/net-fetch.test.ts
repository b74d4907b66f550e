// Test: the core's requests over Electron's network: no state, no followed redirects, no buffers.
import { expect, test } from 'vitest';
import { message, plainMessage } from '../../shared/text/message.ts';
import { createFindProxy, createNetFetch } from './net-fetch.ts';

test('no cookie is sent and nothing is stored', async () => {
  const requests: RequestInit[] = [];
  const netFetch = createNetFetch({
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
  const netFetch = createNetFetch({ fetch: () => Promise.reject(new Error('Redirect was cancelled')) });
  const answer = await netFetch('https://service.example/', { redirect: 'manual' });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBeNull();
  await expect(netFetch('https://service.example/', {})).rejects.toThrow('cancelled');
});

test('other failures fail', async () => {
  const netFetch = createNetFetch({ fetch: () => Promise.reject(new Error('net::ERR_CERT_AUTHORITY_INVALID')) });
  await expect(netFetch('https://service.example/', { redirect: 'manual' })).rejects.toThrow(
    'ERR_CERT_AUTHORITY_INVALID',
  );
});

test('a stream is passed on as it arrives', async () => {
  let push: (text: string) => void = () => undefined;
  const body = new ReadableStream({
    start(controller) {
      push = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const answer = await createNetFetch({ fetch: async () => new Response(body) })('https://service.example/stream', {});
  const reader = answer.body?.getReader();
  push('data: 1\n\n');
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  await reader?.cancel();
});

test('the proxy is named', async () => {
  expect(await createFindProxy({ resolveProxy: async () => 'DIRECT' })('https://x/')).toEqual(message('proxy.none'));
  expect(await createFindProxy({ resolveProxy: async () => 'PROXY p.example:8080' })('https://x/')).toEqual(
    plainMessage('PROXY p.example:8080'),
  );
});
