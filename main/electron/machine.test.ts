// Test: the keychain's process in the desktop shell: the plain built file, a clean environment, one question.
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { textOf } from '../../shared/text/message.ts';
import { proxyMessage } from '../host/network-path.ts';
import { createFindProxy, createNetFetch, electronMachine } from './machine.ts';

class FakeChild extends EventEmitter {
  readonly posted: unknown[] = [];
  readonly kill = vi.fn(() => true);
  postMessage = (message: unknown): void => void this.posted.push(message);
}
const children: FakeChild[] = [];
const fork = vi.fn((..._given: unknown[]) => {
  const child = new FakeChild();
  children.push(child);
  return child;
});
afterEach(() => void fork.mockClear());
const start = (environment: NodeJS.ProcessEnv = {}) => {
  const machine = electronMachine(
    { session: { fromPartition: () => ({}) }, utilityProcess: { fork } } as never,
    {
      machine: { environment },
      program: { built: '/opt/Barograph/resources/app.asar/dist' },
    } as never,
  );
  const helper = machine.startKeychain();
  return { machine, helper, child: children.at(-1) as FakeChild };
};

test('the process of the keychain inherits no key, prints nothing and gets no arguments', () => {
  start({ BAROGRAPH_KEY: 'svc_live_planted', NODE_OPTIONS: '--inspect', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' });
  expect(fork).toHaveBeenCalledWith('/opt/Barograph/resources/app.asar.unpacked/dist/main/keychain.js', [], {
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' },
    stdio: 'ignore',
    serviceName: 'Barograph keys',
  });
});

test('a picture has a process of its own, without keys', () => {
  start({ BAROGRAPH_KEY: 'svc_live_planted' }).machine.startPicture?.();
  expect(fork).toHaveBeenLastCalledWith('/opt/Barograph/resources/app.asar.unpacked/dist/main/picture.js', [], {
    env: {},
    stdio: 'ignore',
    serviceName: 'Barograph pictures',
  });
});

test('a request is posted, the answer and the end are received, and it can be killed', () => {
  const { helper, child } = start();
  const received: unknown[] = [];
  helper.onReply((reply) => received.push(reply));
  helper.onEnd((why) => received.push(why));
  helper.send({ verb: 'get', service: 's', account: 'a' });
  expect(child.posted).toEqual([{ verb: 'get', service: 's', account: 'a' }]);
  child.emit('message', { verb: 'get', password: null });
  helper.kill();
  expect(child.kill).toHaveBeenCalledOnce();
  child.emit('error', 'FatalError');
  child.emit('exit', 1);
  expect(received).toEqual([
    { verb: 'get', password: null },
    'its process failed (FatalError)',
    'its process ended (1)',
  ]);
});

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
