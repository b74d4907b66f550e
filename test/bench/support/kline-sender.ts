// Bench, own process: the stream of an exchange: closed minutes of many coins in Binance's format.
// It sends as fast as they are taken.
// Arguments: COINS MINUTES, and the start of the first minute in ms. It begins with the first message of a client.
import { WebSocketServer } from 'ws';
import { coinAt, coinPrice } from './coins.ts';

export interface SenderPort {
  readonly kind: 'port';
  readonly port: number;
}

const MINUTE_MS = 60_000;
/** Sent before the loop of this process turns. */
const AT_ONCE = 500;
const [coins = 0, minutes = 0, from = 0] = process.argv.slice(2).map(Number);

function text(index: number, start: number): string {
  const price = coinPrice(index, start);
  const s = `${coinAt(index)}USDT`;
  const [o, c] = [price.toFixed(8), (price * 1.0003).toFixed(8)];
  const [h, l] = [(price * 1.001).toFixed(8), (price * 0.999).toFixed(8)];
  const k = {
    t: start,
    T: start + MINUTE_MS - 1,
    s,
    i: '1m',
    f: 1,
    L: 2,
    o,
    c,
    h,
    l,
    v: '1000',
    n: 2,
    x: true,
    q: '0',
    V: '0',
    Q: '0',
    B: '0',
  };
  return JSON.stringify({ stream: `${s.toLowerCase()}@kline_1m`, data: { e: 'kline', E: start + MINUTE_MS, s, k } });
}

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
server.on('connection', (socket) => {
  const texts = Array.from({ length: coins * minutes }, (_, at) =>
    text(at % coins, from + Math.floor(at / coins) * MINUTE_MS),
  );
  socket.once('message', () => {
    const send = (next: number): void => {
      if (next >= texts.length || socket.readyState !== socket.OPEN) return;
      for (const one of texts.slice(next, next + AT_ONCE - 1)) socket.send(one);
      socket.send(texts[Math.min(texts.length, next + AT_ONCE) - 1] ?? '', () => send(next + AT_ONCE));
    };
    send(0);
  });
});
server.on('listening', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    process.send?.({ kind: 'port', port: address.port } satisfies SenderPort);
});
