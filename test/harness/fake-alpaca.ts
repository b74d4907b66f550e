// Test harness: a vendor that answers as Alpaca does, by REST and on the stream.
// A test sets what is true, what the account may do, and what goes wrong.
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { newYorkDate, nextClose, nextOpen } from '../../shared/domain/sessions.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';

export const FAKE_KEY = { id: 'PKFAKEFAKEFAKE', secret: 'secretsecretsecretsecret' };

/** A bar by its start, UTC ms: of a day, midnight in New York. */
export interface FakeBar {
  readonly at: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface FakeAlpaca {
  readonly url: string;
  readonly streamUrl: string;
  /** By feed, step and symbol, oldest first. */
  readonly bars: Map<`${'iex' | 'sip'} ${'1Day' | '1Min'}`, Map<string, FakeBar[]>>;
  /** As `corporate_actions` of the answer, with the date by which a request finds each. */
  readonly actions: { readonly type: string; readonly processed: string; readonly row: Record<string, unknown> }[];
  readonly assets: Map<string, { readonly name: string; readonly status: 'active' | 'inactive' }>;
  /** Each path and query, in order, and what was sent on the stream without its key. */
  readonly requests: string[];
  readonly sent: unknown[];
  readonly account: {
    plan: 'basic' | 'plus';
    key: { id: string; secret: string };
    streamSymbols: number;
    pageSize: number;
  };
  now: number;
  /** The next answers of REST, in place of the right ones. */
  readonly faults: {
    readonly status: number;
    readonly body?: string;
    readonly type?: string;
    readonly headers?: Record<string, string>;
  }[];
  /** To everybody who is connected and subscribed. */
  broadcast(...messages: Record<string, unknown>[]): void;
  /** Cuts all connections of the stream. */
  cut(): void;
  connections(): number;
  close(): Promise<void>;
}

export async function startFakeAlpaca(now: number): Promise<FakeAlpaca> {
  const server = Fastify();
  const sockets = new Set<WebSocket>();
  const subscribed = new Set<WebSocket>();
  const fake: FakeAlpaca = {
    url: '',
    streamUrl: '',
    bars: new Map(),
    actions: [],
    assets: new Map(),
    requests: [],
    sent: [],
    account: { plan: 'basic', key: FAKE_KEY, streamSymbols: 30, pageSize: 10_000 },
    now,
    faults: [],
    broadcast: (...messages) => {
      for (const socket of subscribed) socket.send(JSON.stringify(messages));
    },
    cut: () => {
      for (const socket of sockets) socket.terminate();
    },
    connections: () => sockets.size,
    close: async () => {
      fake.cut();
      streams.close();
      await server.close();
    },
  };

  server.addHook('onRequest', async (request, reply) => {
    fake.requests.push(request.url);
    const fault = fake.faults.shift();
    if (fault !== undefined)
      return reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .type(fault.type ?? 'application/json')
        .send(fault.body ?? '{"message":"fault"}');
    const { id, secret } = fake.account.key;
    if (request.headers['apca-api-key-id'] !== id || request.headers['apca-api-secret-key'] !== secret)
      return reply.code(401).send({ message: 'unauthorized.' });
    return undefined;
  });
  server.get('/v2/stocks/bars', (request, reply) => barsAnswer(fake, request, reply));
  server.get('/v2/stocks/bars/latest', (request, reply) => latestAnswer(fake, request, reply));
  server.get('/v1/corporate-actions', (request) => actionsAnswer(fake, request));
  server.get('/v2/clock', () => ({
    timestamp: new Date(fake.now).toISOString(),
    is_open: false,
    next_open: new Date(nextOpen('us', fake.now)).toISOString(),
    next_close: new Date(nextClose('us', fake.now)).toISOString(),
  }));
  const asset = (symbol: string) => ({
    id: crypto.randomUUID(),
    class: 'us_equity',
    exchange: 'ARCA',
    symbol,
    tradable: true,
    marginable: true,
    shortable: true,
    easy_to_borrow: true,
    fractionable: true,
    ...fake.assets.get(symbol),
  });
  server.get('/v2/assets', () => [...fake.assets.keys()].map(asset));
  server.get<{ Params: { symbol: string } }>('/v2/assets/:symbol', ({ params: { symbol } }, reply) =>
    fake.assets.has(symbol)
      ? asset(symbol)
      : reply.code(404).send({ code: 40410000, message: `asset not found for ${symbol}` }),
  );

  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const streams = new WebSocketServer({ server: server.server });
  streams.on('connection', (socket, { url = '' }) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      subscribed.delete(socket);
    });
    socket.on('error', () => undefined);
    speak(fake, socket, url.endsWith('/sip') ? 'sip' : 'iex', sockets, subscribed);
  });
  return Object.assign(fake, { url: `http://127.0.0.1:${port}`, streamUrl: `ws://127.0.0.1:${port}` });
}

