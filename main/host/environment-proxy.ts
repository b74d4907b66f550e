// Main, host: applies the environment's proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) to plain Node.
// This computer's own addresses never go through it: the requests to them carry keys in plain http.
import { setGlobalProxyFromEnv } from 'node:http';
import { isLoopback } from '../../shared/lib/loopback.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { UsageError } from './command-line.ts';
import type { ProxyResolver } from './network-path.ts';

/** Hosts that fetch compares by name; node:http knows ranges as well. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1', '[::1]', '127.0.0.1-127.255.255.255'];

type Environment = Readonly<Record<string, string | undefined>>;
interface EnvironmentProxy {
  readonly http: URL | null;
  readonly https: URL | null;
  readonly except: readonly string[];
}

/**
 * Sends this process's requests through the proxy of the environment, where it names one;
 * NODE_USE_ENV_PROXY=0 turns it off.
 * @throws UsageError where its address cannot be used; does not quote it, since it may hold a password
 */
export function applyEnvironmentProxy(environment: Environment): void {
  const proxy = readEnvironmentProxy(environment);
  if (proxy === null) return;
  const direct = new Set(LOOPBACK);
  const apply = (): void => {
    const { http, https, except } = proxy;
    setGlobalProxyFromEnv({
      ...(http === null ? {} : { HTTP_PROXY: http.href }),
      ...(https === null ? {} : { HTTPS_PROXY: https.href }),
      NO_PROXY: [...except, ...direct].join(','),
    });
  };
  apply();
  const { fetch } = globalThis;
  // fetch takes no ranges, so 127.0.0.2 is excepted at its first request.
  globalThis.fetch = (input, init) => {
    const host = URL.parse(input instanceof Request ? input.url : String(input))?.hostname ?? '';
    if (isLoopback(host) && !direct.has(host)) {
      direct.add(host);
      apply();
    }
    return fetch(input, init);
  };
}

/** @returns the proxy of an address, without name and password, or why none is used */
export const environmentProxyOf =
  (environment: Environment): ProxyResolver =>
  async (address) =>
    proxyMessage(readEnvironmentProxy(environment), URL.parse(address));

function proxyMessage(proxy: EnvironmentProxy | null, url: URL | null): Message {
  const found = url?.protocol === 'http:' ? proxy?.http : proxy?.https;
  if (url === null || found == null) return message('proxy.none');
  if (isLoopback(url.hostname)) return message('proxy.loopback');
  if (proxy?.except.some((entry) => isNamed(entry, url)) === true) return message('proxy.excepted');
  return message('proxy.environment', { host: found.host });
}

/** Lower-case names win, as for curl. @returns null where no proxy is set, or it is turned off */
function readEnvironmentProxy(environment: Environment): EnvironmentProxy | null {
  if (environment.NODE_USE_ENV_PROXY === '0') return null;
  const read = (name: string): string | undefined => environment[name.toLowerCase()] || environment[name] || undefined;
  const addressOf = (name: string): URL | null => {
    const given = read(name);
    if (given === undefined) return null;
    const url = URL.parse(given.includes('://') ? given : `http://${given}`);
    if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
      throw new UsageError(`${name} must be an http or https address, like http://proxy.example:8080.`);
    return url;
  };
  const [http, https] = [addressOf('HTTP_PROXY'), addressOf('HTTPS_PROXY')];
  if (http === null && https === null) return null;
  const except = (read('NO_PROXY') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return { http, https, except: except.includes('*') ? ['*'] : except };
}

/** An entry of NO_PROXY: every host, a name, a suffix, either with a port. */
function isNamed(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', ownPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (ownPort !== undefined && ownPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  return /^[.*]/.test(name) ? hostname.endsWith(name.replace(/^\*/, '')) : hostname === name;
}
