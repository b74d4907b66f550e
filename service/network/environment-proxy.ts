// Service: the proxy of an address by the environment's variables, for every program without Chromium.
import { isLoopback } from '../../shared/lib/loopback.ts';
import type { FindProxy, ProxyChoice } from '../../shared/lib/proxy.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; lower-case names win, as for curl.
 * NODE_USE_ENV_PROXY=0 turns them off.
 * @returns an error that does not quote the address, since it may hold a password
 */
export function environmentProxy(environment: Environment): Result<FindProxy, string> {
  const read = (name: string): string => environment[name.toLowerCase()] || environment[name] || '';
  const choices = new Map<string, ProxyChoice>();
  for (const scheme of environment.NODE_USE_ENV_PROXY === '0' ? [] : ['https', 'http']) {
    const name = [`${scheme.toUpperCase()}_PROXY`, 'ALL_PROXY'].find((one) => read(one) !== '');
    if (name === undefined) continue;
    const choice = choiceOf(read(name));
    if (choice === null) return err(`${name} must be an http or https address, like http://proxy.example:8080.`);
    choices.set(`${scheme}:`, choice);
  }
  const except = read('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  return ok(async (address) => {
    const url = URL.parse(address);
    const choice = choices.get(url?.protocol.replace('ws', 'http') ?? '');
    if (url === null || choice === undefined) return { kind: 'direct', why: 'none' };
    if (isLoopback(url.hostname)) return { kind: 'direct', why: 'loopback' };
    return except.some((entry) => isNamed(entry, url)) ? { kind: 'direct', why: 'excepted' } : choice;
  });
}

/** null for what is no address of a proxy. */
function choiceOf(given: string): ProxyChoice | null {
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  if (url === null || url.host === '') return null;
  const { protocol, host, href, username, password } = url;
  if (protocol.startsWith('socks')) return { kind: 'socks', host };
  const isUsable = /^https?:$/.test(protocol) && !/%(?![\da-f]{2})/i.test(username + password);
  return isUsable ? { kind: 'proxy', url: href, host } : null;
}

/** An entry of NO_PROXY: every host, a name with those below it, an IPv4 network; each may have a port. */
function isNamed(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, name = '', ownPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const usedPort = port || (/^(https|wss):$/.test(protocol) ? '443' : '80');
  if (name === '' || (ownPort !== undefined && ownPort !== usedPort)) return false;
  const [network = '', bits] = name.split('/');
  if (bits === undefined) return hostname === name || hostname.endsWith(`.${name}`);
  const own = prefixOf(hostname, Number(bits));
  return own !== null && own === prefixOf(network, Number(bits));
}

/** The first bits of an IPv4 address; null for a name. */
const prefixOf = (address: string, bits: number): string | null =>
  /^\d+(\.\d+){3}$/.test(address)
    ? address
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('')
        .slice(0, bits)
    : null;
