// Test: the embedded service: it answers, restarts at the same address after a crash, and closes.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { directly } from '../../shared/lib/proxy.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { addressOf } from '../../test/harness/service-start.ts';
import { whenReady } from '../core/connection/service-source.ts';
import { checkPrices } from './checks.ts';
import { startEmbeddedService } from './embedded-service.ts';
import { openKeyService } from './service-tools.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-sandbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SIMULATED = { prices: null, feed: null, feedKey: null, scenario: null, findProxy: directly };

test('the real service answers behind it, with a damaged store quarantined', { tags: ['long'] }, async () => {
  const db = join(folder, 'service.sqlite');
  writeFileSync(db, 'this is no store'.repeat(1000));
  const said: string[] = [];
  const sandbox = startEmbeddedService({
    db,
    ...SIMULATED,
    say: (line) => said.push(line),
  });
  const { baseUrl, key } = await addressOf(sandbox);
  try {
    expect(said).toEqual([
      expect.stringMatching(/damaged.*It is kept as service\.sqlite\.bad-1; a new sandbox world begins\.$/),
    ]);
    expect(existsSync(`${db}.bad-1`)).toBe(true);
    expect(sandbox.seed).toBe(7);
    const ask = (given: string) => fetch(`${baseUrl}/signal?symbol=SPY`, { headers: { 'x-api-key': given } });
    expect((await ask(key)).status).toBe(200);
    expect((await ask('svc_test_0000000000000000')).status).toBe(401);
  } finally {
    await sandbox.close();
  }
  await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  // A clean close leaves no journal behind.
  const files = ['service-cache.db', 'service.sqlite', 'service.sqlite.bad-1', 'service.sqlite.lock'];
  expect(readdirSync(folder).sort()).toEqual(files);
});

test('a store that cannot be opened now stays in place', { tags: ['long'] }, async () => {
  const db = join(folder, 'service.sqlite');
  writeFileSync(db, 'a world');
  // The lock cannot be opened, as in a process without free file handles.
  mkdirSync(`${db}.lock`);
  const said: string[] = [];
  const start = startEmbeddedService({
    db,
    ...SIMULATED,
    say: (line) => said.push(line),
  });
  await expect(whenReady(start)).rejects.toThrow(/cannot be opened as a store: unable to open database file$/);
  await start.close();
  expect(said).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['service.sqlite', 'service.sqlite.lock']);
});

