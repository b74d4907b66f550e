// Faults: the relay against the real service, as processes.
// Its webhooks reach the ledger while the stream is blocked; `listen` is killed between writing and
// answering; forwarded events arrive signed.
import { createHmac } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently, type RunningService, startService, TEST_KEY } from '../harness/service.ts';

let services: TemporaryFolder;
let service: RunningService;
let folder: TemporaryFolder;
let running: RunningProcess[];
let servers: Server[];

beforeAll(async () => {
  services = temporaryFolder();
  service = await startService({
    environment: 'sandbox',
    key: TEST_KEY,
    symbols: 5,
    db: join(services.path, 'service.sqlite'),
  });
});
afterAll(async () => {
  await service.process.kill();
  services.remove();
});
beforeEach(() => {
  folder = temporaryFolder();
  running = [];
  servers = [];
});
afterEach(async () => {
  for (const one of running) await one.kill();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  folder.remove();
});

/** A proxy to the service in which these paths do not answer. */
async function blocking(paths: readonly string[]): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    if (paths.some((path) => incoming.url?.startsWith(path)))
      return void outgoing.writeHead(503, { 'retry-after': '3600' }).end();
    const through = request(
      service.url + incoming.url,
      { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: new URL(service.url).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    through.on('error', () => outgoing.destroy());
    incoming.pipe(through);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface ListenProcess {
  readonly process: RunningProcess;
  /** Resolves with the line of stdout that holds the id. */
  entry(eventId: string): Promise<{ inlets: string[]; event_id: string; state: string }>;
  /** The number of lines of stdout that hold the id. */
  times(eventId: string): number;
}
function listen(url: string, ...flags: string[]): ListenProcess {
  const process_ = start(
    process.execPath,
    [...nodeScript('barograph'), 'listen', '--url', url, '--json', '--data-dir', join(folder.path, 'data'), ...flags],
    // Without a keychain each process has a secret and an address of its own, on every machine.
    { BAROGRAPH_KEY: TEST_KEY, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' },
  );
  running.push(process_);
  return {
    process: process_,
    entry: async (id) => JSON.parse((await process_.line(new RegExp(`^\\{.*"event_id":"${id}".*$`)))[0]),
    times: (id) =>
      process_
        .printed()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(`"event_id":"${id}","seq"`)).length,
  };
}
/** Waits for a condition of another process. */
async function soon<Value>(
  read: () => Value | undefined | Promise<Value | undefined>,
  within = 60_000,
  every = 10,
): Promise<Value | undefined> {
  for (const end = performance.now() + within; performance.now() < end; ) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, every));
  }
  return undefined;
}
async function said({ printed }: Pick<RunningProcess, 'printed'>, pattern: RegExp): Promise<RegExpExecArray> {
  const found = await soon(() => pattern.exec(printed()) ?? undefined);
  if (found === undefined) throw new Error(`${pattern} was not printed:\n${printed()}`);
  return found;
}
const subscriptions = async (): Promise<{ id: string; url: string; status: string }[]> => {
  const answer = await fetchPatiently(`${service.url}/signals/subscriptions?limit=100`, {
    headers: { 'x-api-key': TEST_KEY },
    signal: AbortSignal.timeout(20_000),
  });
  if (!answer.ok) throw new Error(`the list of subscriptions: ${answer.status}`);
  return (await answer.json()).data;
};
/** The key, which the relay uses too, has 100 calls a minute to this endpoint. */
const POLL_MS = 1_000;
/**
 * Waits until the relay has its subscription, so that the service signs for it. The start of the process, long on
 * a busy machine, does not count.
 */
async function registered(before: readonly { id: string }[], within?: number): Promise<{ id: string; url: string }> {
  const terminal = running.at(-1);
  if (terminal !== undefined) await said(terminal, /relay: http/);
  // A poll may time out on a busy service; the next one follows.
  const found = await soon(
    async () => (await subscriptions().catch(() => [])).find(({ id }) => !before.some((one) => one.id === id)),
    within,
    POLL_MS,
  );
  if (found === undefined) throw new Error(`nobody subscribed:\n${running.map((one) => one.printed()).join('\n')}`);
  return found;
}
const high = async (symbol: string): Promise<string> =>
  (await service.trigger('signal.high_risk', symbol)).at(-1) ?? '';

test('with stream and event log blocked, events still arrive once, by webhook', async () => {
  const before = await subscriptions();
  const terminal = listen(await blocking(['/stream', '/events', '/alert-transitions']));
  const mine = await registered(before);
  const ids = [await high('SPY'), await high('SPY')];
  for (const id of ids)
    expect(await terminal.entry(id)).toMatchObject({ event_id: id, state: 'high_risk', inlets: ['relay'] });
  await said(
    terminal.process,
    /webhook: verified \(x-service-signature, hex, current secret\), stored: signal\.high_risk/,
  );
  expect(ids.map(terminal.times)).toEqual([1, 1]);
  expect(await terminal.process.stop(), terminal.process.printed()).toEqual({ code: 0, signal: null });
  // It deletes its subscription; on a busy machine that may come too late, and the next run of this folder does it.
  expect([...before, mine].map(({ id }) => id)).toEqual(
    expect.arrayContaining((await subscriptions()).map(({ id }) => id)),
  );
});

