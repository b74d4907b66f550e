// Service: opens its port and the dashboard's, and checks Host and Origin of requests.
// It listens on 127.0.0.1 unless another address is given.
import { readFileSync } from 'node:fs';
import type { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Cancel } from '../shared/lib/clock.ts';
import { createConnectionPool, OPEN_PORT_LIMITS, ownersOf, PORT_LIMITS } from '../shared/lib/connection-pool.ts';
import { isLoopback } from '../shared/lib/loopback.ts';
import { type Progress, StoppedError } from '../shared/lib/progress.ts';
import { type DashboardScope, linkOf } from '../shared/wire/dashboard.ts';
import type { Environment } from '../shared/wire/keys.ts';
import { assembleInSteps, type RuntimeDeps, type ServiceConfig } from './assemble.ts';
import { createProxyTokens, type ProxyTokens } from './auth/proxy-tokens.ts';
import type { ClusterNode } from './cluster/node.ts';
import { openConflict } from './command-line/dashboard-flags.ts';
import { churn } from './load.ts';
import type { ServiceReadings } from './metrics/readings.ts';
import { hostAndPort, isEveryAddress, LOOPBACK, localHost, plainConflict } from './network/address.ts';
import { whyNotProxied, whyRefused } from './network/admission.ts';
import { readTlsPair, type TlsFiles, type TlsPair, watchTlsPair } from './network/tls.ts';
import type { ProxyTrust } from './network/trusted-proxies.ts';
import { defaultScopes } from './proxy/access.ts';
import { createDashboard } from './proxy/dashboard.ts';
import { createDashboardSessions } from './proxy/sessions.ts';
import { isProbe } from './routes/app.ts';
import type { Service } from './service.ts';
import type { AccessOptions } from './service-deps.ts';
import { inOneTurn, overTurns } from './steps.ts';

/** A clean shutdown takes less than 3 s; connections open after this are closed hard. */
const TIMEOUT_MS = 2_200;

export interface ListenDeps extends Omit<RuntimeDeps, 'publicUrl' | 'admit'> {
  /** Receives how far the start is. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether to end a start that goes on. Default: never. */
  readonly isStopped?: () => boolean;
}

const STOPPED = 'The start was stopped. The next one goes on after the closes that are computed.';

/** Addresses of the service for other computers. */
export interface NetworkOptions {
  /** IP address to listen on. Default: this computer alone. */
  readonly host?: string;
  /** Default: plain http. */
  readonly tls?: TlsFiles;
  /** Trusted proxies in front of the service. Default: none. */
  readonly trusts?: ProxyTrust;
  /** Host names that clients use, in lower case, with or without a port. */
  readonly allowedHosts?: readonly string[];
}

export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Default: this computer alone, by plain http. */
  readonly network?: NetworkOptions;
  /** A key to admit as live; null: issues one unless the store has one. */
  readonly key: string | null;
  /** Public address when it differs from this port (a reverse proxy). */
  readonly publicUrl?: string;
  /** Forced transitions per second. */
  readonly rate?: number;
  /** Without it there is no dashboard. */
  readonly dashboard?: DashboardOptions;
}

export interface DashboardOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** Address or name to listen on. Default: this computer alone. */
  readonly host?: string;
  /** Public address when it differs from this port (a reverse proxy). */
  readonly url?: string;
  /** Every program of this computer may use it without a session; then it must listen on a local address. */
  readonly isOpen?: boolean;
  /** Allowed actions of its clients. Default: all; without sessions only reads. */
  readonly scopes?: readonly DashboardScope[];
}

