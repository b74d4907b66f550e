// Test of the SDKs: a sandbox in a process of its own, and a proxy in front of it.
// The proxy breaks streams and serves a folder as pages.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { nodeScript, start } from '../harness/processes.ts';
import { TEST_KEY } from '../harness/service.ts';

/** What a conformance run is told; the keys are those of sdk/typescript/conformance.ts. */
export interface Conditions {
  readonly url: string;
  readonly faults: string;
  readonly key: string;
  readonly secret: string;
  readonly deliveries: Readonly<
    Record<string, { readonly headers: Readonly<Record<string, string>>; readonly body: string }>
  >;
}

export interface Rig {
  readonly conditions: Conditions;
  /** Last-Event-ID of every stream below a prefix, in order; null: the request had none. */
  readonly resumed: Readonly<Record<'cut' | 'silent', (string | null)[]>>;
  /** The key of every request that went by a program in between, in order; null: the request had none. */
  readonly relayed: readonly (string | null)[];
  stop(): Promise<void>;
}

const READY_MS = 90_000;
/** Within this time a client has read what was written. */
const HANDED_OVER_MS = 500;
const SYMBOLS = 3;
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** @param pages a folder that the proxy serves below /pages/ */
export async function startRig(pages: string | null = null): Promise<Rig> {
  // Between two bursts: the log has many events, and no other ones come.
  const flags = { symbols: SYMBOLS, scenario: 'burst', clock: '2026-03-02T14:46:00Z,x1', port: 0, key: TEST_KEY };
  const service = start(process.execPath, [
    ...nodeScript('service'),
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    '--enforce-limits',
  ]);
  const [, url = ''] = await service.line(/^ready (http:\/\/127\.0\.0\.1:\d+)\/?$/, READY_MS);
  const resumed = { cut: [], silent: [] } as { cut: (string | null)[]; silent: (string | null)[] };
  const relayed: (string | null)[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const [, prefix = ''] = /^\/(cut|silent|pages|relayed)\//.exec(incoming.url ?? '') ?? [];
    if (prefix === 'relayed') {
      relayed.push(keyIn(incoming));
      return forward(url, (incoming.url ?? '').slice(prefix.length + 1), incoming, outgoing, null);
    }
    if (prefix === 'pages' && pages !== null) return serveFile(pages, incoming, outgoing);
    const fault = prefix === 'cut' || prefix === 'silent' ? prefix : null;
    const path = fault === null ? (incoming.url ?? '/') : (incoming.url ?? '').slice(prefix.length + 1);
    if (fault === null || !path.startsWith('/stream')) return forward(url, path, incoming, outgoing, null);
    const streams = resumed[fault].push(incoming.headers['last-event-id']?.toString() ?? null);
    return forward(url, path, incoming, outgoing, streams === 1 ? fault : null);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    resumed,
    relayed,
    conditions: {
      url,
      faults: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      key: TEST_KEY,
      ...signedDeliveries(Date.now()),
    },
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      await service.kill();
    },
  };
}

function keyIn({ headers }: IncomingMessage): string | null {
  return headers['x-api-key']?.toString() ?? headers.authorization ?? null;
}

function forward(
  url: string,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: 'cut' | 'silent' | null,
): void {
  const { origin: _, ...sent } = incoming.headers;
  // The page is the proxy's own: to the service it is a client like any other.
  const headers = { ...sent, host: new URL(url).host };
  const onward = request(`${url}${path}`, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    if (fault === null) return void answer.pipe(outgoing);
    let passed = '';
    let isCut = false;
    answer.on('data', (chunk: Buffer) => {
      if (fault === 'silent' || isCut) return;
      passed += chunk.toString();
      outgoing.write(chunk);
      isCut = /^event: signal\.[\s\S]*?\n\n/m.test(passed);
      // A browser drops what a broken body has not handed over yet.
      if (isCut) setTimeout(() => outgoing.destroy(), HANDED_OVER_MS);
    });
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

function serveFile(folder: string, { url = '' }: IncomingMessage, outgoing: ServerResponse): void {
  try {
    const path = normalize(new URL(url, 'http://x').pathname.replace(/^\/pages/, ''));
    const body = readFileSync(join(folder, path));
    outgoing.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body);
  } catch {
    outgoing.writeHead(404).end();
  }
}

/** Three deliveries of one event: as the service signs, with another body, and recorded an hour ago. */
function signedDeliveries(now: number): Pick<Conditions, 'secret' | 'deliveries'> {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const body = JSON.stringify({
    event_id: 'evt_1',
    seq: 1,
    event: 'model.version',
    timestamp: '2026-03-02T14:29:59.000Z',
    data: { version: '2', previous: null, effective_at: '2026-03-02T14:29:59.000Z' },
  });
  const headers = (at: number): Record<string, string> => {
    const seconds = Math.floor(at / 1000);
    return {
      'Webhook-Id': 'evt_1',
      'Webhook-Timestamp': String(seconds),
      'Webhook-Signature': new Webhook(secret).sign('evt_1', new Date(seconds * 1000), body),
    };
  };
  return {
    secret,
    deliveries: {
      good: { headers: headers(now), body },
      forged: { headers: headers(now), body: body.replace('"version":"2"', '"version":"3"') },
      late: { headers: headers(now - 3_600_000), body },
    },
  };
}
