// Service: the only file that opens a port: 127.0.0.1 (a dashboard where it is told), exact Host, no foreign Origin.
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createConnectionPool, ownersOf } from '../shared/lib/connection-pool.ts';
import { type DashboardScope, linkOf } from '../shared/wire/dashboard.ts';
import type { Environment } from '../shared/wire/keys.ts';
import { assemble, type RuntimeDeps, type ServiceConfig } from './assemble.ts';
import { createProxyTokens, type ProxyTokens } from './auth/proxy-tokens.ts';
import { openConflict } from './dashboard-flags.ts';
import { churn } from './load.ts';
import { defaultScopes } from './proxy/access.ts';
import { createDashboard } from './proxy/dashboard.ts';
import { createDashboardSessions } from './proxy/sessions.ts';
import type { Service } from './service.ts';

const LOOPBACK = '127.0.0.1';
/** A clean shutdown takes less than 3 s; connections open after this are closed hard. */
const TIMEOUT_MS = 2_200;

export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
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
  /** Address or name that it listens on. Default: this computer alone. */
  readonly host?: string;
  /** Public address when it differs from this port (a reverse proxy). */
  readonly url?: string;
  /** Every program of this computer may use it, without a session; then it has no address but a local one. */
  readonly isOpen?: boolean;
  /** What its clients may do. Default: all, but without sessions only to read. */
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
  close(): Promise<void>;
}

/**
 * Opens the port, reads history, and resolves when every route answers.
 * @throws the errors of `assemble`; an error of code EADDRINUSE or EACCES for an unavailable port; one sentence
 *   for an open dashboard that others would reach
 */
export async function listen(
  config: ServiceConfig,
  deps: Omit<RuntimeDeps, 'publicUrl' | 'admit'>,
  options: ListenOptions,
): Promise<RunningServer> {
  const { clock } = deps;
  const { host = null, url = null, isOpen = false, scopes = null } = options.dashboard ?? {};
  const conflict = isOpen ? openConflict({ dashboardHost: host, dashboardUrl: url, dashboardScopes: scopes }) : null;
  if (conflict !== null) throw new Error(conflict);
  let port = options.port;
  const proxyTokens = options.dashboard === undefined ? null : createProxyTokens(deps.randomBytes(32), clock);
  const service = assemble(config, {
    ...deps,
    ...(proxyTokens === null ? {} : { proxyTokens }),
    publicUrl: () => options.publicUrl ?? `http://${LOOPBACK}:${port}`,
    admit: (request) => whyRefused(request, { port, urls: [options.publicUrl], flag: '--public-url' }),
    owners: () => clientsOf(port),
  });
  const environment = config.world.kind === 'sandbox' ? 'sandbox' : 'production';
  const dashboard =
    options.dashboard === undefined || proxyTokens === null
      ? null
      : buildDashboard(service, { ...deps, tokens: proxyTokens }, environment, options.dashboard, {
          address: () => `http://${LOOPBACK}:${port}`,
          publicUrl: options.publicUrl,
        });
  try {
    await service.app.listen({ host: LOOPBACK, port });
    port = portOf(service.app) ?? port;
    const issued = service.admitKey(options.key);
    await service.start();
    await dashboard?.open();
    const stopChurn = options.rate === undefined ? () => undefined : churn(service.signals, options.rate, clock);
    return {
      url: `http://${LOOPBACK}:${port}`,
      issued,
      dashboard: dashboard?.address() ?? null,
      dashboardLink: dashboard?.link() ?? null,
      async close() {
        stopChurn();
        const hard = clock.after(TIMEOUT_MS, () => service.app.server.closeAllConnections());
        await service.close();
        await dashboard?.close();
        hard();
      },
    };
  } catch (error) {
    await dashboard?.close();
    await service.close();
    throw error;
  }
}

interface ServiceAddress {
  readonly address: () => string;
  readonly publicUrl: string | undefined;
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
  const local = (): string => `http://${EVERY_ADDRESS.includes(host) ? LOOPBACK : bracketed(host)}:${port}`;
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
    connections: createConnectionPool({ clock, owners: () => clientsOf(port) }),
    backend: {
      ...front,
      address: service.address,
      publicUrl: () => service.publicUrl ?? service.address(),
    },
    admit: (request) =>
      isOpen
        ? whyRefused(request, { port, urls: [local()], flag: null })
        : whyRefused(request, { port, urls: [local(), given.url, service.publicUrl], flag: '--dashboard-url' }),
    address,
  });
  return {
    address: local,
    link: () => (isOpen ? null : linkOf(address(), sessions.issue(scopes, null))),
    async open() {
      // For localhost Fastify would open a second server, on ::1, which the pool of connections does not guard.
      await app.listen({ host: host.toLowerCase() === 'localhost' ? LOOPBACK : host, port });
      port = portOf(app) ?? port;
    },
    close: () => app.close(),
  };
}

/** Addresses on which a port answers on every network of the computer. */
const EVERY_ADDRESS = ['0.0.0.0', '::'];
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
const clientsOf = (port: number) => ownersOf((path) => readFileSync(path, 'latin1'), port);

function portOf({ server }: FastifyInstance): number | null {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : null;
}

interface Names {
  readonly port: number;
  /** Further addresses of this listener. */
  readonly urls: readonly (string | undefined)[];
  /** The flag that names another one; null: there is none. */
  readonly flag: string | null;
}

/** Refuses web pages: neither a name that resolves to this host nor another origin may reach the service. */
function whyRefused({ headers, raw }: FastifyRequest, { port, urls, flag }: Names): string | null {
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`, ...(port === 80 ? [LOOPBACK, 'localhost'] : [])];
  const origins = hosts.map((host) => `http://${host}`);
  for (const url of urls) {
    if (url === undefined) continue;
    hosts.push(new URL(url).host);
    origins.push(new URL(url).origin);
  }
  // A target may name a host itself, which then takes precedence (RFC 9112, 3.2.2). Two Host headers are
  // refused (3.2).
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1] ?? headers.host;
  if (raw.headersDistinct.host?.length !== 1 || named === undefined || !hosts.includes(named.toLowerCase()))
    return `The request names another host. Call http://${hosts[0]}${flag === null ? '' : `, or start the service with ${flag} and the address that clients use`}.`;
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return 'Requests of web pages of another origin are not answered.';
  return null;
}
