// Faults: port scans, foreign clients and bad HTTP against every port of app and service.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../harness/app.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';

const KEY = 'svc_test_portsportsportsports01';
let folder: TemporaryFolder;
let app: RunningApp;
let service: RunningProcess;
const ports = new Map<string, number>();

beforeAll(async () => {
  folder = temporaryFolder();
  app = await startApp({ dataDir: folder.path });
  service = start(process.execPath, [
    ...nodeScript('service'),
    '--port',
    '0',
    '--dashboard-port',
    '0',
    '--symbols',
    '2',
    '--key',
    KEY,
  ]);
  const [, alone = ''] = await service.line(/^ready (\S+)$/, 90_000);
  const [, dashboard = ''] = await service.line(/^dashboard (\S+)$/);
  const run = JSON.parse(readFileSync(join(folder.path, 'run.json'), 'utf8'));
  for (const [name, url] of [
    ['app', app.url],
    ['sandbox', run.sandbox.url],
    ['service', alone],
    ['dashboard', dashboard],
  ] as const)
    ports.set(name, Number(new URL(url).port));
}, 180_000);
afterAll(async () => {
  await app?.process.kill();
  await service?.kill();
  folder?.remove();
});

/** What comes back for these bytes until the other side closes; "open" where it does not within `wait` ms: long where closing is what it should do. */
function send(port: number, bytes: string | Buffer, wait = 30_000, host = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(port, host);
    const end = (what: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(what);
    };
    const timer = setTimeout(() => end(`${got}open`), wait);
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
    });
    socket.on('error', () => end(`${got}refused`));
    socket.on('close', () => end(got));
    socket.write(bytes);
  });
}
const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const get = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;

describe.each(['app', 'sandbox', 'service', 'dashboard'])('the port of the %s', (name) => {
  const port = (): number => ports.get(name) ?? 0;

  test('is on this computer’s loopback only', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) expect(await send(port(), 'x', undefined, address)).toBe('refused');
    expect(await send(port(), 'x', undefined, '::1')).toBe('refused');
  });

  test.each([
    ['another name', ['Host: attacker.example:PORT']],
    ['localhost, which is another site to a browser', ['Host: localhost.attacker.example:PORT']],
    ['no port', ['Host: attacker.example']],
    ['no host at all', []],
    ['an empty one', ['Host:']],
    ['two of them', ['Host: 127.0.0.1:PORT', 'Host: attacker.example']],
    ['a name before an @', ['Host: attacker.example@127.0.0.1:PORT']],
  ])('answers nothing of its own to a request that names %s', async (_, lines) => {
    for (const path of ['/', '/snapshot', '/api/proxy/snapshot', '/openapi.json', '/session']) {
      const answer = await send(
        port(),
        get(path, ...lines.map((line) => line.replace('PORT', String(port()))), `X-API-Key: ${KEY}`),
      );
      expect(status(answer), answer).toBeGreaterThanOrEqual(400);
      expect(status(answer), answer).toBeLessThan(500);
      expect(answer).not.toMatch(/"symbol"|<title>|"paths"|set-cookie/i);
    }
  });

  test('a name of somebody else in the first line is refused, whatever the header says', async () => {
    const answer = await send(port(), get('http://attacker.example/', `Host: 127.0.0.1:${port()}`));
    expect(status(answer)).toBeGreaterThanOrEqual(400);
  });

  test.each([
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'a request smuggled behind two lengths',
      'POST /session HTTP/1.1\r\nHost: HERE\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: HERE\r\n\r\n',
    ],
    ['a header that folds', 'GET / HTTP/1.1\r\nHost: HERE\r\nX: a\r\n b: c\r\n\r\n'],
    ['a header too large', `GET / HTTP/1.1\r\nHost: HERE\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['bytes that mean nothing', Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256))],
    ['a tunnel to elsewhere', 'CONNECT attacker.example:443 HTTP/1.1\r\nHost: HERE\r\n\r\n'],
    ['a trace of what it sends', 'TRACE / HTTP/1.1\r\nHost: HERE\r\nX-Secret: s3cr3t\r\nConnection: close\r\n\r\n'],
  ])('takes %s for what it is, and stays up', async (_, bytes) => {
    const here = `127.0.0.1:${port()}`;
    const answer = await send(port(), typeof bytes === 'string' ? bytes.replaceAll('HERE', here) : bytes, 1_000);
    expect(answer).not.toMatch(/HTTP\/1\.1 [23]\d\d/);
    expect(answer).not.toContain('s3cr3t');
    expect(status(await send(port(), get('/', `Host: ${here}`)))).toBe(200);
  });

  test('tells nobody what it is made with', async () => {
    const answer = await send(port(), get('/nothing', `Host: 127.0.0.1:${port()}`));
    expect(answer).not.toMatch(/^(server|x-powered-by):/im);
    expect(answer).not.toMatch(/access-control-allow/i);
    expect(answer).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/);
  });
});

test('many that say nothing do not keep others out', async () => {
  const port = ports.get('app') ?? 0;
  const silent = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  expect(status(await send(port, get('/', `Host: 127.0.0.1:${port}`)))).toBe(200);
  for (const socket of silent) socket.destroy();
});