test('an invalid folder of prices is refused at once, with the remedy', async () => {
  const file = join(folder, 'prices.csv');
  writeFileSync(file, '');
  const refused = async (prices: string, letters: string | null = null) => {
    const report = await checkPrices({ folder: prices, editorial: letters });
    return [report.refused_at, report.refused, report.rows];
  };
  expect(await refused('')).toEqual(['folder', expect.stringMatching(/no whole path\. Begin with \//), 0]);
  expect(await refused('prices')).toEqual(['folder', expect.stringMatching(/no whole path/), 0]);
  expect(await refused(join(folder, 'nowhere'))).toEqual([
    'folder',
    `The folder ${join(folder, 'nowhere')} is not there. Look at its spelling, and that its drive is connected.`,
    0,
  ]);
  expect(await refused(`${folder}\0`)).toEqual(['folder', expect.stringMatching(/cannot be read/), 0]);
  const events = join(folder, 'nowhere');
  expect(await checkPrices({ folder, editorial: null, events })).toMatchObject({ refused_at: 'events', events });
  expect(await refused(file)).toEqual(['folder', expect.stringMatching(/is a file\. Give the folder/), 0]);
  expect(await refused(folder, join(folder, 'letters'))).toEqual([
    'editorial',
    expect.stringMatching(/letters is not there/),
    0,
  ]);
});

test('what the service refuses of a folder of prices is a sentence', async () => {
  writeFileSync(join(folder, 'notes.csv'), 'hello,world\n');
  expect(await checkPrices({ folder, editorial: null })).toMatchObject({
    refused: `There are no prices in ${folder}: notes.csv: there is no row below the header.`,
    refused_at: 'folder',
  });
});

test('a check of a folder of prices reports how many of its files are read', async () => {
  for (const symbol of ['SPY', 'QQQ', 'IWM'])
    writeFileSync(join(folder, `${symbol}.csv`), 'date,close\n2020-01-02,10\n');
  const shown: unknown[] = [];
  const report = await checkPrices({ folder, editorial: null }, [], (progress) => shown.push(progress));
  expect([report.refused, shown[0]]).toEqual([null, { what: 'reading', done: 1, total: 3, left: null }]);
});

test('a replay is paused at its start until somebody looks, says so, and can be paused again', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const prices = join(folder, 'prices');
  mkdirSync(prices);
  const day = (index: number): string => new Date(Date.UTC(2019, 0, 1) + index * 86_400_000).toISOString().slice(0, 10);
  const rows = Array.from({ length: 400 }, (_, index) => `SPY,${day(index)},10,10.1,9.9,${10 + (index % 7) / 10},1000`);
  writeFileSync(join(prices, 'SPY.csv'), ['symbol,date,open,high,low,close,volume', ...rows].join('\n'));
  const from = Date.UTC(2020, 0, 15);
  const speed = 3600;
  const replay = { folder: prices, editorial: null, replay: { from: new Date(from).toISOString(), speed } };
  const service = startEmbeddedService({
    ...{ ...SIMULATED, db: join(folder, 'service.sqlite'), prices: replay },
    say: () => undefined,
  });
  try {
    const { baseUrl } = await addressOf(service);
    const clock = async () => (await (await fetch(baseUrl)).json()) as { time: string; speed: number };
    expect(await clock()).toMatchObject({ time: new Date(from).toISOString(), speed: 0 });
    service.pause(false);
    await eventually(async () => expect(Date.parse((await clock()).time)).toBeGreaterThan(from));
    expect((await clock()).speed).toBe(speed);
    service.pause(true);
    await eventually(async () => expect((await clock()).speed).toBe(0));
    expect(await clock()).toEqual(await clock());
  } finally {
    await service.close();
  }
});

test('the problems of a briefings folder and of the files of what is due reach the app, and go when they are mended', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const [prices, letters] = [join(folder, 'prices'), join(folder, 'letters')];
  for (const path of [prices, letters, join(prices, 'events')]) mkdirSync(path);
  writeFileSync(
    join(prices, 'SPY.csv'),
    'symbol,date,open,high,low,close,volume\nSPY,2020-01-02,10,10.1,9.9,10,1000\n',
  );
  writeFileSync(join(letters, 'why.md'), '---\ntitle: Why\nauthor: A\ndate: yesterday\n---\nText.\n');
  writeFileSync(join(prices, 'events', 'due.csv'), 'kind,symbol,date\nearnings,SPY,soon\n');
  const service = startEmbeddedService({
    ...{
      ...SIMULATED,
      db: join(folder, 'service.sqlite'),
      prices: { folder: prices, editorial: letters, replay: null },
    },
    say: () => undefined,
  });
  const lines = () => service.folder()?.problems.map(({ file, line, reason }) => `${file}:${line} ${reason}`);
  try {
    await addressOf(service);
    expect(lines()).toEqual([
      expect.stringMatching(/^letters\/why\.md:4 date: .*ISO 8601/),
      expect.stringMatching(/^events\/due\.csv:2 .*write/),
    ]);
    for (const path of [letters, join(prices, 'events')]) rmSync(path, { recursive: true });
    writeFileSync(join(prices, 'events'), '');
    await eventually(() =>
      expect(lines()).toEqual([
        expect.stringMatching(/^\/.*letters:0 The folder of briefings .* is not there/),
        expect.stringMatching(/^letters\/why\.md:4/),
        expect.stringMatching(/^\/.*events:0 The folder of events .* is no folder/),
        expect.stringMatching(/^events\/due\.csv:2/),
      ]),
    );
    rmSync(join(prices, 'events'));
    mkdirSync(letters);
    await eventually(() => expect(lines()).toEqual([]));
  } finally {
    await service.close();
  }
});

test('the problems of a price folder reach the app, and go when the folder is mended; so do symbols that are added', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  const prices = join(folder, 'prices');
  mkdirSync(prices);
  const HEAD = 'symbol,date,open,high,low,close,volume';
  const sound = 'SPY,2020-01-02,10,10.1,9.9,10,1000';
  writeFileSync(join(prices, 'SPY.csv'), [HEAD, sound, 'SPY,2020-01-03,10,9,9.9,10,1000'].join('\n'));
  const service = startEmbeddedService({
    ...{ ...SIMULATED, db: join(folder, 'service.sqlite'), prices: { folder: prices, editorial: null, replay: null } },
    say: () => undefined,
  });
  try {
    await addressOf(service);
    expect(service.folder()).toMatchObject({ problems: [{ file: 'SPY.csv', line: 3 }], symbols: ['SPY'], added: [] });
    writeFileSync(join(prices, 'SPY.csv'), [HEAD, sound].join('\n'));
    writeFileSync(join(prices, 'NEW.csv'), [HEAD, sound.replace('SPY', 'NEW')].join('\n'));
    await eventually(() =>
      expect(service.folder()).toMatchObject({
        problems: [{ file: 'NEW.csv', reason: expect.stringContaining('NEW was added') }],
        symbols: ['SPY', 'NEW'],
        added: ['NEW'],
      }),
    );
    rmSync(prices, { recursive: true });
    await eventually(() => expect(service.folder()?.problems[0]?.reason).toMatch(/is not there/));
  } finally {
    await service.close();
  }
});

