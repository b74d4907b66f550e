// Service, network: admits requests by their Host, Origin and source address.
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../shared/lib/loopback.ts';
import { hostAndPort, LOOPBACK, plainAddress } from './address.ts';
import type { ProxyTrust } from './trusted-proxies.ts';

/** The names of a listener. */
export interface ListenerNames {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Its address for programs of this computer, named in a refusal. */
  readonly url: string;
  /** Further addresses of this listener. */
  readonly urls: readonly (string | undefined)[];
  /** Allowed host names in lower case: for any port, or for the port in the name. */
  readonly names?: readonly string[];
  /** Whether a client may call it by the IP address that its connection ends at. */
  readonly byAddress?: boolean;
  /** The flag that names another address; null: there is none. */
  readonly flag: string | null;
}

/** Refuses web pages: neither a name that resolves to this host nor another origin may reach the service. */
export function whyRefused(request: FastifyRequest, listener: ListenerNames): string | null {
  const { headers, raw } = request;
  const { scheme, port, url, flag } = listener;
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  if (port === (scheme === 'http' ? 80 : 443)) hosts.push(LOOPBACK, 'localhost');
  const origins = hosts.map((host) => `${scheme}://${host}`);
  for (const further of listener.urls) {
    if (further === undefined) continue;
    hosts.push(new URL(further).host);
    origins.push(new URL(further).origin);
  }
  // A request target may name a host, which then takes precedence (RFC 9112, 3.2.2). Two Host headers are
  // refused (3.2).
  const named = (/^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1] ?? headers.host)?.toLowerCase();
  const isAllowed = named !== undefined && (isNamed(named, listener.names ?? []) || isOwnAddress(raw, named, listener));
  if (isAllowed) origins.push(`https://${named}`, `${request.protocol}://${named}`);
  if (raw.headersDistinct.host?.length !== 1 || named === undefined || !(isAllowed || hosts.includes(named)))
    return `The request names another host. Call ${url}${flag === null ? '' : `, or start the service with ${flag} and the address that clients use`}.`;
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return 'Requests of web pages of another origin are not answered.';
  return null;
}

const isNamed = (host: string, names: readonly string[]): boolean =>
  names.includes(host) || names.includes(host.replace(/:\d+$/, ''));

/** An IP address cannot be the origin of a web page whose name was rebound. */
const isOwnAddress = ({ socket }: FastifyRequest['raw'], host: string, { byAddress, port }: ListenerNames): boolean =>
  byAddress === true &&
  socket.localAddress !== undefined &&
  host === hostAndPort({ host: plainAddress(socket.localAddress), port });

/** Plain http exposes keys, so beyond this computer only trusted proxies may use it. */
export function whyNotProxied({ socket }: FastifyRequest, trusts: ProxyTrust): string | null {
  const client = plainAddress(socket.remoteAddress ?? '');
  const isHere = isLoopback(client) || client === plainAddress(socket.localAddress ?? '');
  return isHere || trusts(client)
    ? null
    : 'Plain http is for the proxy in front of this service. Call the proxy, by https.';
}
