// Test harness: a signal service from the specification alone, with every open choice switchable.
// It uses no code of the service, and of the product nothing but the type of a clock.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../shared/lib/clock.ts';

/** What the specification leaves open, and this service decides. */
export interface ForeignChoices {
  /** Id of an event: none; a text under event_id; a number under id. */
  readonly ids: 'none' | 'text' | 'number';
  /** Field of an event's time; null: it has none. */
  readonly time: 'occurred_at' | 'timestamp' | 'time' | 'at' | null;
  /** Its integers or words for Normal, Elevated, High Risk. */
  readonly states: readonly [number | string, number | string, number | string];
  readonly hasPrice: boolean;
  /** It lists its events at /events, oldest first. */
  readonly hasEvents: boolean;
  /** Key of the items of a list; null: a bare array, in one page. */
  readonly items: string | null;
  /** Around a list: nothing; an object in an object; a list of errors beside it. */
  readonly around: 'nothing' | 'object' | 'errors';
  /** Rows of /alert-transitions: the fields of the signal among the others, or in an object of their own. */
  readonly rows: 'flat' | 'nested';
  /** Rows of a page, where the request does not say, or is not heeded. */
  readonly pageSize: number;
  /** Query parameters that it heeds. */
  readonly heeds: readonly ('from' | 'symbols' | 'limit')[];
  /** Query parameters that it refuses with 400. */
  readonly refuses: readonly string[];
  /** Order of /alert-transitions. */
  readonly order: 'newest' | 'oldest';
  /** repeats: the last page names the cursor again by which it was asked for. */
  readonly cursor: 'ends' | 'repeats';
  /** What a cursor of another service gets: the first page, 400, or an empty last page. */
  readonly unknownCursor: 'ignored' | 'refused' | 'empty';
  /** A signal on the stream: in an envelope, bare, or as signal.created. */
  readonly frame: 'envelope' | 'bare' | 'created';
  /** Lines of a frame: as few as possible; ended by CR and LF, with its JSON indented over several; in a list, without the blank after the colon. */
  readonly lines: 'few' | 'indented' | 'listed';
  /** Whether a frame has a line with the name of its event. */
  readonly hasEventLine: boolean;
  /** Where an event on the stream has its id, if it has one. */
  readonly idIn: 'both' | 'frame' | 'body';
  /** How it writes an instant: with milliseconds, without, or by the offset of a zone. */
  readonly instants: 'Z' | 'seconds' | 'offset';
  /** How a page says that it is the last. */
  readonly lastPage: 'null' | 'empty' | 'silent';
  /** The header that takes the key; the other one is 401. */
  readonly auth: 'X-API-Key' | 'Bearer';
  /** /snapshot: a list, or an object of symbol to signal, in one page. */
  readonly snapshot: 'list' | 'map';
  /** Sent every ten seconds on the stream. */
  readonly beat: 'comment' | 'ping' | 'none';
  /** Body of /health and of /. */
  readonly health: string;
  /** Body of the answer to POST /signals/subscribe; null: 204 without one. */
  readonly subscription: Readonly<Record<string, unknown>> | null;
}

