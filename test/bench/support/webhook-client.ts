// Bench, own process: sends signed deliveries over a few kept connections, as fast as possible.
// Each connection sends one at a time. Plain sockets and ready-made bytes keep it from limiting the rate.
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { eventAt } from './events.ts';

export interface Volley {
  readonly port: number;
  readonly path: string;
  readonly secret: string;
  /** Events after this number, so many. */
  readonly after: number;
  readonly count: number;
  readonly firstAt: number;
  readonly connections: number;
}
export interface VolleyDone {
  readonly kind: 'done';
  readonly ms: number;
  /** The first answer that was not 200; the volley ends with it. */
  readonly refused: string | null;
}

const END_OF_HEAD = '\r\n\r\n';

function requestsOf({ port, path, secret, after, count, firstAt }: Volley): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify(eventAt(after + 1 + index, firstAt));
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Service-Signature: ${signature}\r\n\r\n`;
    return Buffer.from(head + body);
  });
}

function fire(volley: Volley): Promise<VolleyDone> {
  const requests = requestsOf(volley);
  const begun = performance.now();
  let [sent, answered] = [0, 0];
  return new Promise((resolve, reject) => {
    for (let lane = 0; lane < volley.connections; lane += 1) {
      const socket = connect(volley.port, '127.0.0.1');
      socket.setNoDelay();
      let got = '';
      const next = (): void => {
        const request = requests[sent];
        sent += 1;
        if (request === undefined) socket.destroy();
        else socket.write(request);
      };
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        got += chunk.toString('latin1');
        const head = got.indexOf(END_OF_HEAD);
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(got)?.[1] ?? 0);
        if (got.length < head + END_OF_HEAD.length + length) return;
        if (!got.startsWith('HTTP/1.1 200'))
          return resolve({ kind: 'done', ms: 0, refused: got.slice(head + END_OF_HEAD.length) });
        got = '';
        answered += 1;
        if (answered === volley.count) resolve({ kind: 'done', ms: performance.now() - begun, refused: null });
        next();
      });
    }
  });
}

process.on('message', async (volley: Volley) => process.send?.(await fire(volley)));
process.send?.({ kind: 'ready' });