export interface RunningServer {
  readonly url: string;
  /** The key issued at this start, to be shown once. */
  readonly issued: string | null;
  /** Address of the dashboard, if there is one. */
  readonly dashboard: string | null;
  /** The one-time link that begins a session there; null where it needs none. */
  readonly dashboardLink: string | null;
  readonly readings: () => ServiceReadings;
  /**
   * Refuses new streams and deliveries, finishes those in flight, and closes; after `withinMs` cuts the rest.
   */
  drain(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the port, reads history, and resolves when every route answers.
 * @param node of a cluster; absent: one machine
 * @throws the errors of `assemble`; StoppedError for a start that was stopped; an error of code EADDRINUSE, EACCES or EADDRNOTAVAIL for an unavailable port;
 *   UsageError for certificate files that cannot be used; one sentence for an open dashboard, or plain http
 * without a
 *   proxy, that others would reach
 */
export async function listen(
  config: ServiceConfig,
  deps: ListenDeps,
  options: ListenOptions,
  node?: ClusterNode,
): Promise<RunningServer> {
  const { clock } = deps;
  const { host: dashboardHost = null, url: dashboardUrl = null, isOpen = false } = options.dashboard ?? {};
  const { scopes: dashboardScopes = null } = options.dashboard ?? {};
  const conflict = isOpen ? openConflict({ dashboardHost, dashboardUrl, dashboardScopes }) : null;
  if (conflict !== null) throw new Error(conflict);
  const listener = createListener(options, deps);
  const proxyTokens = options.dashboard === undefined ? null : createProxyTokens(deps.randomBytes(32), clock);
  const { onProgress: report, isStopped = () => false } = deps;
  const assembling = assembleInSteps(
    config,
    {
      ...deps,
      ...(proxyTokens === null ? {} : { proxyTokens }),
      ...listener.access,
    },
    node,
  );
  const service = node === undefined ? await overTurns(assembling, isStopped, report) : inOneTurn(assembling, report);
  if (service === null) throw new StoppedError(STOPPED);
  const environment = config.world.kind === 'sandbox' ? 'sandbox' : 'production';
  const dashboard =
    options.dashboard === undefined || proxyTokens === null
      ? null
      : buildDashboard(service, { ...deps, tokens: proxyTokens }, environment, options.dashboard, {
          address: listener.url,
          publicUrl: options.publicUrl,
          certificate: listener.certificate,
          trusts: options.network?.trusts,
        });
  let stopListener: Cancel = () => undefined;
  try {
    stopListener = await listener.open(service.app);
    const issued = service.admitKey(options.key);
    await service.start({ report, isStopped });
    if (isStopped()) throw new StoppedError(STOPPED);
    await dashboard?.open();
    const stopChurn = options.rate === undefined ? () => undefined : churn(service.signals, options.rate, clock);
    const close = async (withinMs: number): Promise<void> => {
      stopChurn();
      stopListener();
      const hard = clock.after(withinMs, () => service.app.server.closeAllConnections());
      await service.close();
      await dashboard?.close();
      hard();
    };
    return {
      url: listener.url(),
      issued,
      readings: service.readings,
      dashboard: dashboard?.address() ?? null,
      dashboardLink: dashboard?.link() ?? null,
      async drain(withinMs) {
        const endsAt = clock.now() + withinMs;
        stopChurn();
        const { promise: late, resolve } = Promise.withResolvers<void>();
        const cancel = clock.after(withinMs, resolve);
        await Promise.race([service.drain(), late]);
        cancel();
        await close(Math.max(0, endsAt - clock.now()));
      },
      close: () => close(TIMEOUT_MS),
    };
  } catch (error) {
    stopListener();
    await dashboard?.close();
    await service.close();
    throw error;
  }
}

/** The port of the service: its names, its admission rules, its certificate. */
function createListener({ network = {}, publicUrl, port: givenPort }: ListenOptions, deps: RuntimeLogger) {
  const { host = LOOPBACK, tls: files, trusts, allowedHosts = [] } = network;
  const isReachable = !isLoopback(host);
  const refusal = plainConflict({ host, isEncrypted: files !== undefined, isProxied: trusts !== undefined });
  if (refusal !== null) throw new Error(refusal);
  const scheme = files === undefined ? 'http' : 'https';
  let port = givenPort;
  let pair: TlsPair | null = files === undefined ? null : readTlsPair(files);
  const url = (): string => `${scheme}://${hostAndPort({ host: localHost(host), port })}`;
  const admit: AccessOptions['admit'] = (request) =>
    (isReachable && files === undefined && trusts !== undefined && !isProbe(request)
      ? whyNotProxied(request, trusts)
      : null) ??
    whyRefused(request, {
      scheme,
      port,
      url: publicUrl ?? url(),
      urls: [publicUrl],
      names: allowedHosts,
      byAddress: true,
      // One public address is named already: a further name is one more host.
      flag: isReachable || publicUrl !== undefined ? '--allowed-host' : '--public-url',
    });
  return {
    url,
    certificate: () => pair?.cert ?? null,
    access: {
      publicUrl: () => publicUrl ?? url(),
      admit,
      connections: {
        owners: () => clientsOf(port),
        limits: isReachable || trusts !== undefined ? OPEN_PORT_LIMITS : PORT_LIMITS,
      },
      listener: { ...(pair === null ? {} : { tls: pair }), ...(trusts === undefined ? {} : { trusts }) },
    },
    /** @returns a function that stops watching the certificate */
    async open(app: FastifyInstance): Promise<Cancel> {
      await app.listen({ host, port });
      port = portOf(app) ?? port;
      if (files === undefined || pair === null) return () => undefined;
      const server = app.server as unknown as TlsServer;
      return watchTlsPair(files, pair, deps, (renewed) => {
        server.setSecureContext({ ...renewed });
        pair = renewed;
      });
    },
  };
}

type RuntimeLogger = Pick<RuntimeDeps, 'clock' | 'logger'>;

interface ServiceAddress {
  readonly address: () => string;
  readonly publicUrl: string | undefined;
  /** PEM; null: plain http. */
  readonly certificate: () => string | null;
  readonly trusts: ProxyTrust | undefined;
}

function buildDashboard(
  { front }: Service,
  {
    clock,
    logger,
    randomBytes,
    tokens,
  }: Pick<RuntimeDeps, 'clock' | 'logger' | 'randomBytes'> & { tokens: ProxyTokens },
  environment: Environment,
  { host = LOOPBACK, isOpen = false, ...given }: DashboardOptions,
  service: ServiceAddress,
) {
  let { port } = given;
  const scopes = given.scopes ?? defaultScopes(isOpen);
  const isHosted = !isOpen && (given.url !== undefined || (host !== LOOPBACK && service.publicUrl !== undefined));
  const local = (): string => `http://${hostAndPort({ host: isEveryAddress(host) ? LOOPBACK : host, port })}`;
  const address = (): string => (isHosted ? (given.url ?? service.publicUrl ?? local()) : local());
  const sessions = createDashboardSessions({
    clock,
    randomBytes,
    logger,
    store: front.store,
    scopeOfKey: front.scopeOfKey,
  });
  const app = createDashboard({
    terms: { environment, isOpen, scopes },
    sessions,
    tokens,
    clock,
    logger,
    backend: {
      ...front,
      address: service.address,
      certificate: service.certificate,
      publicUrl: () => service.publicUrl ?? service.address(),
    },
    listener: {
      address,
      connections: createConnectionPool({ clock, owners: () => clientsOf(port) }),
      admit: (request) =>
        whyRefused(request, {
          scheme: 'http',
          port,
          url: `http://${LOOPBACK}:${port}`,
          urls: isOpen ? [local()] : [local(), given.url, service.publicUrl],
          flag: isOpen || given.url !== undefined ? null : '--dashboard-url',
        }),
      ...(service.trusts === undefined ? {} : { trusts: service.trusts }),
    },
  });
  return {
    address: local,
    link: () => (isOpen ? null : linkOf(address(), sessions.issue(scopes, null))),
    async open() {
      // For localhost Fastify would open a second server, on ::1, which the pool of connections does not
      // guard.
      await app.listen({ host: host.toLowerCase() === 'localhost' ? LOOPBACK : host, port });
      port = portOf(app) ?? port;
    },
    close: () => app.close(),
  };
}

const clientsOf = (port: number) => ownersOf((path) => readFileSync(path, 'latin1'), port);

function portOf({ server }: FastifyInstance): number | null {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : null;
}