/** As little as the specification asks for. */
export const SPARE: ForeignChoices = {
  ids: 'text',
  time: 'timestamp',
  states: [0, 1, 2],
  hasPrice: false,
  hasEvents: false,
  items: 'items',
  around: 'nothing',
  rows: 'flat',
  pageSize: 50,
  heeds: ['from', 'symbols', 'limit'],
  refuses: [],
  order: 'newest',
  cursor: 'ends',
  unknownCursor: 'ignored',
  frame: 'envelope',
  lines: 'few',
  hasEventLine: true,
  idIn: 'both',
  instants: 'Z',
  lastPage: 'null',
  auth: 'X-API-Key',
  snapshot: 'list',
  beat: 'comment',
  health: '{"hello":"world"}',
  subscription: { id: 1, url: 'http://127.0.0.1/', signing_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0ISEh' },
};

export interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

/** silence: it never answers. */
export type ForeignAnswer = Response | 'silence' | null;

export interface ForeignEvent {
  readonly number: number;
  readonly symbol: string;
  /** 0 Normal, 1 Elevated, 2 High Risk. */
  readonly state: 0 | 1 | 2;
  readonly at: number;
  readonly note: string;
}

export interface ForeignService {
  readonly url: string;
  readonly key: string;
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly requests: ForeignRequest[];
  /** Oldest first. */
  readonly log: readonly ForeignEvent[];
  /** A symbol enters a state. @param at its time by the service, ms */
  enter(symbol: string, state: 0 | 1 | 2, at?: number): ForeignEvent;
  /** Replaces the answer to a request; null: its own. */
  fault: (request: ForeignRequest) => ForeignAnswer;
  /** What is entered reaches the lists, and no stream. */
  isDeaf: boolean;
  /** Ends every open stream. */
  cut(): void;
  streams(): number;
  /** The same over HTTP, on loopback. */
  listen(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

const NAMES = ['signal.normal', 'signal.elevated', 'signal.high_risk'] as const;
const BEAT = 10_000;

export function createForeignService(
  clock: Clock,
  symbols: readonly string[],
  given: Partial<ForeignChoices> = {},
): ForeignService {
  const choices: ForeignChoices = { ...SPARE, ...given };
  const log: ForeignEvent[] = [];
  const requests: ForeignRequest[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  const write = (text: string): void => {
    for (const stream of streams)
      try {
        stream.enqueue(encoder.encode(text));
      } catch {
        streams.delete(stream);
      }
  };
  const beat = (): void => {
    if (choices.beat === 'comment') write(': still here\n\n');
    if (choices.beat === 'ping') write('event: ping\ndata: {"n":1}\n\n');
    clock.after(BEAT, beat);
  };
  clock.after(BEAT, beat);

  const { listed, named, frame } = createWriting(choices);
  const stateOf = (symbol: string) => log.findLast((event) => event.symbol === symbol);
  const signal = (symbol: string): { readonly symbol: string; readonly [field: string]: unknown } => {
    const last = stateOf(symbol);
    return {
      symbol,
      state: choices.states[last?.state ?? 0],
      confidence: 83.3,
      note: last?.note ?? '',
      ...(choices.hasPrice ? { price: 101.5 } : {}),
    };
  };
  const page = (rows: readonly object[], query: URLSearchParams): Response => {
    if (choices.items === null) return json(rows);
    const limit = Number(query.get('limit') ?? 0);
    const size = choices.heeds.includes('limit') && limit > 0 ? limit : choices.pageSize;
    const after = query.get('after') ?? 'c0';
    const isKnown = /^c\d+$/.test(after);
    if (!isKnown && choices.unknownCursor === 'refused') return refuse(400, 'invalid_request');
    const from = isKnown ? Number(after.slice(1)) : choices.unknownCursor === 'empty' ? rows.length : 0;
    const end = Math.min(from + size, rows.length);
    const hasMore = end < rows.length;
    const cursor = hasMore ? `c${end}` : choices.cursor === 'repeats' && query.has('after') ? `c${from}` : null;
    const items = { [choices.items]: rows.slice(from, end) };
    const none = choices.lastPage === 'empty' ? '' : null;
    const paging = { has_more: cursor !== null, next_cursor: cursor ?? none };
    const listed = cursor === null && choices.lastPage === 'silent' ? items : { ...items, ...paging };
    if (choices.around === 'errors') return json({ errors: [], ...listed });
    return json(choices.around === 'object' ? { result: listed } : listed);
  };
  const transitions = (query: URLSearchParams): readonly object[] => {
    const from = choices.heeds.includes('from') ? Date.parse(query.get('from') ?? '') : Number.NaN;
    const rows = log.filter(({ at }) => Number.isNaN(from) || at >= from);
    return (choices.order === 'newest' ? rows.toReversed() : rows).map(listed);
  };
  const stream = (signalOf: AbortSignal | null | undefined): Response => {
    let own: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        own = controller;
        streams.add(own);
        own.enqueue(encoder.encode(': welcome\n\n'));
      },
      cancel: () => void streams.delete(own),
    });
    signalOf?.addEventListener('abort', () => {
      if (!streams.delete(own)) return;
      own.error(signalOf.reason);
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  };
  const answer = (request: ForeignRequest, signalOf: AbortSignal | null | undefined): Response => {
    const { method, path, query, headers } = request;
    if (path === '/' || path === '/health') return new Response(choices.health);
    const given = choices.auth === 'Bearer' ? headers.get('authorization') : headers.get('x-api-key');
    if (given !== `${choices.auth === 'Bearer' ? 'Bearer ' : ''}${service.key}`) return refuse(401, 'UNAUTHORIZED');
    if (choices.refuses.some((name) => query.has(name))) return refuse(400, 'invalid_request');
    if (path === '/snapshot') {
      const asked = choices.heeds.includes('symbols') ? query.get('symbols')?.split(',') : undefined;
      const rows = symbols.filter((symbol) => asked?.includes(symbol) ?? true).map(signal);
      if (choices.snapshot === 'list') return page(rows, query);
      return json(Object.fromEntries(rows.map(({ symbol, ...rest }) => [symbol, rest])));
    }
    if (path === '/alert-transitions') return page(transitions(query), query);
    if (path === '/events' && choices.hasEvents) return page(log.map(named), query);
    if (path === '/stream') return stream(signalOf);
    if (path === '/signals/subscribe' && method === 'POST')
      return choices.subscription === null ? new Response(null, { status: 204 }) : json(choices.subscription, 201);
    return refuse(404, 'not_found');
  };

  const service: ForeignService = {
    url: 'http://127.0.0.1:18788',
    key: 'svc_test_foreignforeign001',
    requests,
    log,
    fault: () => null,
    isDeaf: false,
    async fetch(url, init = {}) {
      const { pathname: path, searchParams: query } = new URL(url);
      const body = typeof init.body === 'string' ? init.body : '';
      const request = { method: init.method ?? 'GET', path, query, headers: new Headers(init.headers), body };
      requests.push(request);
      const replaced = service.fault(request);
      if (replaced === 'silence') return new Promise<Response>(() => undefined);
      return replaced ?? answer(request, init.signal);
    },
    enter(symbol, state, at = clock.now()) {
      const event = { number: log.length + 1, symbol, state, at, note: `entered as number ${log.length + 1}` };
      log.push(event);
      if (!service.isDeaf) write(frame(event));
      return event;
    },
    cut() {
      for (const stream of streams) stream.close();
      streams.clear();
    },
    streams: () => streams.size,
    listen: () => listen(service),
  };
  return service;
}

/** An event as the lists, /events and the stream write it. */
function createWriting(choices: ForeignChoices) {
  const { ids, time, states, hasPrice, frame } = choices;
  const idOf = ({ number }: ForeignEvent): object =>
    ids === 'none' ? {} : ids === 'number' ? { id: number } : { event_id: `x-${number}` };
  const timeOf = ({ at }: ForeignEvent): object => (time === null ? {} : { [time]: written(at, choices.instants) });
  const data = ({ symbol, state, note }: ForeignEvent): object => ({
    symbol,
    state: states[state],
    confidence: 83.3,
    note,
    ...(hasPrice ? { price: 101.5 } : {}),
  });
  const listed = (event: ForeignEvent): object => {
    const signal = choices.rows === 'nested' ? { signal: data(event) } : data(event);
    return { ...idOf(event), ...timeOf(event), ...signal };
  };
  const envelope = (event: ForeignEvent): object => ({
    event: frame === 'created' ? 'signal.created' : NAMES[event.state],
    ...timeOf(event),
    data: data(event),
  });
  const named = (event: ForeignEvent): object => ({ ...idOf(event), ...envelope(event) });
  return {
    listed,
    named,
    frame(event: ForeignEvent): string {
      const name = frame === 'created' ? 'signal.created' : NAMES[event.state];
      const hasIdLine = ids !== 'none' && choices.idIn !== 'body';
      const idLine = hasIdLine ? [`id: ${ids === 'number' ? event.number : `x-${event.number}`}`] : [];
      const whole = frame === 'bare' ? { ...timeOf(event), ...data(event) } : envelope(event);
      const body = choices.idIn === 'frame' ? whole : { ...idOf(event), ...whole };
      const nameLine = (line: string): string[] => (choices.hasEventLine ? [line] : []);
      const lines = (text: string): string[] => text.split('\n').map((line) => `data: ${line}`);
      if (choices.lines === 'few')
        return [...nameLine(`event: ${name}`), ...idLine, ...lines(JSON.stringify(body)), '', ''].join('\n');
      if (choices.lines === 'indented')
        return [...lines(JSON.stringify(body, null, 2)), ...idLine, ...nameLine(`event: ${name}`), '', ''].join('\r\n');
      return [`data:${JSON.stringify([body])}`, ...idLine, ...nameLine(`event:${name}`), '', ''].join('\n');
    },
  };
}

function written(at: number, instants: ForeignChoices['instants']): string {
  if (instants === 'Z') return new Date(at).toISOString();
  const seconds = (instant: number): string => new Date(instant).toISOString().slice(0, 19);
  return instants === 'seconds' ? `${seconds(at)}Z` : `${seconds(at + 2 * 3_600_000)}+02:00`;
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refuse = (status: number, code: string): Response => json({ code, message: `Refused with ${status}.` }, status);

/** Serves it by node:http, so that a process of its own can watch it. */
async function listen(service: ForeignService): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const over = new AbortController();
    outgoing.on('close', () => over.abort());
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await service.fetch(`${service.url}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        body: Buffer.concat(chunks).toString('utf8'),
        signal: over.signal,
      });
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      try {
        for await (const chunk of answer.body ?? []) outgoing.write(chunk);
        outgoing.end();
      } catch {
        outgoing.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
