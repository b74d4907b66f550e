// Test harness: a minimal wire service behind a fetch, with faults, for tests of the core.
// The core must not depend on our own service.
import { createHash, createHmac } from 'node:crypto';
import type { State } from '../../shared/domain/states.ts';
import { stateName } from '../../shared/domain/states.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { type EventEnvelope, signalEvent } from '../../shared/wire/events.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { keyIdOf, proofText } from '../../shared/wire/proof.ts';
import type { Signal, Transition } from '../../shared/wire/records.ts';
import { encodeComment, encodeEvent, HEARTBEAT_MS } from '../../shared/wire/sse.ts';

export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly headers: Headers;
  /** Empty where there is none. */
  readonly body: string;
}

/** Decides about a request; null lets it through. */
export type Fault = (request: WireRequest) => Response | 'unreachable' | 'silence' | null;

/** Known beside the service's key, for a profile of production. */
export const LIVE_KEY = 'svc_live_0123456789abcdef';

export interface WireService {
  readonly url: string;
  readonly key: string;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly log: EventEnvelope[];
  readonly requests: WireRequest[];
  /** Writes a transition to the log and sends it to the streams, unless they are deaf. */
  emit(
    symbol: string,
    to: State,
    options?: { readonly at?: string; readonly id?: string; readonly from?: State } & Partial<
      Pick<Transition, 'in_question' | 'note' | 'asset_class'>
    >,
  ): EventEnvelope;
  /** Writes text into every open stream. */
  write(text: string): void;
  /** Ends every open stream. */
  cut(): void;
  streams(): number;
  fault: Fault | null;
  /** Live events do not reach the streams; the log has them. */
  deaf: boolean;
  /** The streams send no heartbeat. */
  mute: boolean;
  accepts: (headers: Headers) => boolean;
  /** False: it has no proof of its key, like services of others. */
  proves: boolean;
  /** False: it is a service to the letter: it numbers no event, and lists transitions alone, by `from`. */
  hasEventLog: boolean;
  environment: 'sandbox' | 'production';
  /** Added to the clock's time to make the world's. */
  worldOffset: number;
  /** The speed of its clock as `GET /` declares it; null: it does not. */
  speed: number | null;
  /** It answers, and does not go on: it decides nothing and hears nothing new. `clockRuns`: `GET /` has the time. */
  stand(clockRuns?: boolean): void;
  /** It goes on; its list has what it did not hear, and its streams do not bring it. */
  goOn(): void;
  /** The symbols with a signal. */
  readonly symbols: string[];
  /** The price of a symbol, its change against the previous close, and its health; others have one that never moves. */
  readonly prices: Map<
    string,
    Partial<
      Pick<
        Signal,
        | 'price'
        | 'change_pct'
        | 'data_health'
        | 'asset_class'
        | 'exchange'
        | 'next_decision_at'
        | 'breach_progress'
        | 'price_question'
      >
    >
  >;
  /** Replaces the log by an empty one. */
  replaceLog(): void;
}

export const WIRE_SYMBOLS = ['SPY', 'QQQ', 'IWM', 'AAPL', 'XLK', 'ZZZ'];

/** Symbols with a regime and no signal. */
export const WIRE_REGIMES: ReadonlyMap<string, string> = new Map([
  ['BTC', 'calm_uptrend'],
  ['ETH', 'stress'],
  ['EURUSD', 'calm_downtrend'],
  ['GBPUSD', 'volatile_uptrend'],
]);

