// Test harness: the market-data hosts of Binance, REST and stream, with faults on demand.
// The format is that of Binance; prices are a function of coin and time.
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { DAY_MS, MINUTE_MS } from '../../shared/lib/time.ts';

type Answer = 'prices' | 'too-many' | 'page' | 'forbidden' | 'down';

export interface FakeBinance {
  readonly hosts: { readonly rest: string; readonly stream: string };
  /** What REST answers from now on, and how often it was asked so far. */
  answer: Answer;
  readonly asked: readonly string[];
  /** Streams that clients have subscribed to, of all open connections. */
  subscribed(): string[];
  /** Sends every subscriber the minute that ended last, and the one in progress. */
  tick(): void;
  /** Ends all connections, and new ones at once while `refuses`. */
  cut(refuses: boolean): void;
  /** Says that the connections end soon, as before maintenance. */
  announceShutdown(): void;
  /** Sends a text as it is. */
  send(text: string): void;
  close(): Promise<void>;
}

export interface FakeBinanceOptions {
  readonly now: () => number;
  readonly coins: readonly string[];
  /** 0 picks a free one. */
  readonly port?: number;
  readonly price?: (coin: string, at: number) => number;
}

const LENGTHS: Readonly<Record<string, number>> = { '1d': DAY_MS, '1m': MINUTE_MS };

/** A slow wave and small noise: no move looks like a fault of the data. */
function wave(coin: string, at: number): number {
  const shift = coin.charCodeAt(0);
  const noise = Math.sin((at / MINUTE_MS) * 12.9898 + shift) * 43_758.5453;
  return 100 * (1 + 0.02 * Math.sin(at / (9 * DAY_MS) + shift) + 0.004 * (noise - Math.floor(noise)));
}

export async function startFakeBinance({
  now,
  coins,
  port = 0,
  price = wave,
}: FakeBinanceOptions): Promise<FakeBinance> {
  const app = Fastify({ forceCloseConnections: true });
  const sockets = new Map<WebSocket, Set<string>>();
  const asked: string[] = [];
  let isRefusing = false;
  const fake = { answer: 'prices' as Answer };

  const kline = (pair: string, interval: string, start: number) => {
    const end = start + (LENGTHS[interval] ?? MINUTE_MS);
    const coin = pair.replace(/USDT$/, '');
    const [open, close] = [price(coin, start), price(coin, Math.min(end, now()) - 1)];
    const text = (value: number): string => value.toFixed(8);
    return {
      ...{ start, last: end - 1, isClosed: end <= now() },
      ...{ open: text(open), high: text(Math.max(open, close) * 1.001), low: text(Math.min(open, close) * 0.999) },
      ...{ close: text(close), volume: text(1_000 + ((start / MINUTE_MS) % 97)) },
    };
  };

  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/stream')) return;
    asked.push(request.url);
    if (fake.answer === 'too-many')
      await reply.code(429).header('retry-after', '30').send({ code: -1003, msg: 'Too much' });
    else if (fake.answer === 'forbidden')
      await reply.code(451).send({ code: 0, msg: 'Unavailable from a restricted location' });
    else if (fake.answer === 'down') await reply.code(502).send('bad gateway');
    else if (fake.answer === 'page')
      await reply.type('text/html').send('<!doctype html><title>Checking your browser</title>');
  });
  app.get('/api/v3/time', () => ({ serverTime: now() }));
  app.get('/api/v3/exchangeInfo', () => ({
    serverTime: now(),
    symbols: coins.map((coin) => ({ symbol: `${coin}USDT`, status: 'TRADING', baseAsset: coin, quoteAsset: 'USDT' })),
  }));
  app.get('/api/v3/klines', async (request, reply) => {
    const { symbol = '', interval = '', startTime, endTime, limit } = request.query as Record<string, string>;
    const length = LENGTHS[interval];
    if (length === undefined || !coins.includes(symbol.replace(/USDT$/, '')))
      return reply.code(400).send({ code: -1121, msg: 'Invalid symbol.' });
    const rows: unknown[] = [];
    const to = Math.min(Number(endTime), now());
    for (
      let at = Math.ceil(Number(startTime) / length) * length;
      at <= to && rows.length < Number(limit);
      at += length
    ) {
      const { start, open, high, low, close, volume, last } = kline(symbol, interval, at);
      rows.push([start, open, high, low, close, volume, last, '0', 1, '0', '0', '0']);
    }
    return rows;
  });
  await app.register(websocket);
  mountStream(app, sockets, () => isRefusing);

  const sendKline = (socket: WebSocket, stream: string, start: number): void => {
    const [pair = '', interval = ''] = stream.toUpperCase().replace('@KLINE_', ' ').toLowerCase().split(' ');
    const s = pair.toUpperCase();
    const { open: o, high: h, low: l, close: c, volume: v, last: T, isClosed: x } = kline(s, interval, start);
    const k = { t: start, T, s, i: interval, f: 1, L: 2, o, c, h, l, v, n: 2, x, q: '0', V: '0', Q: '0', B: '0' };
    socket.send(JSON.stringify({ stream, data: { e: 'kline', E: now(), s, k } }));
  };

  await app.listen({ host: '127.0.0.1', port });
  const address = app.server.address();
  const at = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return Object.assign(fake, {
    hosts: { rest: `http://${at}`, stream: `ws://${at}` },
    asked,
    subscribed: () => [...sockets.values()].flatMap((streams) => [...streams]),
    tick() {
      const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
      for (const [socket, streams] of sockets)
        for (const stream of streams) {
          sendKline(socket, stream, minute - MINUTE_MS);
          sendKline(socket, stream, minute);
        }
    },
    cut(refuses: boolean) {
      isRefusing = refuses;
      for (const socket of sockets.keys()) socket.terminate();
    },
    announceShutdown() {
      for (const socket of sockets.keys()) socket.send(JSON.stringify({ e: 'serverShutdown', E: now() }));
    },
    send(text: string) {
      for (const socket of sockets.keys()) socket.send(text);
    },
    async close() {
      for (const socket of sockets.keys()) socket.terminate();
      await app.close();
    },
  });
}

function mountStream(app: FastifyInstance, sockets: Map<WebSocket, Set<string>>, isRefusing: () => boolean): void {
  app.get('/stream', { websocket: true }, (socket) => {
    if (isRefusing()) {
      socket.terminate();
      return;
    }
    const streams = new Set<string>();
    sockets.set(socket, streams);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data: Buffer) => {
      const { method, params, id } = JSON.parse(String(data)) as { method: string; params: string[]; id: number };
      if (method === 'SUBSCRIBE') for (const stream of params) streams.add(stream);
      socket.send(JSON.stringify({ result: null, id }));
    });
  });
}
