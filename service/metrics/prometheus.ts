// Service, metrics: names and kinds of the metrics, collected by prom-client.
// No label has a symbol, a key or an address: their number would grow with use.
import { Counter, collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import { DATA_HEALTH } from '../../shared/domain/data-health.ts';
import { ASSET_CLASSES } from '../../shared/domain/instruments.ts';
import { ATTEMPT_OUTCOMES, type Metrics, type TimedWork } from './metrics.ts';
import type { ServiceReadings } from './readings.ts';

/** Upper bounds, s: a commit takes a millisecond, a fan-out to thousands of streams some tens. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export interface Prometheus {
  readonly metrics: Metrics;
  readonly contentType: string;
  /** The text of a scrape. */
  scrape(): Promise<string>;
}

/** @param read null while the service is not assembled */
export function createPrometheus(version: string, read: () => ServiceReadings | null): Prometheus {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const histogram = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: BUCKETS, registers });
  const timed: Readonly<Record<TimedWork, Histogram>> = {
    append: histogram('barograph_log_append_seconds', 'Time to write events to the log durably.'),
    fanOut: histogram('barograph_stream_fanout_seconds', 'Time to hand new events to all open streams.'),
    advance: histogram('barograph_engine_advance_seconds', 'Time of one step of the engine over all symbols.'),
  };
  const attempts = new Counter({
    name: 'barograph_webhook_attempts_total',
    help: 'Attempts to deliver events to subscribers, by outcome; failed ones are given up.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ATTEMPT_OUTCOMES) attempts.inc({ outcome }, 0);
  const limited = new Counter({
    name: 'barograph_rate_limited_total',
    help: 'Requests that were answered 429, by path of the endpoint.',
    labelNames: ['endpoint'],
    registers,
  });
  new Gauge({ name: 'barograph_build_info', help: 'Version, as a label.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
  registerReadings(registry, read);

  return {
    metrics: {
      time(what, work) {
        const startedAt = performance.now();
        const value = work();
        timed[what].observe((performance.now() - startedAt) / 1_000);
        return value;
      },
      attempted: (outcome) => attempts.inc({ outcome }),
      limited: (endpoint) => limited.inc({ endpoint }),
    },
    contentType: registry.contentType,
    scrape: () => registry.metrics(),
  };
}

/** Gauges are read when they are scraped, and cost nothing meanwhile. */
function registerReadings(registry: Registry<OpenMetricsContentType>, read: () => ServiceReadings | null): void {
  const gauge = (name: string, help: string, value: (readings: ServiceReadings) => number | undefined): void =>
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const readings = read();
        const present = readings === null ? undefined : value(readings);
        if (present !== undefined) this.set(present);
      },
    });
  gauge('barograph_node_epoch', 'Term of the leader that this node heard of last.', ({ node }) => node?.epoch);
  gauge('barograph_node_leads', '1 while this node leads.', ({ node }) => node && Number(node.leads));
  gauge('barograph_node_position', 'Entry of the journal that this node applied last.', ({ node }) => node?.position);
  gauge('barograph_node_behind', 'Entries of the journal that this node has not applied.', ({ node }) => node?.behind);
  gauge('barograph_node_connected', '1 while the database answers.', ({ node }) => node && Number(node.isConnected));
  gauge('barograph_node_lanes', 'Lanes of webhook deliveries that this node sends.', ({ node }) => node?.lanes);
  gauge('barograph_log_seq', 'Number of the newest event in the log.', ({ seq }) => seq);
  gauge('barograph_world_lag_seconds', 'How far the evaluation is behind the time of the prices.', ({ lag }) => lag);
  gauge('barograph_streams_open', 'Open streams.', ({ streams }) => streams);
  gauge(
    'barograph_webhook_oldest_due_seconds',
    'How long the oldest delivery has been due.',
    ({ oldestDue }) => oldestDue,
  );
  gauge('barograph_ready', '1 while every endpoint answers.', ({ isReady }) => Number(isReady));
  new Gauge({
    name: 'barograph_price_age_seconds',
    help: 'Age of the oldest evaluated price of a class of instruments, in the time of the prices.',
    labelNames: ['asset_class'],
    registers: [registry],
    collect() {
      for (const asset_class of ASSET_CLASSES) {
        const age = read()?.priceAges.get(asset_class);
        if (age !== undefined) this.set({ asset_class }, age);
      }
    },
  });
  new Gauge({
    name: 'barograph_symbols',
    help: 'Covered symbols, by the health of their prices.',
    labelNames: ['data_health'],
    registers: [registry],
    collect() {
      const readings = read();
      if (readings === null) return;
      for (const data_health of DATA_HEALTH) this.set({ data_health }, readings.symbols.get(data_health) ?? 0);
    },
  });
}
