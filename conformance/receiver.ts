// Conformance: a local server that keeps every byte of a webhook and answers by its path.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../shared/lib/clock.ts';

/**
 * good: 200. fails-once: 500 to the first delivery, then 200. refuses-once: 404 to the first, then 204.
 * redirects-once: 302 to the first, without a valid target, then 200. silent: no answer.
 */
export type Manner = 'good' | 'fails-once' | 'refuses-once' | 'redirects-once' | 'silent';
/** Statuses of the first answer and of later answers. */
const STATUSES: Readonly<Record<Exclude<Manner, 'silent'>, readonly [first: number, later: number]>> = {
  good: [200, 200],
  'fails-once': [500, 200],
  'refuses-once': [404, 204],
  'redirects-once': [302, 200],
};

export interface Arrival {
  readonly manner: Manner;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** ms. */
  readonly at: number;
  /** When the sender stopped waiting, ms; null while it waits, or after an answer. */
  leftAt: number | null;
}

export interface Receiver {
  url(manner: Manner): string;
  arrivals(manner: Manner): readonly Arrival[];
  close(): Promise<void>;
}

const MAX_BYTES = 1_048_576;

export async function openReceiver(clock: Clock): Promise<Receiver> {
  const arrived: Arrival[] = [];
  const server = createServer((request, response) => {
    const manner = (request.url ?? '').slice(1) as Manner;
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const first = !arrived.some((one) => one.manner === manner);
      const arrival: Arrival = {
        manner,
        method: request.method ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: clock.now(),
        leftAt: null,
      };
      arrived.push(arrival);
      if (manner === 'silent') response.on('close', () => (arrival.leftAt ??= clock.now()));
      else response.writeHead((STATUSES[manner] ?? STATUSES.good)[first ? 0 : 1]).end();
    });
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (manner) => `http://127.0.0.1:${port}/${manner}`,
    arrivals: (manner) => arrived.filter((one) => one.manner === manner),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
