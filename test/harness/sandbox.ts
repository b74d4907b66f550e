// Test harness: a small service in this process, of a sandbox or of price files, on a manual clock.
// It is called by inject.
import { randomBytes } from 'node:crypto';
import { assemble } from '../../service/assemble.ts';
import type { RiskModel } from '../../service/engine/risk/model.ts';
import type { WorldTime } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import type { PlanOptions } from '../../service/service-deps.ts';
import type { MarketScenario } from '../../shared/domain/scenarios.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export const SANDBOX_KEY = 'svc_test_contractcontract01';
/** The manual clock's start, and so the world's. */
export const SANDBOX_START = Date.parse('2026-03-02T14:30:00.000Z');

export interface SandboxOptions {
  readonly seed?: number;
  readonly symbols?: number;
  readonly scenario?: MarketScenario;
  /** A folder of prices, in place of the sandbox's market. */
  readonly folder?: string;
  /** A folder of files of what is due. */
  readonly events?: string;
  /** A live key of the environment. Default: one for the sandbox, or a new one over a folder. */
  readonly key?: string;
  readonly file?: string;
  readonly time?: WorldTime;
  readonly clock?: ManualClock;
  readonly publicUrl?: string;
  readonly plans?: PlanOptions;
  readonly model?: RiskModel;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any;
}

export interface Sandbox {
  readonly service: Service;
  readonly clock: ManualClock;
  /** Logged errors and warnings. */
  readonly complaints: string[];
  /** Logged information. */
  readonly notices: string[];
  /** GET with the key, unless headers say otherwise. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** All rows of a list, page by page. */
  whole<Row>(url: string): Promise<Row[]>;
  send(
    method: 'POST' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS' | 'PATCH',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /**
   * Triggers an event.
   * @returns the envelopes written
   */
  trigger(event: string, symbol?: string, overrides?: object): Promise<Answer>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    seed = 7,
    symbols = 3,
    scenario,
    folder,
    file = ':memory:',
    time = { start: null, speed: 1 },
    publicUrl = 'http://127.0.0.1:8787',
  } = options;
  const clock = options.clock ?? createManualClock(SANDBOX_START);
  const complaints: string[] = [];
  const notices: string[] = [];
  const complain = (fields: object, message: string): void =>
    void complaints.push(`${message} ${JSON.stringify(fields)}`);
  const world =
    folder === undefined
      ? ({ kind: 'sandbox', seed, symbols, ...(scenario === undefined ? {} : { scenario }) } as const)
      : ({ kind: 'prices', folder } as const);
  const service = assemble(
    {
      world,
      time,
      file,
      ...(options.events === undefined ? {} : { events: options.events }),
      ...(options.model === undefined ? {} : { model: options.model }),
    },
    {
      clock,
      logger: { debug: () => undefined, info: (_, text) => void notices.push(text), warn: complain, error: complain },
      randomBytes,
      publicUrl: () => publicUrl,
      checkReplies: true,
      ...(options.plans === undefined ? {} : { plans: options.plans }),
    },
  );
  const given = options.key ?? (folder === undefined ? SANDBOX_KEY : null);
  const key = service.admitKey(given) ?? given ?? '';
  await service.start();

  const ask = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Answer> => {
    const answer = await service.app.inject({
      // biome-ignore lint/suspicious/noExplicitAny: odd methods are part of the tests
      method: method as any,
      url,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    let parsed: unknown = null;
    try {
      parsed = JSON.parse(answer.body);
    } catch {
      // Not JSON: the body is null.
    }
    return { status: answer.statusCode, headers: flat, text: answer.body, body: parsed };
  };
  return {
    service,
    clock,
    complaints,
    notices,
    get: (url, headers = {}) => ask('GET', url, headers),
    async whole(url) {
      const rows = [];
      for (let after = ''; ; ) {
        const { body } = await ask('GET', `${url}${url.includes('?') ? '&' : '?'}limit=100${after}`, {});
        rows.push(...body.data);
        if (!body.has_more) return rows;
        after = `&after=${encodeURIComponent(body.next_cursor)}`;
      }
    },
    send: (method, url, body, headers = {}) => ask(method, url, headers, body),
    trigger: (event, symbol, overrides) =>
      ask('POST', '/sandbox/trigger', {}, { event, ...(symbol === undefined ? {} : { symbol }), ...overrides }),
  };
}