/**
 * A worker in place of the service: it answers with the given port, or 4242, and dies at once as often as requested.
 */
function fakeWorker(deaths: number): URL {
  const counter = join(folder, 'starts');
  const script = join(folder, 'worker.mjs');
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs';
     import { parentPort, workerData } from 'node:worker_threads';
     appendFileSync(${JSON.stringify(counter)}, workerData.key + ' ' + workerData.port + '\\n');
     const starts = readFileSync(${JSON.stringify(counter)}, 'utf8').trim().split('\\n').length;
     parentPort.on('message', (message) => message === 'close' && parentPort.close());
     parentPort.postMessage({ kind: 'ready', url: 'http://127.0.0.1:' + (workerData.port || 4242) });
     if (starts <= ${deaths}) throw new Error('out of memory');`,
  );
  return pathToFileURL(script);
}

test('a thread that dies is replaced, at the same address and with the same key, and the restart is reported', async () => {
  const said: string[] = [];
  const sandbox = startEmbeddedService(
    { db: join(folder, 'db'), ...SIMULATED, say: (line) => said.push(line) },
    fakeWorker(2),
    () => 0,
  );
  const starts = (): string[] => readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n');
  await eventually(() => expect(starts()).toHaveLength(3));
  const { key } = await addressOf(sandbox);
  expect(starts()).toEqual([`${key} 0`, `${key} 4242`, `${key} 4242`]);
  expect(said).toEqual(Array(2).fill('The service inside the app stopped (out of memory). It is started again.'));
  await sandbox.close();
});

test('a key of the vendor that is replaced while the thread starts again reaches the new thread', async () => {
  const at = (name: string): string => join(folder, name);
  writeFileSync(
    at('worker.mjs'),
    `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     appendFileSync(${JSON.stringify(at('starts'))}, 'started\\n');
     const start = readFileSync(${JSON.stringify(at('starts'))}, 'utf8').trim().split('\\n').length;
     parentPort.on('message', (message) => {
       if (message === 'close') process.exit();
       appendFileSync(${JSON.stringify(at('keys'))}, start + ' ' + message.feedKey + '\\n');
     });
     const ready = () => parentPort.postMessage({ kind: 'ready', url: 'http://127.0.0.1:4242' });
     if (start === 1) {
       ready();
       setTimeout(() => { throw new Error('out of memory'); }, 10);
     } else {
       const wait = setInterval(() => {
         if (!existsSync(${JSON.stringify(at('go'))})) return;
         clearInterval(wait);
         ready();
       }, 5);
     }`,
  );
  const sandbox = startEmbeddedService(
    { db: join(folder, 'db'), ...SIMULATED, feedKey: 'old', say: () => undefined },
    pathToFileURL(at('worker.mjs')),
    () => 0,
  );
  const given = (): string[] => readFileSync(at('keys'), 'utf8').trim().split('\n');
  await eventually(() => expect(given()).toContain('2 old'));
  sandbox.setFeedKey('new');
  writeFileSync(at('go'), '');
  await eventually(() => expect(given().at(-1)).toBe('2 new'));
  await sandbox.close();
});

/** A worker whose first start reports progress and fails, and whose later ones are ready. */
function failingWorker(): URL {
  const script = join(folder, 'failing.mjs');
  const mark = JSON.stringify(join(folder, 'failed'));
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const say = (message) => parentPort.postMessage(message);
     parentPort.on('message', (message) => message === 'close' && parentPort.close());
     if (existsSync(${mark})) say({ kind: 'ready', url: 'http://127.0.0.1:4242' });
     else {
       writeFileSync(${mark}, '');
       say({ kind: 'progress', progress: { what: 'reading', done: 1, total: 2, left: null } });
       say({ kind: 'failed', message: 'no disk' });
       parentPort.close();
     }`,
  );
  return pathToFileURL(script);
}

