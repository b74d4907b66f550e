// Faults: a hostile service over real sockets and the real clock.
// Silence, a byte a second, lines of 10 MB, endless redirects, looping cursors: meanwhile windows get
// answers; afterwards every event is notified once.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { namedIds, notificationIds } from '../harness/core-bench.ts';
import { type CoreRig, createCoreRig } from '../harness/core-rig.ts';
import { eventually } from '../harness/eventually.ts';
import { folderInMemory } from '../harness/folders.ts';
import type { ManualClock } from '../harness/manual-clock.ts';
import { createWireService } from '../harness/wire-service.ts';

type Hostility = (request: IncomingMessage, response: ServerResponse) => void;

// A real clock instead of a manual one: no test here advances it.
const clock = createClock({
  now: Date.now,
  setTimeout: (job, ms) => setTimeout(job, ms).unref(),
  clearTimeout,
}) as ManualClock;
const wire = createWireService(clock);
const folder = folderInMemory();
let hostility: Hostility | null = null;
let server: Server;
let base = '';
let rig: CoreRig;

/** Passes a request on to the wire service; streams stay open. */
async function honest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = new AbortController();
  response.on('close', () => own.abort());
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const answer = await wire.fetch(`http://127.0.0.1${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    signal: own.signal,
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else
    Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
      .on('error', () => response.destroy())
      .pipe(response);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (hostility !== null) hostility(request, response);
    else honest(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  rig = createCoreRig({
    clock,
    service: wire,
    baseUrl: base,
    folder: folder.path,
    ports: { fetch, random: Math.random },
  });
  await rig.core.start();
  await eventually(() => expect(rig.snapshot().connection.indicators.open.state).toBe('ok'));
});
afterAll(async () => {
  await rig.core.stop();
  server.closeAllConnections();
  server.close();
  folder.remove();
});

const write = (text: string, every: number): Hostility => {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(text), every);
    response.on('close', () => clearInterval(timer));
  };
};
const json = (body: string): Hostility => {
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
};
/** A refused core retries after its own delay. */
const SLOW = { timeout: 60_000, interval: 50 };
const LONG = `data: ${'x'.repeat(10 * 1024 * 1024)}\n\n`;

/** Rounds of calls that a window gets answered within a given time. */
async function answered(ms: number): Promise<number> {
  const end = Date.now() + ms;
  let rounds = 0;
  while (Date.now() < end) {
    rig.snapshot();
    await rig.core.handlers['alerts.read']({ filter: 'all', symbol: null, before: null, limit: 50 });
    rounds += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return rounds;
}

function isSaid(): boolean {
  const { indicators, outage, refused } = rig.snapshot().connection;
  return outage?.cause != null || refused !== null || Object.values(indicators).some(({ state }) => state !== 'ok');
}

test.each<[string, Hostility]>([
  ['never answers', () => undefined],
  ['answers one byte a second', write(' ', 1_000)],
  [
    'sends lines of 10 MB',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(LONG),
  ],
  [
    'sends everybody round',
    (request, response) => void response.writeHead(302, { location: request.url ?? '/' }).end(),
  ],
  ['a list that repeats itself', json('{"data":[],"has_more":true,"next_cursor":"again"}')],
])('%s: windows are answered, it is said, and nothing is lost', async (_, hostile) => {
  const baseline = await answered(200);
  hostility = hostile;
  wire.cut();
  server.closeAllConnections();
  const event = wire.emit('SPY', 2);
  // Under attack for five times as long: at least as many answers as without an attack. Other programs may slow a few seconds, not twenty.
  for (let second = 1; (await answered(1_000)) <= baseline; second += 1) expect(second).toBeLessThan(20);
  const [id] = notificationIds(event);
  expect(namedIds(rig)).not.toContain(id);
  await expect.poll(isSaid).toBe(true);

  hostility = null;
  server.closeAllConnections();
  rig.core.handlers['connection.retry']({});
  await expect.poll(() => namedIds(rig), SLOW).toContain(id);
  await expect
    .poll(() => rig.snapshot().connection, SLOW)
    .toMatchObject({ outage: null, refused: null, indicators: { open: { state: 'ok' } } });
  expect(namedIds(rig).filter((named) => named === id)).toHaveLength(1);
  expect(rig.logged.filter(({ message }) => message === 'a job failed')).toEqual([]);
});
