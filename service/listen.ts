// Service: the only file that opens a port: 127.0.0.1, exact Host, no foreign Origin.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { assemble, type RuntimeDeps, type ServiceConfig } from './assemble.ts';
import { churn } from './load.ts';
import { createDashboard } from './proxy/dashboard.ts';
import { createProxyTokens } from './proxy/tokens.ts';

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
  /** Port of the dashboard's proxy; 0 picks a free one. Without it there is no proxy. */
  readonly dashboardPort?: number;
}

export interface RunningServer {
  readonly url: string;
  /** The key issued at this start, to be shown once. */
  readonly issued: string | null;
  /** Address of the dashboard, if there is one. */
  readonly dashboard: string | null;
  close(): Promise<void>;
}

/**
 * Opens the port, reads history, and resolves when every route answers.
 * @throws the errors of `assemble`; an error of code EADDRINUSE or EACCES for an unavailable port
 */
export async function listen(
  config: ServiceConfig,
  deps: Omit<RuntimeDeps, 'publicUrl' | 'admit'>,
  options: ListenOptions,
): Promise<RunningServer> {
  const { clock } = deps;
  let port = options.port;
  const proxyTokens = options.dashboardPort === undefined ? null : createProxyTokens(deps.randomBytes(32), clock);
  const service = assemble(config, {
    ...deps,
    ...(proxyTokens === null ? {} : { proxyTokens }),
    publicUrl: () => options.publicUrl ?? `http://${LOOPBACK}:${port}`,
    admit: (request) => whyRefused(request, port, options.publicUrl),
  });
  let dashboardPort = options.dashboardPort ?? 0;
  const dashboard =
    proxyTokens === null
      ? null
      : createDashboard({
          environment: config.world.kind === 'sandbox' ? 'sandbox' : 'production',
          tokens: proxyTokens,
          logger: deps.logger,
          backend: () => `http://${LOOPBACK}:${port}`,
          admit: (request) => whyRefused(request, dashboardPort, undefined),
          cookie: () => `barograph_dashboard_${dashboardPort}`,
        });
  try {
    await service.app.listen({ host: LOOPBACK, port });
    port = portOf(service.app) ?? port;
    const issued = service.admitKey(options.key);
    await service.start();
    if (dashboard !== null) {
      await dashboard.listen({ host: LOOPBACK, port: dashboardPort });
      dashboardPort = portOf(dashboard) ?? dashboardPort;
    }
    const stopChurn = options.rate === undefined ? () => undefined : churn(service.signals, options.rate, clock);
    return {
      url: `http://${LOOPBACK}:${port}`,
      issued,
      dashboard: dashboard === null ? null : `http://${LOOPBACK}:${dashboardPort}`,
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

function portOf({ server }: FastifyInstance): number | null {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : null;
}

/** Refuses web pages: neither a name that resolves to this host nor another origin may reach the service. */
function whyRefused({ headers, raw }: FastifyRequest, port: number, publicUrl: string | undefined): string | null {
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`, ...(port === 80 ? [LOOPBACK, 'localhost'] : [])];
  const origins = hosts.map((host) => `http://${host}`);
  if (publicUrl !== undefined) {
    hosts.push(new URL(publicUrl).host);
    origins.push(new URL(publicUrl).origin);
  }
  // A target may name a host itself, which then takes precedence (RFC 9112, 3.2.2). Two Host headers are
  // refused (3.2).
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw.url ?? '')?.[1] ?? headers.host;
  if (raw.headersDistinct.host?.length !== 1 || named === undefined || !hosts.includes(named.toLowerCase())) {
    return `This service answers to ${hosts[0]} only, and the request names another host.`;
  }
  const { origin } = headers;
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return 'Requests of web pages of another origin are not answered.';
  return null;
}