test('a first start says how far it is, why it failed until it is tried again, and where it is in the end', async () => {
  const seen: unknown[] = [];
  const sandbox = startEmbeddedService(
    { db: join(folder, 'db'), ...SIMULATED, say: (line) => seen.push(line) },
    failingWorker(),
    () => 0,
  );
  expect(sandbox.status()).toEqual({ kind: 'starting', progress: null });
  sandbox.onChange(() => seen.push(sandbox.status()));
  await expect(whenReady(sandbox)).rejects.toThrow('no disk');
  sandbox.retry();
  const { baseUrl } = await eventually(() => addressOf(sandbox));
  expect(baseUrl).toBe('http://127.0.0.1:4242');
  expect(seen).toMatchObject([
    { kind: 'starting', progress: { what: 'reading', done: 1 } },
    { kind: 'failed', why: 'no disk' },
    { kind: 'ready' },
  ]);
  await sandbox.close();
});

test('a service that is closed while it starts ends its thread', async () => {
  const script = join(folder, 'slow.mjs');
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     parentPort.on('message', (message) => {
       if (message !== 'close') return;
       writeFileSync(${JSON.stringify(join(folder, 'ended'))}, '');
       parentPort.close();
     });`,
  );
  const sandbox = startEmbeddedService(
    { db: join(folder, 'db'), ...SIMULATED, say: () => undefined },
    pathToFileURL(script),
  );
  await sandbox.close();
  expect(existsSync(join(folder, 'ended'))).toBe(true);
  expect(sandbox.status()).toEqual({ kind: 'starting', progress: null });
});

test('a thread that does not close is terminated after a second and a half', async () => {
  const script = join(folder, 'deaf.mjs');
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', () => undefined);
     parentPort.postMessage({ kind: 'ready', url: 'http://127.0.0.1:4242' });`,
  );
  const sandbox = startEmbeddedService(
    { db: join(folder, 'db'), ...SIMULATED, say: () => undefined },
    pathToFileURL(script),
  );
  await whenReady(sandbox);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let isClosed = false;
    const closing = sandbox.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(1_499);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await closing;
  } finally {
    vi.useRealTimers();
  }
});

test.each([{ cluster: '' }, { clusterFile: 'address' }])(
  'keys where the address of the nodes is empty (%o) are those of no store',
  async (place) => {
    const file = join(folder, 'address');
    writeFileSync(file, '\n');
    const opened = openKeyService('clusterFile' in place ? { clusterFile: file } : place, {}, () => {
      throw new Error('a store was asked for');
    });
    await expect(opened).rejects.toThrow('must hold one address like postgres://user@host/database');
  },
);
