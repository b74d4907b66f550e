// Service, test: the proxy of the environment: for which addresses it is used, and refused values.
import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const PROXY = 'http://user:planted@proxy.example:8080';

async function used(environment: Record<string, string>, address: string): Promise<string> {
  const found = environmentProxy(environment);
  if (!found.ok) throw new Error(found.error);
  const choice = await found.value(address);
  return choice.kind === 'direct' ? choice.why : `${choice.kind} ${'host' in choice ? choice.host : ''}`;
}

test.each([
  [{}, 'https://a.example', 'none'],
  [{ HTTPS_PROXY: PROXY }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY }, 'wss://a.example', 'proxy proxy.example:8080'],
  [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other' }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: 'proxy.example:8080' }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTP_PROXY: PROXY }, 'https://a.example', 'none'],
  [{ HTTP_PROXY: PROXY }, 'ws://a.example', 'proxy proxy.example:8080'],
  [{ ALL_PROXY: PROXY, HTTP_PROXY: 'http://other' }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ ALL_PROXY: 'socks5://user:planted@s.example:1080' }, 'https://a.example', 'socks s.example:1080'],
  [{ ALL_PROXY: 'socks5://s.example', HTTPS_PROXY: PROXY }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '0' }, 'https://a.example', 'none'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'b.example, .a.example' }, 'https://x.a.example', 'excepted'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*.a.example' }, 'https://x.a.example', 'excepted'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'A.example' }, 'https://x.a.example', 'excepted'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'a.example' }, 'https://xa.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:443' }, 'wss://a.example', 'excepted'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: 'a.example:8443' }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, 'https://10.20.30.40', 'excepted'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, 'https://11.20.30.40', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '0.0.0.0/0' }, 'https://a.example', 'proxy proxy.example:8080'],
  [{ HTTPS_PROXY: PROXY, NO_PROXY: '*' }, 'https://a.example', 'excepted'],
  [{ HTTPS_PROXY: PROXY }, 'https://127.0.0.9:8443', 'loopback'],
  [{ HTTPS_PROXY: PROXY }, 'wss://[::1]:8443', 'loopback'],
])('%j, %s: %s', async (environment, address, expected) => {
  expect(await used(environment, address)).toBe(expected);
});

test.each(['ftp://user:planted@proxy.example', 'http://', 'http://[planted', 'http://user:%planted@proxy.example'])(
  '%s is refused, unquoted',
  (HTTPS_PROXY) => {
    const refused = 'HTTPS_PROXY must be an http or https address, like http://proxy.example:8080.';
    expect(environmentProxy({ HTTPS_PROXY })).toEqual({ ok: false, error: refused });
  },
);