/** @param pages `lazy`: rows of the event log are encoded while they are read, so a refused page of 400 MB costs little */
export function createWireService(clock: Clock, pages: 'whole' | 'lazy' = 'whole'): WireService {
  const key = 'svc_test_wireservicewire01';
  const encoder = new TextEncoder();
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const states = new Map<string, { state: State; since: string }>();
  let standing: { at: number; clockRuns: boolean; length: number; states: typeof states } | null = null;
  let made = 0;

  const close = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
    streams.delete(stream);
    try {
      stream.close();
    } catch {
      // The other end cancelled it.
    }
  };
  const send = (stream: ReadableStreamDefaultController<Uint8Array>, text: string): void => {
    try {
      stream.enqueue(encoder.encode(text));
    } catch {
      streams.delete(stream);
    }
  };
  const beat = (): void => {
    if (!service.mute) for (const stream of streams) send(stream, encodeComment('alive'));
    clock.after(HEARTBEAT_MS, beat);
  };
  clock.after(HEARTBEAT_MS, beat);

  const world = (): number => clock.now() + service.worldOffset;
  /** World time as its answers have it. */
  const known = (): number => standing?.at ?? world();
  const heard = (): EventEnvelope[] => service.log.slice(0, standing?.length);
  const signal = (symbol: string): Signal => {
    const { state, since } = (standing?.states ?? states).get(symbol) ?? {
      state: 0,
      since: '2026-01-02T21:00:00.000Z',
    };
    return {
      symbol,
      name: `${symbol} Incorporated`,
      asset_class: 'etf',
      state,
      state_name: stateName(state),
      confidence: state === 0 ? 93 : 36,
      note: '',
      since,
      regime: 'calm_uptrend',
      price: 571.24,
      change_pct: -1.84,
      base_rate: 12,
      decided_at: timestamp(known() - 1000),
      next_decision_at: timestamp(known() + 60_000),
      updated_at: timestamp(known()),
      model_version: 'wire-1',
      ...service.prices.get(symbol),
    };
  };
  const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
  const refuse = (status: number, code: string, message: string): Response =>
    json({ code, message, doc_url: 'http://x/docs' }, status);
  const list = (data: readonly unknown[], hasMore: boolean, cursor: string | null): Response =>
    json({ data, has_more: hasMore, next_cursor: hasMore ? cursor : null });
  const lazyList = (data: readonly unknown[], hasMore: boolean, cursor: string | null): Response => {
    const end = JSON.stringify({ has_more: hasMore, next_cursor: hasMore ? cursor : null });
    const rows = data.values();
    let separator = '{"data":[';
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value, done } = rows.next();
        controller.enqueue(encoder.encode(done ? `],${end.slice(1)}` : `${separator}${JSON.stringify(value)}`));
        separator = ',';
        if (done) controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };

  const regime = (symbol: string): Response =>
    WIRE_REGIMES.has(symbol)
      ? json({ symbol, regime: WIRE_REGIMES.get(symbol) })
      : refuse(404, 'symbol_not_covered', `${symbol} is not covered`);

  const events = (request: WireRequest): Response => {
    const after = request.url.searchParams.get('after');
    const limit = Number(request.url.searchParams.get('limit') ?? 50);
    const log = heard();
    const from = after === null ? 0 : log.findIndex((event) => event.event_id === after) + 1;
    if (after !== null && from === 0) return refuse(400, 'invalid_request', `event ${after} is not in the log`);
    const rows = log.slice(from, from + limit);
    const answer = pages === 'lazy' && rows.length > 0 ? lazyList : list;
    return answer(rows, from + limit < log.length, rows.at(-1)?.event_id ?? null);
  };
  const transitions = (request: WireRequest): Transition[] => {
    const rows = heard().flatMap((event) => (event.event.startsWith('signal.') ? [event.data as Transition] : []));
    const from = service.hasEventLog ? null : request.url.searchParams.get('from');
    return from === null ? rows : rows.filter((row) => Date.parse(row.occurred_at) >= Date.parse(from));
  };
  const stream = (request: WireRequest, signalOf: AbortSignal | null | undefined): Response => {
    const last = request.headers.get('last-event-id');
    const log = heard();
    const from = last === null ? log.length : log.findIndex((event) => event.event_id === last) + 1;
    let controller: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(made) {
        controller = made;
        streams.add(controller);
        send(controller, encodeComment('hello'));
        if (from > 0 && !service.deaf) for (const event of log.slice(from)) send(controller, encodeEvent(event));
      },
      cancel: () => void streams.delete(controller),
    });
    signalOf?.addEventListener('abort', () => {
      streams.delete(controller);
      try {
        controller.error(signalOf.reason);
      } catch {
        // It was closed.
      }
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };

  const answer = (request: WireRequest, signalOf: AbortSignal | null | undefined): Response => {
    if (request.path === '/')
      return json({
        service: 'wire',
        version: '1',
        environment: service.environment,
        replay: false,
        time: timestamp(standing?.clockRuns === false ? standing.at : world()),
        ...(service.speed === null ? {} : { speed: service.speed }),
        links: {},
      });
    if (request.path === '/proof' && service.proves) {
      const [id = '', nonce = '', origin = ''] = ['key', 'nonce', 'origin'].map(
        (name) => request.url.searchParams.get(name) ?? '',
      );
      const digests = [key, LIVE_KEY].map((known) => createHash('sha256').update(known).digest('hex'));
      const digest = digests.find((known) => keyIdOf(known) === id) ?? '';
      return json({
        proof: createHmac('sha256', digest)
          .update(proofText(origin, id, nonce))
          .digest('hex'),
      });
    }
    if (!service.accepts(request.headers)) return refuse(401, 'unauthorized', 'This key is not known here.');
    switch (request.path) {
      case '/snapshot': {
        const symbols = request.url.searchParams.get('symbols')?.split(',') ?? service.symbols;
        return list(service.symbols.filter((symbol) => symbols.includes(symbol)).map(signal), false, null);
      }
      case '/history': {
        const symbol = request.url.searchParams.get('symbol') ?? '';
        if (!service.symbols.includes(symbol)) return refuse(404, 'symbol_not_covered', `${symbol} is not covered`);
        return list([{ ...signal(symbol), timestamp: timestamp(known()) }], false, null);
      }
      case '/alert-transitions':
        return list(transitions(request).reverse(), false, null);
      case '/events':
        return service.hasEventLog ? events(request) : refuse(404, 'not_found', 'There is no list of events.');
      case '/stream':
        return stream(request, signalOf);
      default:
        if (request.path.startsWith('/regime/')) return regime(request.path.slice('/regime/'.length));
        return refuse(404, 'not_found', `${request.path} does not exist`);
    }
  };

  const service: WireService = {
    url: 'http://127.0.0.1:18787',
    key,
    log: [],
    requests: [],
    fault: null,
    deaf: false,
    mute: false,
    hasEventLog: true,
    environment: 'sandbox',
    proves: true,
    worldOffset: 0,
    speed: null,
    stand(clockRuns = false) {
      standing = { at: world(), clockRuns, length: service.log.length, states: new Map(states) };
    },
    goOn() {
      standing = null;
    },
    symbols: [...WIRE_SYMBOLS],
    prices: new Map(),
    accepts: (headers) => headers.get('x-api-key') === key,
    async fetch(url, init = {}) {
      const parsed = new URL(url);
      const request: WireRequest = {
        method: init.method ?? 'GET',
        url: parsed,
        path: parsed.pathname,
        headers: new Headers(init.headers),
        body: typeof init.body === 'string' ? init.body : '',
      };
      service.requests.push(request);
      const fault = service.fault?.(request) ?? null;
      if (fault === 'unreachable')
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
        });
      if (fault === 'silence') return new Promise<Response>(() => undefined);
      return fault ?? answer(request, init.signal);
    },
    emit(symbol, to, options = {}) {
      made += 1;
      const at = options.at ?? timestamp(world());
      const id = options.id ?? `evt_${String(made).padStart(6, '0')}`;
      const from = options.from ?? states.get(symbol)?.state ?? 0;
      states.set(symbol, { state: to, since: at });
      const event: EventEnvelope = {
        event_id: id,
        seq: (service.log.at(-1)?.seq ?? 0) + 1,
        event: signalEvent(to),
        timestamp: at,
        data: {
          event_id: id,
          symbol,
          asset_class: options.asset_class ?? 'etf',
          from_state: from,
          to_state: to,
          state_name: stateName(to),
          regime: 'stress',
          confidence: to === 0 ? 93 : 36,
          note: options.note ?? '',
          ...(options.in_question === undefined ? {} : { in_question: options.in_question }),
          occurred_at: at,
          model_version: 'wire-1',
        },
      };
      if (!service.hasEventLog) Object.assign(event, { seq: undefined });
      service.log.push(event);
      if (!service.deaf && standing === null) service.write(encodeEvent(event));
      return event;
    },
    write(text) {
      for (const stream of streams) send(stream, text);
    },
    cut() {
      for (const stream of streams) close(stream);
    },
    streams: () => streams.size,
    replaceLog() {
      service.log.length = 0;
      service.cut();
    },
  };
  return service;
}
