// Contract: the service's metrics over a real socket, and their names in dashboard and rules.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listen, type RunningServer } from '../../service/listen.ts';
import { type MetricsServer, openMetrics } from '../../service/metrics/server.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const KEY = 'svc_test_metricsmetrics0001';
const START = Date.parse('2026-03-02T14:30:00Z');
const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

let clock: ManualClock;
let server: MetricsServer;
let service: RunningServer;
beforeAll(async () => {
  clock = createManualClock(START);
  server = await openMetrics(
    { host: '127.0.0.1', port: 0 },
    { clock, version: '1.2.3', allowedHosts: ['metrics.example'] },
  );
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const failing = async () => ({ status: 500, error: 'answered 500', latencyMs: 1, response: null });
  service = await listen(
    { world: { kind: 'sandbox', seed: 7, symbols: 2 }, time: { start: START, speed: 1 }, file: ':memory:' },
    {
      clock,
      logger: silent,
      randomBytes,
      metrics: server.metrics,
      plans: { enforced: true },
      webhooks: { allowLoopback: true, post: failing },
    },
    { port: 0, key: KEY },
  );
});
afterAll(async () => {
  await service.close();
  await server.close();
});

const scrape = async (): Promise<string> => (await fetch(server.url)).text();
const value = (text: string, sample: string): number | null => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? null : Number(line.slice(sample.length + 1));
};
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
const trigger = (): Promise<Response> =>
  fetch(`${service.url}/sandbox/trigger`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ event: 'signal.high_risk', symbol: 'SPY' }),
  });

test('a scrape is OpenMetrics, also before the service is assembled', async () => {
  const before = await scrape();
  expect(before).toContain('# TYPE barograph_log_seq gauge');
  expect(value(before, 'barograph_ready')).toBe(0);
  server.attach(service.readings);
  const answer = await fetch(server.url);
  expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/\n# EOF\n$/);
  expect(text).toContain('barograph_build_info{version="1.2.3"} 1');
});

test('the page of metrics has what happened: events, streams, deliveries, refusals, ages', async () => {
  const stream = new AbortController();
  await fetch(`${service.url}/stream`, { headers, signal: stream.signal });
  const body = JSON.stringify({ url: 'http://127.0.0.1:9/hook' });
  await fetch(`${service.url}/signals/subscribe`, { method: 'POST', headers, body });
  const before = await scrape();
  await trigger();
  await clock.advance(1_500);
  const after = await scrape();
  const grown = (sample: string): number => (value(after, sample) ?? Number.NaN) - (value(before, sample) ?? 0);
  expect(grown('barograph_log_seq')).toBeGreaterThan(0);
  expect(grown('barograph_log_append_seconds_count')).toBeGreaterThan(0);
  expect(grown('barograph_stream_fanout_seconds_count')).toBeGreaterThan(0);
  expect(grown('barograph_engine_advance_seconds_count')).toBeGreaterThan(0);
  expect(grown('barograph_webhook_attempts_total{outcome="retried"}')).toBeGreaterThan(0);
  expect(value(after, 'barograph_streams_open')).toBe(1);
  expect(value(after, 'barograph_ready')).toBe(1);
  expect(value(after, 'barograph_world_lag_seconds')).toBeLessThan(1);
  expect(value(after, 'barograph_symbols{data_health="current"}')).toBe(2);
  expect(value(after, 'barograph_price_age_seconds{asset_class="etf"}')).toBeLessThan(3_600);
  // What is due while the clock of the retries goes on and nothing is sent.
  clock.jump(90_000);
  expect(value(await scrape(), 'barograph_webhook_oldest_due_seconds')).toBeGreaterThan(60);
  stream.abort();
  await expect.poll(async () => value(await scrape(), 'barograph_streams_open')).toBe(0);
  const path = '/api/archetypes/current';
  const statuses = await Promise.all(
    Array.from({ length: 150 }, async () => (await fetch(service.url + path, { headers })).status),
  );
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect(value(await scrape(), `barograph_rate_limited_total{endpoint="${path}"}`)).toBe(refused);
});

test('no label has a symbol, a key, an id or an address', async () => {
  const text = await scrape();
  const own = text.split('\n').filter((line) => line.startsWith('barograph_'));
  const names = own.flatMap((line) => [...line.matchAll(/([a-z_]+)="/g)].map(([, name]) => name));
  expect([...new Set(names)].sort()).toEqual(['asset_class', 'data_health', 'endpoint', 'le', 'outcome', 'version']);
  for (const secret of ['SPY', KEY, 'key_', '127.0.0.1', 'evt_']) expect(text).not.toContain(secret);
});

describe('the port', () => {
  const called = (host: string, path = '/metrics', method = 'GET', more = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, server.url), { method, headers: { host, ...more } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });

  test('answers scrapers by its own names, no web page, and nothing else', async () => {
    const { host } = new URL(server.url);
    for (const name of [host, 'metrics.example', `metrics.example:9464`]) expect(await called(name), name).toBe(200);
    expect(await called('evil.example')).toBe(403);
    expect(await called(host, '/metrics', 'GET', { origin: 'https://evil.example' })).toBe(403);
    expect(await called(host, '/')).toBe(404);
    expect(await called(host, '/metrics', 'POST')).toBe(404);
  });
});

describe('dashboard and rules', () => {
  /** Every name of a metric in a query: what is neither a function, a word of the language, nor within braces. */
  const namesIn = (query: string): string[] => [
    ...new Set(
      query
        .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without)\s*\([^)]*\)/g, ' ')
        .match(/\b[a-z_][a-z0-9_]*_[a-z0-9_]+\b(?!\s*\()/g) ?? [],
    ),
  ];
  const families = async (): Promise<string[]> =>
    [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram'
        ? [`${name}_bucket`, `${name}_sum`, `${name}_count`]
        : type === 'counter'
          ? [`${name}_total`]
          : [name],
    );

  const rules = (
    parse(readFileSync(join(DEPLOY, 'alerts.yml'), 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    }
  ).groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const));
  const panels = (
    JSON.parse(readFileSync(join(DEPLOY, 'grafana-dashboard.json'), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    }
  ).panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

  test.each([...rules, ...panels])('%s: every metric of %s is in a scrape', async (_what, expr) => {
    const names = namesIn(expr);
    // `up` is made by Prometheus itself.
    if (!expr.startsWith('up{')) expect(names.length).toBeGreaterThan(0);
    const known = await families();
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('a name that no scrape has is found', async () => {
    const known = await families();
    expect(namesIn('sum by (le) (rate(barograph_gone_bucket{instance="a_b"}[5m])) > 1')).toEqual([
      'barograph_gone_bucket',
    ]);
    expect(known).not.toContain('barograph_gone_bucket');
    expect(known).toContain('barograph_log_append_seconds_bucket');
  });
});