test('--forward-to forwards the same bytes, signed with the secret shown; the queue survives a kill', async () => {
  const received: { body: string; headers: Record<string, string> }[] = [];
  let isDown = true;
  const target = createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      if (isDown) return void outgoing.destroy();
      received.push({
        body,
        headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      });
      outgoing.writeHead(204).end();
    });
  });
  servers.push(target);
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const to = `http://127.0.0.1:${(target.address() as AddressInfo).port}/journal`;

  const before = await subscriptions();
  const url = await blocking(['/stream', '/events', '/alert-transitions']);
  const first = listen(url, '--forward-to', to);
  const [, secret = ''] = await said(first.process, /signed with (\S+) \(shown once\)/);
  await registered(before);
  const id = await high('SPY');
  await first.entry(id);
  await said(first.process, /not passed on yet: /);
  // The next printed line proves that the one before is recorded.
  await first.entry(await high('QQQ'));
  await first.process.kill();

  isDown = false;
  const second = listen(url, '--forward-to', to);
  await said(second.process, new RegExp(`passed on: ${id} to`));
  expect(second.process.printed()).not.toContain(secret);
  const [delivery] = received.filter(({ headers }) => headers['webhook-id'] === id);
  expect(delivery?.headers['x-service-signature']).toBe(
    createHmac('sha256', secret)
      .update(delivery?.body ?? '')
      .digest('hex'),
  );
  expect(() => new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {})).not.toThrow();
  expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ event_id: id, event: 'signal.high_risk' });
  expect(second.times(id)).toBe(0);
});

describe('wrong arguments and second programs', () => {
  const run = async (...args: string[]): Promise<{ code: number | null; printed: string }> => {
    const child = start(process.execPath, [
      ...nodeScript('barograph'),
      'listen',
      '--data-dir',
      join(folder.path, 'data'),
      ...args,
    ]);
    running.push(child);
    const { code } = await child.exit;
    return { code, printed: child.printed() };
  };
  test.each([
    [[], /No app with a sandbox runs/],
    [['--url', 'ftp://x'], /http or https/],
    [['--url', 'http://127.0.0.1:1', '--profile', 'sandbox'], /not both/],
    [['--profile', 'nobody'], /no such profile/],
  ])('%j is refused in one line, exit code 2', async (args, pattern) => {
    const { code, printed } = await run(...args);
    expect([code, printed.trim().split('\n').length], printed).toEqual([2, 1]);
    expect(printed).toMatch(pattern);
  });

  test('a second one on the same profile names the first; a remote target is refused', async () => {
    const before = await subscriptions();
    const first = listen(service.url);
    await registered(before);
    const second = listen(service.url);
    expect(await second.process.exit, second.process.printed()).toMatchObject({ code: 2 });
    expect(second.process.printed()).toContain(`(listen, process ${first.process.pid})`);
    await first.process.stop();
    const far = listen(service.url, '--forward-to', 'http://8.8.8.8/');
    expect(await far.process.exit, far.process.printed()).toMatchObject({ code: 2 });
    expect(far.process.printed()).toMatch(/--forward-to .*neither this computer/);
  });
});

/** BAROGRAPH_KILLS=200 kills more often. */
const KILLS = Number(process.env.BAROGRAPH_KILLS ?? 4);
test(`${KILLS} kills while a delivery arrives: every event is printed, at most twice`, {
  timeout: 60_000 + KILLS * 30_000,
}, async ({ task }) => {
  task.meta.attempts = { kills: KILLS };
  const url = await blocking(['/stream', '/alert-transitions']);
  const ids: string[] = [];
  const printed: string[] = [];
  let before = await subscriptions();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const terminal = listen(url);
    const mine = await registered(before);
    const { port } = new URL(mine.url);
    // The kill comes between connection and answer.
    const fired = service.trigger('signal.high_risk', 'SPY');
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    ids.push((await fired).at(-1) ?? '');
    if (kill % 2 === 0)
      await said(terminal.process, new RegExp(`(verified .* ${ids.at(-1)}|"event_id":"${ids.at(-1)}")`));
    await terminal.process.kill();
    socket.destroy();
    printed.push(terminal.process.printed());
    before = await subscriptions();
  }
  const last = listen(url);
  const all = (): string => printed.join('\n') + last.process.printed();
  for (const id of ids) {
    await said({ ...last.process, printed: all }, new RegExp(`^\\{.*"event_id":"${id}","seq".*$`, 'm'));
    // A kill between printing and recording prints the event again, at most once.
    expect(
      all()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(`"event_id":"${id}","seq"`)).length,
    ).toBeLessThanOrEqual(2);
  }
});
