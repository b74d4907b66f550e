// Contract: `npm run service` as a process: its output, refusals, end, and state after a restart.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EventEnvelopeSchema } from '../../shared/wire/events.ts';
import { writePriceFolder } from '../fixtures/price-folder.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { fetchPatiently } from '../harness/service.ts';

const KEY = 'svc_test_commandcommand0001';
const FROZEN = '2026-03-02T14:30:00.000Z';
const TIMEOUT_MS = 90_000;

let folder: TemporaryFolder;
const running: RunningProcess[] = [];
beforeAll(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.kill()));
});
afterAll(() => folder.remove());

function run(...flags: string[]): RunningProcess {
  const process_ = start(process.execPath, [...nodeScript('service'), ...flags]);
  running.push(process_);
  return process_;
}

const sandbox = (...flags: string[]): RunningProcess => run('--symbols', '2', '--port', '0', '--key', KEY, ...flags);
const ready = async (service: RunningProcess): Promise<string> =>
  (await service.line(/^ready (http:\/\/127\.0\.0\.1:\d+)$/, TIMEOUT_MS))[1] ?? '';

async function ask(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetchPatiently(url, { headers: { 'x-api-key': KEY, ...headers } });
  return answer.text();
}

async function trigger(url: string, event: string, symbol: string): Promise<{ event_id: string; seq: number }[]> {
  const answer = await fetchPatiently(`${url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event, symbol }),
  });
  return ((await answer.json()) as { data: { event_id: string; seq: number }[] }).data;
}

async function wholeLog(url: string): Promise<{ event_id: string; seq: number }[]> {
  const rows: { event_id: string; seq: number }[] = [];
  let after = '';
  for (;;) {
    const page = JSON.parse(await ask(`${url}/events?limit=100${after}`));
    rows.push(...EventEnvelopeSchema.array().parse(page.data));
    if (!page.has_more) return rows;
    after = `&after=${page.next_cursor}`;
  }
}

describe('refusals', () => {
  async function isRefused(flags: readonly string[], code: number, says: RegExp): Promise<void> {
    const service = run(...flags);
    expect(await service.exit, service.printed()).toEqual({ code, signal: null });
    expect(service.printed()).toMatch(says);
    expect(service.printed().trim().split('\n'), service.printed()).toHaveLength(1);
  }
  test.each([
    [['--cluster', 'barograph:SECRET@db/barograph'], 2, /^(?!.*SECRET).*--cluster/],
    [['--env', 'production', '--prices', '/no/such/folder', '--clock', '2020-01-01'], 1, /no\/such\/folder/],
  ])('%j: one line, exit code %i', isRefused);

  test('a port in use is named', { tags: ['long'] }, async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const address = holder.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const service = run('--port', port);
    expect((await service.exit).code, service.printed()).toBe(1);
    expect(service.printed()).toBe(
      `Port ${port} is in use. Stop what uses it, or give another one with --port (0 picks a free one).\n`,
    );
    holder.close();
  });
});

test('without --key it prints one, which works; the store has its hash alone; a restart prints none', {
  tags: ['long'],
  timeout: TIMEOUT_MS,
}, async () => {
  const db = join(folder.path, 'keys.db');
  const first = run('--symbols', '1', '--port', '0', '--db', db, '--clock', FROZEN);
  const [, key = ''] = await first.line(/^key (svc_test_[A-Za-z0-9]+)$/, TIMEOUT_MS);
  const url = await ready(first);
  expect((await fetch(`${url}/signal?symbol=SPY`, { headers: { 'x-api-key': key } })).status).toBe(200);
  expect(await first.stop(), first.printed()).toEqual({ code: 0, signal: null });
  for (const file of [db, `${db}-wal`]) {
    try {
      expect(readFileSync(file).includes(key.slice(9))).toBe(false);
    } catch (missing) {
      expect(String(missing)).toContain('ENOENT');
    }
  }
  expect(statSync(db).mode & 0o777).toBe(0o600);
  const second = run('--symbols', '1', '--port', '0', '--db', db, '--clock', FROZEN);
  const again = await ready(second);
  expect(second.printed()).not.toContain('key ');
  expect((await fetch(`${again}/signal?symbol=SPY`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

test('a frozen world gives the same bytes after a restart, triggered events included; another combination is exit code 2', {
  timeout: TIMEOUT_MS,
  tags: ['long'],
}, async () => {
  const db = join(folder.path, 'frozen.db');
  const paths = [
    '/',
    '/snapshot',
    '/history?symbol=SPY',
    '/alert-transitions?limit=100',
    '/events?limit=100',
    '/signal?symbol=QQQ',
  ];
  const all = async (url: string): Promise<string[]> => Promise.all(paths.map((path) => ask(url + path)));
  const first = sandbox('--db', db, '--clock', FROZEN);
  let url = await ready(first);
  await trigger(url, 'signal.high_risk', 'SPY');
  await trigger(url, 'regime.flip', 'QQQ');
  const before = await all(url);
  await first.stop();
  const second = sandbox('--db', db, '--clock', FROZEN);
  url = await ready(second);
  expect(await all(url)).toEqual(before);
  await second.stop();
  const other = sandbox('--db', db, '--clock', FROZEN, '--seed', '8');
  expect((await other.exit).code, other.printed()).toBe(2);
  expect(other.printed()).toMatch(/^[^\n]*belongs to --env sandbox, --seed 7, --clock [^\n]*\n$/);
});

test('SIGTERM with open streams ends it cleanly within three seconds; kill -9 loses no announced event', {
  timeout: TIMEOUT_MS,
  tags: ['long'],
}, async () => {
  const db = join(folder.path, 'killed.db');
  const flags = ['--db', db, '--clock', '2026-03-02T14:30:00Z,x60', '--rate', '300'];
  const seenIds = new Set<string>();
  for (const end of ['kill', 'stop'] as const) {
    const service = sandbox(...flags);
    const url = await ready(service);
    const answer = await fetch(`${url}/stream`, { headers: { 'x-api-key': KEY } });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const target = seenIds.size + 250;
    let text = '';
    const note = (): void => {
      for (const [, id = ''] of text.matchAll(/^id: (\S+)\n/gm)) seenIds.add(id);
    };
    while (seenIds.size < target) {
      const { done, value } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
      note();
    }
    if (end === 'stop') expect(await service.stop(), service.printed()).toEqual({ code: 0, signal: null });
    else await service.kill();
    await reader.read().catch(() => undefined);
    reader.cancel().catch(() => undefined);
  }
  const service = sandbox(...flags.slice(0, 4));
  const log = await wholeLog(await ready(service));
  expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => index + 1));
  const ids = new Set(log.map((event) => event.event_id));
  expect(ids.size).toBe(log.length);
  expect([...seenIds].filter((id) => !ids.has(id))).toEqual([]);
});

describe('the dashboard', { timeout: TIMEOUT_MS }, () => {
  const line = async (service: RunningProcess, name: string): Promise<string> =>
    (await service.line(new RegExp(`^${name} (http://127\\.0\\.0\\.1:\\d+\\S*)$`), TIMEOUT_MS))[1] ?? '';

  test('is open to every local program only where that is said, with a warning', { tags: ['long'] }, async () => {
    const service = sandbox('--dashboard-port', '0', '--dashboard-open', '--clock', FROZEN);
    const dashboard = await line(service, 'dashboard');
    expect((await fetchPatiently(`${dashboard}/api/proxy/snapshot`, {})).status).toBe(200);
    await ready(service);
    expect(service.printed()).toMatch(/^warning: --dashboard-open lets every program .* without a key \(read\)$/m);
    expect(service.printed()).not.toContain('dashboard-link');
  });
});

describe('production', { timeout: TIMEOUT_MS }, () => {
  const prices = () => writePriceFolder(join(folder.path, 'prices'));

  test('serves real prices; bad rows are named with file, line and reason, and the rest is used', {
    tags: ['long'],
  }, async () => {
    const at = prices();
    appendFileSync(join(at, 'SPX.csv'), 'SPX,2020-04-20,0,1,1,1,1\nSPX,2020-04-21,1,2,3\n');
    writeFileSync(join(at, 'BAD.csv'), 'colour,size\nblue,9\n');
    const service = run('--env', 'production', '--prices', at, '--clock', '2020-03-20T22:00:00Z', '--port', '0');
    const [, key = ''] = await service.line(/^key (svc_live_[A-Za-z0-9]+)$/, TIMEOUT_MS);
    const url = await ready(service);
    expect(service.printed()).toMatch(/SPX\.csv:5107 .+/);
    expect(service.printed()).toMatch(/SPX\.csv:5108 .+/);
    expect(service.printed()).toMatch(/BAD\.csv: column .+/);
    expect(service.printed()).toMatch(/^3 lines of the price files to check; every sound row is used$/m);
    const get = async (path: string) => (await fetch(url + path, { headers: { 'x-api-key': key } })).json();
    expect(await get('/')).toMatchObject({ environment: 'production', replay: true, time: '2020-03-20T22:00:00.000Z' });
    expect(await get('/signal?symbol=SPX')).toMatchObject({ state: 2, price: 2304.919922, asset_class: 'index' });
    const transitions = (await get('/alert-transitions')) as { data: { occurred_at: string; to_state: number }[] };
    expect(transitions.data[0]?.to_state).toBe(2);
    expect(transitions.data.length).toBeLessThan(20);
    expect((await fetch(`${url}/sandbox/trigger`, { method: 'POST', headers: { 'x-api-key': key } })).status).toBe(404);
    expect((await fetch(`${url}/snapshot`, { headers: { 'x-api-key': KEY } })).status).toBe(401);
  });
});
