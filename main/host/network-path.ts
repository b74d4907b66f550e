// Main, host: the proxy of requests and the issuer of the service's certificate, as messages.
import { connect } from 'node:tls';
import type { Clock } from '../../shared/lib/clock.ts';
import { isLoopback } from '../../shared/lib/loopback.ts';
import type { FindProxy, ProxyChoice } from '../../shared/lib/proxy.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message } from '../../shared/text/message.ts';

export interface NetworkPath {
  readonly proxy: Message;
  readonly certificate: Message;
}

/** How the window and the doctor name a proxy: never with its password. */
export function proxyMessage(choice: ProxyChoice): Message {
  // Chromium also uses what this program does not, so its own words are shown.
  if (choice.said !== undefined && choice.said !== 'DIRECT') return message('proxy.system', { proxy: choice.said });
  if (choice.kind === 'direct') return message(`proxy.${choice.why}`);
  if (choice.kind === 'unknown') return message('proxy.unknown', { why: choice.why });
  return message(choice.kind === 'socks' ? 'proxy.socks' : 'proxy.environment', { host: choice.host });
}

/** A result is valid for this long, ms. */
const GOOD_FOR = 10 * 60_000;
const HANDSHAKE_LIMIT = 5_000;

/** @returns a reader that answers at once with the last result, and refreshes an old one in the background */
export function createNetworkPathReader(
  address: string,
  findProxy: FindProxy | undefined,
  clock: Clock,
): () => NetworkPath {
  const url = URL.parse(address);
  if (url === null || isLoopback(url.hostname)) {
    const certificate = message(url?.protocol === 'https:' ? 'certificate.loopback' : 'certificate.local');
    return () => ({ proxy: message('proxy.loopback'), certificate });
  }
  let networkPath: NetworkPath = {
    proxy: message('network_path.pending'),
    certificate: message('network_path.pending'),
  };
  let checkedAt: number | null = null;
  const check = async (): Promise<void> => {
    const proxy = proxyMessage((await findProxy?.(address)) ?? { kind: 'direct', why: 'none' });
    // Behind a proxy, this program makes no direct connection.
    const isDirect = proxy.code === 'proxy.none' || proxy.code === 'proxy.excepted';
    networkPath = { proxy, certificate: isDirect ? await readCertificate(url) : message('certificate.proxied') };
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
export function readCertificate(url: URL): Promise<Message> {
  if (url.protocol !== 'https:') return Promise.resolve(message('certificate.none'));
  return new Promise((resolve) => {
    const socket = connect({
      host: url.hostname,
      port: Number(url.port === '' ? 443 : url.port),
      servername: url.hostname,
    });
    const settle = (found: Message): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(HANDSHAKE_LIMIT, () => settle(message('certificate.late')));
    socket.on('error', (error) => settle(message('certificate.bad', { error: messageOf(error) })));
    socket.on('secureConnect', () => {
      const { issuer, valid_to } = socket.getPeerCertificate();
      const name = issuer?.O ?? issuer?.CN ?? null;
      const until = Date.parse(valid_to);
      settle(
        message('certificate.issued', {
          issuer: Array.isArray(name) ? name.join(', ') : name,
          until: Number.isNaN(until) ? null : until,
        }),
      );
    });
  });
}
