// Faults: kills the service (SIGKILL) at random under load, at 600 times the speed of the world.
// The start is included; its subscriber fails half of the time. Afterwards every event of the log has reached
// the subscriber, and the log has everything that was sent.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently } from '../harness/service.ts';

/** BAROGRAPH_KILLS=100 kills more often. */
const KILLS = Number(process.env.BAROGRAPH_KILLS ?? 5);
const SEED = Number(process.env.BAROGRAPH_SEED ?? Math.floor(Math.random() * 2 ** 32));
const KEY = 'svc_test_servicekillservice1';
/** Forced transitions a second, beside those of prices and requests. */
const RATE = 150;
const READY_MS = 90_000;
const SYMBOLS = ['SPY', 'QQQ', 'IWM', 'DIA', 'SPX'];

/** A seeded generator, so that a run can be repeated. */
const draw = ((state: number) => () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
})(SEED >>> 0);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const folder = temporaryFolder();
const db = join(folder.path, 'service.db');
let receiver: Server;
let service: RunningProcess | undefined;
let secret = '';
/** The subscriber accepts every request from now on. */
let isHealthy = false;
const counts = { refused: 0, repeats: 0, badSignatures: 0, inStart: 0 };
/** Received event_ids. */
const received = new Map<string, string>();
/** event_ids that the service sent in an answer or on a stream. */
const announced = new Set<string>();

/** Half of the requests fail in every way that an endpoint can; some of the others lose their answer. */
function take(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => undefined);
  request.on('end', () => {
    const lot = isHealthy ? 1 : draw();
    if (lot < 0.5) {
      counts.refused += 1;
      if (lot < 0.15) request.socket.destroy();
      else response.writeHead(lot < 0.3 ? 500 : lot < 0.4 ? 302 : 429).end();
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.headers['x-service-signature'] !== createHmac('sha256', secret).update(body).digest('hex'))
      counts.badSignatures += 1;
    const id = String(request.headers['webhook-id']);
    if (received.has(id)) counts.repeats += 1;
    received.set(id, body);
    if (lot < 0.55) request.socket.destroy();
    else response.writeHead(204).end();
  });
}

beforeAll(async () => {
  receiver = createServer(take);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await service?.kill();
  receiver.closeAllConnections();
  receiver.close();
  folder.remove();
});

function begin(rate: number): RunningProcess {
  const flags = { env: 'sandbox', port: 0, symbols: SYMBOLS.length, clock: '2026-03-04T15:00:00Z,x600', key: KEY, db };
  const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  service = start(process.execPath, [
    ...nodeScript('service'),
    ...given,
    ...(rate === 0 ? [] : ['--rate', String(rate)]),
  ]);
  return service;
}
const ready = async (running: RunningProcess): Promise<string> =>
  (await running.line(/^ready (\S+)$/, READY_MS))[1] ?? '';

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetchPatiently(url, {
    ...init,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(READY_MS),
  });
const post = (url: string, body: object): Promise<Response> => ask(url, { method: 'POST', body: JSON.stringify(body) });

/** Clients of one run of the service: they trigger, read, and listen until it is killed. */
async function load(url: string): Promise<void> {
  const trigger = async (): Promise<void> => {
    for (let turn = 0; ; turn += 1) {
      const event = ['signal.high_risk', 'signal.normal', 'regime.flip', 'model.version'][turn % 4];
      const answer = await post(`${url}/sandbox/trigger`, { event, symbol: SYMBOLS[turn % SYMBOLS.length] });
      const { data } = (await answer.json()) as { data: { event_id: string }[] };
      for (const { event_id } of data) announced.add(event_id);
    }
  };
  const read = async (): Promise<void> => {
    for (;;)
      for (const path of ['/snapshot', '/alerts', '/events?limit=100', '/signals/subscriptions'])
        await (await ask(url + path)).text();
  };
  const listen = async (): Promise<void> => {
    const stream = await ask(
      `${url}/stream?events=signal.normal,signal.elevated,signal.high_risk,regime.flip,model.version`,
    );
    let text = '';
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const id = /^id: (\S+)$/m.exec(frame)?.[1];
        if (id !== undefined) announced.add(id);
      }
    }
  };
  // Each ends when the connection breaks.
  await Promise.allSettled([trigger(), trigger(), read(), listen()]);
}

interface LogRow {
  readonly seq: number;
  readonly event_id: string;
  readonly body: string;
}
function fromStore<Value>(select: (store: SQLite.Database) => Value): Value {
  const store = new SQLite(db, { readonly: true, timeout: 5_000 });
  try {
    return select(store);
  } finally {
    store.close();
  }
}
const logAfter = (seq: number): LogRow[] =>
  fromStore((store) =>
    store.prepare<[number], LogRow>('SELECT seq, event_id, body FROM events WHERE seq > ? ORDER BY seq').all(seq),
  );

test(`${KILLS} kills: every event reaches the subscriber`, { timeout: 240_000 + KILLS * 10_000 }, async ({ task }) => {
  task.meta.attempts = { kills: KILLS };
  const began = performance.now();
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const first = await ready(begin(RATE));
  secret = ((await (await post(`${first}/signals/subscribe`, { url: hook })).json()) as { signing_secret: string })
    .signing_secret;
  const from = logAfter(0).at(-1)?.seq ?? 0;

  let clients: Promise<void> = load(first);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(draw() * 900);
    await service?.kill();
    await clients;
    // Some kills come before the service is ready.
    while (draw() < 0.2) {
      begin(RATE);
      await pause(draw() * 1_200);
      await service?.kill();
      counts.inStart += 1;
    }
    clients = load(await ready(begin(RATE)));
  }
  // The machine decides how much happens before a kill; the last run continues until it is enough.
  while (announced.size <= 10 * KILLS) await pause(20);
  await service?.kill();
  await clients;

  await ready(begin(0));
  const expected = logAfter(from);
  const missing = (): string[] =>
    expected.filter(({ event_id }) => !received.has(event_id)).map(({ event_id }) => event_id);
  for (const end = performance.now() + 120_000; missing().length > 0 && performance.now() < end; await pause(100)) {
    // The last retries would otherwise wait for hours of world time.
    isHealthy ||= missing().length < 0.05 * expected.length;
  }
  const log = logAfter(0);
  const failed = fromStore((store) =>
    store.prepare<[], number>("SELECT count(*) FROM deliveries WHERE status = 'failed'").pluck().get(),
  );
  await service?.stop();

  const bodies = new Map(log.map(({ event_id, body }) => [event_id, body]));
  const context = `seed ${SEED}: ${KILLS} kills and ${counts.inStart} in the start, ${expected.length} events, ${counts.refused} refused, ${counts.repeats} repeated, ${Math.round((performance.now() - began) / 1_000)} s`;
  console.log(context);
  const found = {
    missing: missing(),
    otherBytes: [...received].filter(([id, body]) => bodies.has(id) && bodies.get(id) !== body).map(([id]) => id),
    announced: [...announced].filter((id) => !bodies.has(id)),
    holes: log.filter(({ seq }, index) => index > 0 && seq !== (log[index - 1]?.seq ?? 0) + 1).map(({ seq }) => seq),
    badSignatures: counts.badSignatures,
    failed,
  };
  expect(found, context).toEqual({
    missing: [],
    otherBytes: [],
    announced: [],
    holes: [],
    badSignatures: 0,
    failed: 0,
  });
  expect(expected.length, context).toBeGreaterThan(10 * KILLS);
  expect(counts.refused, context).toBeGreaterThan(KILLS);
});
