// Service, metrics: serves GET /metrics on a separate port.
import fastify from 'fastify';
import type { Clock } from '../../shared/lib/clock.ts';
import { createConnectionPool } from '../../shared/lib/connection-pool.ts';
import { NO_JSON_SCHEMAS } from '../../shared/lib/no-json-schemas.ts';
import { hostAndPort, type ListenAddress, localHost } from '../network/address.ts';
import { whyRefused } from '../network/admission.ts';
import type { Metrics } from './metrics.ts';
import { createPrometheus } from './prometheus.ts';
import type { ServiceReadings } from './readings.ts';

export interface MetricsServer {
  readonly url: string;
  /** For the parts of the service that measure. */
  readonly metrics: Metrics;
  /** Adds the values of the service to later scrapes. */
  attach(read: () => ServiceReadings): void;
  close(): Promise<void>;
}

export interface MetricsServerDeps {
  readonly clock: Clock;
  readonly version: string;
  /** Names that scrapers may use besides IP addresses. */
  readonly allowedHosts: readonly string[];
}

/** @throws an error of code EADDRINUSE, EACCES or EADDRNOTAVAIL */
export async function openMetrics(
  { host, port: givenPort }: ListenAddress,
  { clock, version, allowedHosts }: MetricsServerDeps,
): Promise<MetricsServer> {
  let read: (() => ServiceReadings) | null = null;
  let readings: ServiceReadings | null = null;
  const { metrics, contentType, scrape } = createPrometheus(version, () => readings);
  let port = givenPort;
  const url = (): string => `http://${hostAndPort({ host: localHost(host), port })}`;
  const app = fastify({ ...NO_JSON_SCHEMAS, forceCloseConnections: true });
  createConnectionPool({ clock }).guard(app.server);
  app.addHook('onRequest', async (request, reply) => {
    const refusal = whyRefused(request, {
      scheme: 'http',
      port,
      url: url(),
      urls: [],
      names: allowedHosts,
      byAddress: true,
      flag: '--allowed-host',
    });
    if (refusal !== null) return reply.code(403).type('text/plain').send(`${refusal}\n`);
  });
  app.get('/metrics', async (_request, reply) => {
    // Read once per scrape, because several gauges use it.
    readings = read?.() ?? null;
    return reply
      .type(contentType)
      .header('cache-control', 'no-store')
      .send(await scrape());
  });
  await app.listen({ host, port });
  const address = app.server.address();
  if (address !== null && typeof address === 'object') port = address.port;
  return {
    url: `${url()}/metrics`,
    metrics,
    attach(reader) {
      read = reader;
    },
    close: () => app.close(),
  };
}
