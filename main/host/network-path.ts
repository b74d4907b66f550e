// Main, host: the proxy of requests and the issuer of the service's certificate, as text.
import { connect } from 'node:tls';
import { isLoopback } from '../../client/address.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { dateOf } from '../../shared/lib/time.ts';

export interface NetworkPath {
  readonly proxy: string;
  readonly certificate: string;
}

/**
 * @param url of the service.
 * @returns the path of this program's requests, as the shell knows it: "direct", "PROXY proxy.example:8080"
 */
export type ProxyResolver = (url: string) => Promise<string>;

/** A result is valid for this long, ms. */
const GOOD_FOR = 10 * 60_000;
const HANDSHAKE_LIMIT = 5_000;

/** @returns a reader that answers at once with the last result, and refreshes an old one in the background */
export function createNetworkPathReader(
  address: string,
  findProxy: ProxyResolver | undefined,
  clock: Clock,
): () => NetworkPath {
  const url = URL.parse(address);
  if (url === null || isLoopback(url.hostname)) {
    const certificate = url?.protocol === 'https:' ? 'loopback' : 'none: the bytes stay on this computer';
    return () => ({ proxy: 'direct, loopback', certificate });
  }
  let networkPath: NetworkPath = { proxy: 'being looked at', certificate: 'being looked at' };
  let checkedAt: number | null = null;
  const check = async (): Promise<void> => {
    const [proxy, certificate] = await Promise.all([
      findProxy?.(address).catch(messageOf) ?? 'direct',
      readCertificate(url),
    ]);
    networkPath = { proxy, certificate };
  };
  return () => {
    if (checkedAt === null || Math.abs(clock.now() - checkedAt) > GOOD_FOR) {
      checkedAt = clock.now();
      void check();
    }
    return networkPath;
  };
}

/** The issuer and expiry of the service's certificate. Never rejects; sends nothing but the handshake. */
export function readCertificate(url: URL): Promise<string> {
  if (url.protocol !== 'https:') return Promise.resolve('none: http');
  return new Promise((resolve) => {
    const socket = connect({
      host: url.hostname,
      port: Number(url.port === '' ? 443 : url.port),
      servername: url.hostname,
    });
    const settle = (text: string): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(HANDSHAKE_LIMIT, () => settle('not seen: no answer in time'));
    socket.on('error', (error) => settle(`not good: ${messageOf(error)}`));
    socket.on('secureConnect', () => {
      const { issuer, valid_to } = socket.getPeerCertificate();
      const name = issuer?.O ?? issuer?.CN ?? 'an issuer without a name';
      const until = Date.parse(valid_to);
      settle(
        `issued by ${Array.isArray(name) ? name.join(', ') : name}${Number.isNaN(until) ? '' : `, good until ${dateOf(until)}`}`,
      );
    });
  });
}
