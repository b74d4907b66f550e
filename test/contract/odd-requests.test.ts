// Contract: service and dashboard answer odd HTTP requests in JSON, with the status of the fault.
// The requests are HTTP to the letter and still wrong; one that names another host is refused.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type RunningServer } from '../../service/listen.ts';
import { createClock } from '../../shared/lib/clock.ts';

const KEY = 'svc_test_oddrequestsoddreq01';
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const start = (options: Parameters<typeof listen>[2]): Promise<RunningServer> =>
  listen(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 1 },
      time: { start: Date.parse('2026-03-02T14:30:00Z'), speed: 0 },
      file: ':memory:',
    },
    { clock: createClock({ now: Date.now, setTimeout, clearTimeout }), logger: silent, randomBytes },
    options,
  );

let running: RunningServer;
beforeAll(async () => {
  running = await start({ port: 0, key: KEY, dashboard: { port: 0, isOpen: true } });
});
afterAll(() => running.close());

interface RawReply {
  readonly status: number;
  readonly head: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any;
}

/** Sends bytes and reads one answer. HOST is replaced by the address; a body that is not JSON is text. */
function send(base: string, text: string | Buffer): Promise<RawReply> {
  const { host, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let received = '';
    const finish = (): void => {
      const [head = '', rest = ''] = received.split('\r\n\r\n');
      let body: unknown = rest;
      try {
        body = JSON.parse(rest);
      } catch {
        // Its text, then.
      }
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body });
    };
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no answer: ${received}`)));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', finish);
    socket.on('error', reject);
    socket.write(typeof text === 'string' ? text.replaceAll('HOST', host) : text);
  });
}
/** Sends all bytes before it reads; an answer that a reset destroys has the status NaN. */
function sendLarge(base: string, bytes: Buffer): Promise<RawReply> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    let received = '';
    const finish = (): void => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]), head: received, body: null });
    };
    socket.on('error', finish).on('close', finish);
    socket.write(bytes, () => {
      socket.on('data', (chunk) => {
        received += chunk;
        if (received.includes('\r\n\r\n')) finish();
      });
    });
  });
}
async function firstComment(url: string): Promise<string> {
  const abort = new AbortController();
  const stream = await fetch(url, { headers: { 'x-api-key': KEY }, signal: abort.signal });
  const text = Buffer.from((await stream.body?.getReader().read())?.value ?? []).toString();
  abort.abort();
  return text.split('\n')[0] ?? '';
}
const close = 'Connection: close\r\n';
const get = (base: string, target: string, headers = '', method = 'GET'): Promise<RawReply> =>
  send(base, `${method} ${target} HTTP/1.1\r\nHost: HOST\r\nX-API-Key: ${KEY}\r\n${close}${headers}\r\n`);

describe('the service', () => {
  test('a probe in HTTP/1.0 without a Host is answered at /health alone', async () => {
    expect(await send(running.url, 'GET /health HTTP/1.0\r\n\r\n')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await send(running.url, `GET /snapshot HTTP/1.0\r\nX-API-Key: ${KEY}\r\n\r\n`)).toMatchObject({
      status: 400,
    });
    expect(await send(running.url, 'GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n')).toMatchObject({
      status: 403,
    });
  });

  test('a wrong Host is told the right address, and the flag for another one', async () => {
    const { body } = await send(running.url, `GET /health HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`);
    expect(body.message).toContain(running.url);
    expect(body.message).toContain('--public-url');
    const named = await start({ port: 0, key: KEY, publicUrl: 'https://risk.example' });
    const told = await send(named.url, `GET /health HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`);
    await named.close();
    expect(told.body.message).toContain('Call https://risk.example, or start the service with --allowed-host');
  });

  test.each(['', 'Connection: close\r\n'])(
    'a body of 5 MB gets its 413 before the socket closes (%s)',
    async (line) => {
      for (let round = 0; round < 20; round += 1) {
        const body = Buffer.alloc(5 * 1024 * 1024, 32);
        const head = `POST /sandbox/trigger HTTP/1.1\r\nHost: ${new URL(running.url).host}\r\nX-API-Key: ${KEY}\r\n${line}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
        expect((await sendLarge(running.url, Buffer.concat([Buffer.from(head), body]))).status).toBe(413);
      }
    },
  );

  test('a refused key gets its 401 before the socket closes, however large its body', async () => {
    const body = Buffer.alloc(5 * 1024 * 1024, 32);
    const head = `POST /sandbox/trigger HTTP/1.1\r\nHost: ${new URL(running.url).host}\r\n${close}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect((await sendLarge(running.url, Buffer.concat([Buffer.from(head), body]))).status).toBe(401);
  });

  test('a stream of unknown symbols alone is refused; of some, it says so at once; with brackets too', async () => {
    for (const name of ['symbol', 'symbols', 'symbols[]', 'symbols%5B%5D'])
      expect(await get(running.url, `/stream?${name}=NOPE`), name).toMatchObject({
        status: 404,
        body: { code: 'symbol_not_covered', message: expect.stringContaining('NOPE') },
      });
    expect(await firstComment(`${running.url}/stream?symbols[]=NOPE&symbols[]=SPY`)).toBe(
      ': connected; not covered, so without events: NOPE',
    );
    expect(await firstComment(`${running.url}/stream?symbols=SPY`)).toBe(': connected');
    const { body } = await get(running.url, '/snapshot?symbols[]=NOPE');
    expect(body.data).toEqual([]);
  });

  test('a body in a coding that is not understood is 415', async () => {
    const packed = gzipSync('{"event":"signal.normal","symbol":"SPY"}');
    const head = (length: number, coding: string): string =>
      `POST /sandbox/trigger HTTP/1.1\r\nHost: ${new URL(running.url).host}\r\nX-API-Key: ${KEY}\r\n${close}Content-Type: application/json\r\nContent-Encoding: ${coding}\r\nContent-Length: ${length}\r\n\r\n`;
    const answer = await send(running.url, Buffer.concat([Buffer.from(head(packed.length, 'gzip')), packed]));
    expect(answer).toMatchObject({
      status: 415,
      body: { code: 'invalid_request', message: expect.stringMatching(/Content-Encoding/) },
    });
    const plain = '{"event":"signal.normal","symbol":"SPY"}';
    expect(await send(running.url, head(plain.length, 'identity') + plain)).toMatchObject({ status: 200 });
  });
});

describe('the dashboard', () => {
  const dashboardUrl = (): string => running.dashboard ?? '';

  test('what is no HTTP, has too large headers, or names no host is answered in JSON', async () => {
    for (const [text, status] of [
      ['hello\r\n\r\n', 400],
      [`GET /api/proxy/health HTTP/1.1\r\nHost: HOST\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      [`GET /api/proxy/health HTTP/1.1\r\n${close}\r\n`, 403],
      [`GET http://evil.example/api/proxy/health HTTP/1.1\r\nHost: HOST\r\n${close}\r\n`, 403],
    ] as const) {
      const answer = await send(dashboardUrl(), text);
      expect(answer, text.slice(0, 60)).toMatchObject({
        status,
        body: { code: expect.any(String), doc_url: expect.stringMatching(/\/docs#/) },
      });
    }
  });

  test('HEAD goes through wherever GET does, without a body', async () => {
    const answer = await get(dashboardUrl(), '/api/proxy/signal?symbol=SPY', '', 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(answer.head).toMatch(/x-ratelimit-limit: 100/i);
    expect((await get(dashboardUrl(), '/api/proxy/signal?symbol=NOPE', '', 'HEAD')).status).toBe(404);
    expect(await get(dashboardUrl(), '/api/proxy/stream', '', 'HEAD')).toMatchObject({ status: 405 });
  });

  test('a method that a path does not have is 405 and names those that it has, whatever the method', async () => {
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'POST', 'DELETE', 'TRACE', 'PROPFIND']) {
      const answer = await get(dashboardUrl(), '/api/proxy/snapshot', '', method);
      expect([answer.status, /allow: (.*)/i.exec(answer.head)?.[1]], method).toEqual([405, 'GET, HEAD']);
    }
    expect(/allow: (.*)/i.exec((await get(dashboardUrl(), '/', '', 'POST')).head)?.[1]).toBe('GET, HEAD');
    expect((await get(dashboardUrl(), '/api/proxy/nowhere', '', 'PUT')).status).toBe(404);
  });

  test('the documents of the backend are passed on', async () => {
    const page = await get(dashboardUrl(), '/api/proxy/docs');
    expect(page.status).toBe(200);
    expect(page.head).toMatch(/content-type: text\/html/i);
    expect(page.head).toMatch(/content-security-policy: /i);
    expect(page.body).toContain('id="rate-limited"');
    expect((await get(dashboardUrl(), '/api/proxy/openapi.json')).body.openapi).toMatch(/^3\.0/);
  });
});
