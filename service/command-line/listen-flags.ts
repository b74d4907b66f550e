// Service, command line: the flags for addresses, TLS and shutdown, and their conflicts.
import { type Command, InvalidArgumentError } from 'commander';
import {
  hostAndPort,
  isEveryAddress,
  type ListenAddress,
  LOOPBACK,
  parseListenAddress,
  plainConflict,
} from '../network/address.ts';
import { type ProxyTrust, parseTrustedProxies } from '../network/trusted-proxies.ts';

/** As commander parses them; each may be missing. */
export interface ListenFlags {
  readonly port: number;
  readonly listen?: ListenAddress;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly trustedProxy?: ProxyTrust;
  readonly allowedHost?: readonly string[];
  readonly drain?: number;
  readonly metrics?: ListenAddress;
}

export interface NetworkArguments {
  /** null: this computer alone. */
  readonly host: string | null;
  /** Files; null: plain http. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly trusts: ProxyTrust | null;
  readonly allowedHosts: readonly string[];
  /** How long SIGTERM waits for requests in flight, s; null: the default. */
  readonly drain: number | null;
}

/** The longest drain, s. */
const LONGEST_DRAIN_S = 600;
/** The default and minimum; a shorter drain would cut requests that the default lets finish. */
const SHORTEST_DRAIN_S = 3;

export const withListenOptions = (command: Command): Command =>
  command
    .option(
      '--listen <address:port>',
      'IP address and port to listen on, like 0.0.0.0:8443 or [::]:8443; beyond this computer it needs TLS or a trusted proxy',
      listenAddress,
    )
    .option('--tls-cert <file>', 'certificate (PEM, its chain after it); read again when the file changes')
    .option('--tls-key <file>', 'private key of the certificate (PEM, without a passphrase)')
    .option(
      '--trusted-proxy <list>',
      'addresses or networks of the proxies in front: their X-Forwarded-For names the client, and they may use plain http',
      trustedProxies,
    )
    .option(
      '--allowed-host <name>',
      'name that clients use for the service, with a port or for any port; may be given several times',
      allowedHost,
    )
    .option(
      '--drain <seconds>',
      `after SIGTERM, wait up to this long for deliveries and requests under way (default: ${SHORTEST_DRAIN_S}, at most ${LONGEST_DRAIN_S})`,
      whole(SHORTEST_DRAIN_S, LONGEST_DRAIN_S),
    )
    .option(
      '--metrics <[address:]port>',
      'serve metrics for Prometheus at /metrics of this port, on 127.0.0.1 unless an IP address is given; 0 picks a free one',
      metricsAddress,
    );

export const networkOf = ({
  listen,
  tlsCert,
  tlsKey,
  trustedProxy,
  allowedHost,
  drain,
}: ListenFlags): NetworkArguments => ({
  host: listen?.host ?? null,
  tls: tlsCert === undefined || tlsKey === undefined ? null : { cert: tlsCert, key: tlsKey },
  trusts: trustedProxy ?? null,
  allowedHosts: allowedHost ?? [],
  drain: drain ?? null,
});

/** @param isPortGiven whether --port is on the command line, and not its default */
export function listenConflict(flags: ListenFlags, isPortGiven: boolean): string | null {
  const { listen, port, tlsCert, tlsKey, trustedProxy, metrics } = flags;
  if (listen !== undefined && isPortGiven && listen.port !== port)
    return `--listen ${hostAndPort(listen)} and --port ${port} name two ports: leave out --port, which is a port on ${LOOPBACK}`;
  if (tlsCert !== undefined && tlsKey === undefined)
    return '--tls-cert needs --tls-key, the file with the private key of the certificate';
  if (tlsKey !== undefined && tlsCert === undefined)
    return '--tls-key needs --tls-cert, the file with the certificate of the key';
  if (metrics !== undefined && metrics.port !== 0 && metrics.port === (listen?.port ?? port) && meet(metrics, listen))
    return `--metrics ${metrics.port} is the port of the service: give another one`;
  if (listen === undefined) return null;
  const { host } = listen;
  return plainConflict({ host, isEncrypted: tlsCert !== undefined, isProxied: trustedProxy !== undefined });
}

const meet = ({ host }: ListenAddress, { host: other } = { host: LOOPBACK }): boolean =>
  host === other || isEveryAddress(host) || isEveryAddress(other);

export const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

function listenAddress(text: string): ListenAddress {
  const parsed = parseListenAddress(text);
  if (parsed === null)
    throw new InvalidArgumentError('It must be an IP address and a port, like 0.0.0.0:8443 or [::1]:8443.');
  return parsed;
}

function metricsAddress(text: string): ListenAddress {
  const parsed = parseListenAddress(text, LOOPBACK);
  if (parsed === null)
    throw new InvalidArgumentError('It must be a port, or an IP address and a port, like 9464 or 0.0.0.0:9464.');
  return parsed;
}

function trustedProxies(text: string): ProxyTrust {
  const parsed = parseTrustedProxies(text);
  if (typeof parsed === 'string') throw new InvalidArgumentError(parsed);
  return parsed;
}

function allowedHost(text: string, before: readonly string[] = []): readonly string[] {
  const name = text.toLowerCase();
  if (
    !/^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(name) ||
    !URL.canParse(`http://${name}`)
  )
    throw new InvalidArgumentError('It must be a name as clients write it, like desk.example or desk.example:8443.');
  return [...before, name];
}