function speak(
  fake: FakeAlpaca,
  socket: WebSocket,
  feed: 'iex' | 'sip',
  all: ReadonlySet<WebSocket>,
  subscribed: Set<WebSocket>,
): void {
  const send = (message: Record<string, unknown>): void => socket.send(JSON.stringify([message]));
  const error = (code: number, msg: string): void => send({ T: 'error', code, msg });
  const channels = { bars: new Set<string>(), updatedBars: new Set<string>(), statuses: new Set<string>() };
  let isSignedIn = false;
  send({ T: 'success', msg: 'connected' });
  socket.on('message', (data) => {
    const { key, secret, ...message } = JSON.parse(String(data));
    fake.sent.push(message);
    if (message.action === 'auth') {
      if (key !== fake.account.key.id || secret !== fake.account.key.secret) return error(402, 'auth failed');
      if (all.size > 1) return error(406, 'connection limit exceeded');
      if (feed === 'sip' && fake.account.plan === 'basic') return error(409, 'insufficient subscription');
      isSignedIn = true;
      return send({ T: 'success', msg: 'authenticated' });
    }
    if (!isSignedIn) return error(401, 'not authenticated');
    const wanted = new Set([...channels.bars, ...message.bars]);
    if (fake.account.plan === 'basic' && wanted.size > fake.account.streamSymbols)
      return error(405, 'symbol limit exceeded');
    for (const name of ['bars', 'updatedBars', 'statuses'] as const)
      for (const symbol of message[name] ?? []) channels[name].add(symbol);
    subscribed.add(socket);
    const lists = Object.fromEntries(Object.entries(channels).map(([name, symbols]) => [name, [...symbols]]));
    return send({
      T: 'subscription',
      trades: [],
      quotes: [],
      dailyBars: [],
      ...lists,
      lulds: [],
      corrections: [],
      cancelErrors: [],
    });
  });
}

const queryOf = ({ query }: FastifyRequest): Record<string, string> => query as Record<string, string>;
const refusedSip = (reply: FastifyReply) =>
  reply.code(403).send({ message: 'subscription does not permit querying recent SIP data' });

function barsAnswer(fake: FakeAlpaca, request: FastifyRequest, reply: FastifyReply) {
  const {
    symbols = '',
    timeframe = '',
    start = '',
    end,
    limit = '1000',
    feed = 'sip',
    adjustment,
    page_token,
  } = queryOf(request);
  if (adjustment !== 'raw') return reply.code(400).send({ message: `unexpected adjustment ${adjustment}` });
  const until = end === undefined ? fake.now : Date.parse(end);
  if (feed === 'sip' && fake.account.plan === 'basic' && until > fake.now - 15 * MINUTE_MS) return refusedSip(reply);
  const known = fake.bars.get(`${feed} ${timeframe}` as 'sip 1Day') ?? new Map<string, FakeBar[]>();
  const rows = [...new Set(symbols.split(','))]
    .sort()
    .flatMap((symbol) => (known.get(symbol) ?? []).map((bar) => ({ symbol, bar })))
    .filter(({ bar }) => bar.at >= Date.parse(start) && bar.at <= until);
  const first = page_token === undefined ? 0 : Number(Buffer.from(page_token, 'base64').toString());
  const size = Math.min(Number(limit), fake.account.pageSize);
  const bars: Record<string, object[]> = {};
  for (const { symbol, bar } of rows.slice(first, first + size)) {
    bars[symbol] ??= [];
    bars[symbol]?.push({ t: new Date(bar.at).toISOString(), ...lettersOf(bar) });
  }
  const next = first + size < rows.length ? Buffer.from(String(first + size)).toString('base64') : null;
  return reply.send({ bars, next_page_token: next });
}

/** A bar as REST and stream write it, without its time. */
export const lettersOf = ({ open, high, low, close, volume }: FakeBar) => ({
  o: open,
  h: high,
  l: low,
  c: close,
  v: volume,
  n: 10,
  vw: (high + low + close) / 3,
});

function latestAnswer(fake: FakeAlpaca, request: FastifyRequest, reply: FastifyReply) {
  const { symbols = '', feed } = queryOf(request);
  if (feed === 'sip' && fake.account.plan === 'basic') return refusedSip(reply);
  const t = new Date(fake.now - (fake.now % MINUTE_MS)).toISOString();
  const bar = { t, ...lettersOf({ at: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 }) };
  return reply.send({ bars: Object.fromEntries(symbols.split(',').map((symbol) => [symbol, bar])) });
}

function actionsAnswer(fake: FakeAlpaca, request: FastifyRequest) {
  const {
    symbols = '',
    types = '',
    start = newYorkDate(fake.now),
    end = start,
    limit = '100',
    page_token,
  } = queryOf(request);
  const wanted = symbols.split(',');
  const found = fake.actions.filter(
    ({ type, processed, row }) =>
      types.split(',').includes(type) &&
      processed >= start &&
      processed <= end &&
      ['symbol', 'old_symbol', 'new_symbol', 'acquiree_symbol', 'acquirer_symbol'].some((name) =>
        wanted.includes(String(row[name])),
      ),
  );
  const first = Number(page_token ?? 0);
  const size = Math.min(Number(limit), fake.account.pageSize);
  const answer: Record<string, unknown[]> = {};
  for (const { type, processed, row } of found.slice(first, first + size)) {
    const name = `${type}s`;
    answer[name] ??= [];
    answer[name]?.push({ id: crypto.randomUUID(), process_date: processed, ...row });
  }
  return { corporate_actions: answer, next_page_token: first + size < found.length ? String(first + size) : null };
}
