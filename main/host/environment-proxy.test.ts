// Test: the proxy of the environment: the requests that use it, its display, and refused values.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../shared/text/message.ts';
import { applyEnvironmentProxy, environmentProxyOf } from './environment-proxy.ts';

const PROXY = 'http://user:planted@proxy.example:8080';

test.each([
  [{}, 'https://a.example', 'direct'],
  [{ HTTPS_PROXY: PROXY }, 'https://a.example', 'proxy.example:8080, by the environment'],
  [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, 'https://a.example', 'proxy.example:8080, by the environment'],
  [{ HTTPS_PROXY: 'proxy.example:8080' }, 'https://a.example', 'proxy.example:8080, by the environment'],
  [{ HTTP_PROXY: PROXY }, 'https://a.example', 'direct'],
  [{ HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '0' }, 'https://a.example', 'direct'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'b.example, .a.example' }, 'https://x.a.example', 'direct, by NO_PROXY'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*.a.example' }, 'https://x.a.example', 'direct, by NO_PROXY'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:443' }, 'https://a.example', 'direct, by NO_PROXY'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:8443' }, 'https://a.example', 'proxy.example:8080, by the environment'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*' }, 'https://a.example', 'direct, by NO_PROXY'],
  [{ HTTPS_PROXY: PROXY }, 'https://127.0.0.9:8443', 'direct, loopback'],
])('%j, %s: %s', async (environment, address, said) => {
  expect(textOf(await environmentProxyOf(environment)(address))).toBe(said);
});

test.each(['socks5://user:planted@proxy.example', 'http://', 'http://[planted'])('%s is refused, unquoted', (given) => {
  expect(() => applyEnvironmentProxy({ HTTPS_PROXY: given })).toThrow(/^HTTPS_PROXY must be an http or https address/);
});

describe('a process behind a proxy', () => {
  const seen: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url, headers }, socket) => {
    seen.push(`${url} ${headers['proxy-authorization'] ?? ''}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const service = createServer((_, response) => response.end('direct'));
  beforeAll(async () => {
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => service.listen(0, resolve));
  });
  afterAll(() => {
    proxy.close();
    service.close();
  });

  test('other computers are reached through it, addresses of this one and of NO_PROXY are not', async () => {
    const port = (service.address() as AddressInfo).port;
    const address = `http://user:planted@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const asked = [
      ...['127.0.0.1', 'localhost', '127.0.0.2', '127.9.8.7'].map((host) => `http://${host}:${port}/`),
      'https://service.invalid/',
      'https://intern.invalid/',
    ];
    const program = `
      const { applyEnvironmentProxy } = await import(${JSON.stringify(import.meta.resolve('./environment-proxy.ts'))});
      applyEnvironmentProxy(process.env);
      for (const url of ${JSON.stringify(asked)})
        console.log(await fetch(url).then((answer) => answer.text(), () => 'failed'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program], {
      env: { HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: 'intern.invalid' },
    });
    expect(stdout.trim().split('\n')).toEqual(['direct', 'direct', 'direct', 'direct', 'failed', 'failed']);
    expect(seen).toEqual([`service.invalid:443 Basic ${btoa('user:planted')}`]);
  });
});
