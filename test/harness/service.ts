// Test harness: the service in a process of its own, started by the command of the README.
import { setTimeout as delay } from 'node:timers/promises';
import { nodeScript, type RunningProcess, start } from './processes.ts';

export interface ServiceOptions {
  readonly environment: 'sandbox' | 'production';
  /** 0 takes a free one. */
  readonly port?: number;
  readonly key?: string;
  readonly db?: string;
  readonly clock?: string;
  readonly seed?: number;
  /** Number of symbols with signals, SPY first; without it all. */
  readonly symbols?: number;
  /** Forced transitions a second. */
  readonly rate?: number;
  readonly scenario?: string;
  readonly prices?: string;
  /** A folder of Markdown files, served as briefings too. */
  readonly editorial?: string;
  readonly dataDir?: string;
  /** Opens a dashboard there, whose address is its line `dashboard`; 0 takes a free one. */
  readonly dashboardPort?: number;
  /** Address of PostgreSQL: one node of several. */
  readonly cluster?: string;
  /** How long its start may take, ms; a large world takes minutes on a slow machine. */
  readonly readyMs?: number;
}

export interface RunningService {
  readonly process: RunningProcess;
  readonly url: string;
  readonly port: number;
  /** The given key, or the issued one. */
  readonly key: string;
  /**
   * Triggers an event now.
   * @returns the event_ids of what was written
   */
  trigger(event: string, symbol: string): Promise<string[]>;
}

/** A key in the form of the sandbox; a service started with it accepts it. */
export const TEST_KEY = 'svc_test_endtoendendtoend0001';

/** An instant of the sandbox at which its first five symbols are Normal, and stay Normal for half an hour. */
export const CALM_START = '2026-03-02T14:15:00Z,x1';

/** Limit for the start of the service on a slow machine, ms. */
const READY_MS = 90_000;
/** Pause before a busy service is called again, ms. A real server has no clock to pass. */
const BUSY_MS = 500;

export async function startService(options: ServiceOptions): Promise<RunningService> {
  const {
    environment,
    port = 0,
    key,
    db,
    clock,
    seed,
    symbols,
    rate,
    scenario,
    prices,
    editorial,
    dataDir,
    dashboardPort,
    cluster,
    readyMs = READY_MS,
  } = options;
  const given = {
    env: environment,
    port,
    key,
    db,
    clock,
    seed,
    symbols,
    rate,
    scenario,
    prices,
    editorial,
    'data-dir': dataDir,
    'dashboard-port': dashboardPort,
    cluster,
  };
  const flags = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
  const process_ = start(process.execPath, [...nodeScript('service'), ...flags]);
  try {
    const [, url = ''] = await process_.line(/^ready (http:\/\/127\.0\.0\.1:\d+)\/?$/, readyMs);
    const shown = key ?? (await process_.line(/^key (svc_\w+)$/))[1] ?? '';
    return {
      process: process_,
      url,
      port: Number(new URL(url).port),
      key: shown,
      trigger: (event, symbol) => trigger(url, shown, event, symbol),
    };
  } catch (problem) {
    await process_.kill();
    throw problem;
  }
}

/** Like fetch, but repeats a request that a busy service refused before doing anything. */
export async function fetchPatiently(url: string, init: RequestInit = {}): Promise<Response> {
  for (const deadline = performance.now() + READY_MS; ; await delay(BUSY_MS)) {
    const answer = await fetch(url, init);
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await answer.body?.cancel();
  }
}

async function trigger(url: string, key: string, event: string, symbol: string): Promise<string[]> {
  const answer = await fetchPatiently(`${url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ event, symbol }),
    signal: AbortSignal.timeout(READY_MS),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`trigger ${event} ${symbol}: ${answer.status} ${JSON.stringify(body)}`);
  return body.data.map((envelope: { event_id: string }) => envelope.event_id);
}
