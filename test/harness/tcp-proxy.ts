// Test harness: a TCP proxy that cuts, delays or holds its connections.
// It is the network between a node and its database.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export interface TcpProxy {
  /** On the loopback interface. */
  readonly port: number;
  /** Cuts all connections and refuses new ones. */
  cut(): void;
  /** Passes nothing in either direction; connections stay open, as in a network that loses everything. */
  hold(): void;
  /** Passes everything again, also what it held. */
  heal(): void;
  /** From now on everything takes this long in each direction, ms. */
  delay(ms: number): void;
  /** From now on each connection passes at most so much of what the server sends, in bytes a second. */
  limit(bytesPerSecond: number): void;
  /**
   * The next request that has this text reaches the server; its answer is lost and the connection cut.
   * @returns resolves when that has happened
   */
  loseAnswerTo(text: string): Promise<void>;
  connections(): number;
  close(): Promise<void>;
}

interface Lost {
  readonly text: string;
  readonly done: () => void;
}

export async function startTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'held' = 'open';
  let delayMs = 0;
  let rate = Number.POSITIVE_INFINITY;
  let lost: Lost | null = null;
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    if (state === 'cut') return void client.resetAndDestroy();
    // Also a connection that nobody answers is accepted by the network's other end.
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let losing: Lost | null = null;
    /** When the network has passed what the server sent so far. */
    let freeAt = 0;
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    const pass = (to: Socket, chunk: Buffer): void => {
      const write = (): void => void (to.destroyed || to.write(chunk));
      if (delayMs === 0) write();
      else setTimeout(write, delayMs).unref();
    };
    client.on('error', end).on('close', end);
    // What the server sent before it closed is still on its way.
    upstream.on('error', end).on('close', () => {
      if (freeAt > performance.now()) setTimeout(end, freeAt - performance.now()).unref();
      else end();
    });
    client.on('data', (chunk) => {
      if (lost !== null && chunk.includes(lost.text)) {
        losing = lost;
        lost = null;
      }
      pass(upstream, chunk);
    });
    upstream.on('data', (chunk) => {
      if (losing === null) {
        if (rate === Number.POSITIVE_INFINITY) return pass(client, chunk);
        freeAt = Math.max(freeAt, performance.now()) + (chunk.length / rate) * 1_000;
        return void setTimeout(() => pass(client, chunk), freeAt - performance.now()).unref();
      }
      client.resetAndDestroy();
      losing.done();
      end();
    });
    if (state === 'held') for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const each = (act: (socket: Socket) => void): void => {
    for (const pair of [...pairs]) for (const socket of pair) act(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      each((socket) => socket.destroy());
    },
    hold() {
      state = 'held';
      each((socket) => socket.pause());
    },
    heal() {
      state = 'open';
      each((socket) => socket.resume());
    },
    delay(ms) {
      delayMs = ms;
    },
    limit(bytesPerSecond) {
      rate = bytesPerSecond;
    },
    loseAnswerTo: (text) =>
      new Promise((done) => {
        lost = { text, done };
      }),
    connections: () => pairs.size,
    close() {
      each((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
