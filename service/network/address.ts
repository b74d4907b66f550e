// Service, network: addresses to listen on, as flags and URLs write them. Pure.
import { isIP, isIPv6 } from 'node:net';
import { isLoopback } from '../../shared/lib/loopback.ts';

export const LOOPBACK = '127.0.0.1';

export interface ListenAddress {
  /** An IP address, without brackets. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

const HIGHEST_PORT = 65_535;

/**
 * Reads `0.0.0.0:8443`, `[::]:8443`, and `8443` where there is a default host.
 * @returns null for anything else: names, zones and bare IPv6 addresses are not addresses to listen on here
 */
export function parseListenAddress(text: string, defaultHost: string | null = null): ListenAddress | null {
  const [, v6, v4, digits = ''] = /^(?:\[([^\]%]+)\]:|([\d.]+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  const host = v6 ?? v4 ?? defaultHost;
  if (!(port <= HIGHEST_PORT) || host === null) return null;
  const family = isIP(host);
  return family === 0 || (v6 !== undefined && family !== 6) ? null : { host, port };
}

/** An address on which a port answers on every network of the computer. */
export const isEveryAddress = (host: string): boolean => ['0.0.0.0', '::'].includes(host);

/** `host:port` as a URL and the Host header write it. */
export const hostAndPort = ({ host, port }: ListenAddress): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** The address at which a program of this computer reaches a port. */
export const localHost = (host: string): string => (host === '::' ? '::1' : isEveryAddress(host) ? LOOPBACK : host);

/** An IPv4 address that a socket reports as an IPv6 one, in its own form. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

interface Exposure {
  readonly host: string;
  readonly isEncrypted: boolean;
  readonly isProxied: boolean;
}

/** Returns why this address cannot be listened on, or null. */
export const plainConflict = ({ host, isEncrypted, isProxied }: Exposure): string | null =>
  isLoopback(host) || isEncrypted || isProxied
    ? null
    : `--listen ${host} needs TLS, or other computers would send their keys by plain http: give --tls-cert and --tls-key, or --trusted-proxy with the address of the proxy that adds TLS`;
