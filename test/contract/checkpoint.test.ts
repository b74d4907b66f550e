// Contract: a start from a checkpoint answers as a start from nothing, to the byte.

import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import { cacheFileOf } from '../../service/checkpoint/cache-file.ts';
import { RISK_MODEL } from '../../service/engine/risk/parameters.ts';
import type { Bar } from '../../service/engine/types.ts';
import { createSyntheticMarket } from '../../service/market/synthetic/market.ts';
import { tapeFileOf } from '../../service/market/tape/tape-database.ts';
import { modelOf } from '../../service/model-file.ts';
import { isSession } from '../../shared/domain/sessions.ts';
import type { Progress } from '../../shared/lib/progress.ts';
import { DAY_MS, dateOf, HOUR_MS } from '../../shared/lib/time.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { type Sandbox, startSandbox } from '../harness/sandbox.ts';

const CONTINUES = 'continuing from the checkpoint';
const KEY = 'svc_live_checkpointcheckpoint01';
const START = Date.parse('2026-03-04T01:00:00Z');
const SYMBOLS = ['SPY', 'QQQ', 'BTC'] as const;
/** Prices of three years and a half, of two shares and a coin. */
const PRICES = (() => {
  const bars = new Map<string, Bar[]>(SYMBOLS.map((symbol) => [symbol, []]));
  const market = createSyntheticMarket({ seed: 11, symbols: 2 });
  for (const day of market.closedDays(() => '2022-10-31', START + 300 * DAY_MS))
    for (const symbol of SYMBOLS) {
      const bar = day.bars.get(symbol);
      if (bar !== undefined && (symbol === 'BTC' || isSession('us', bar.date))) bars.get(symbol)?.push(bar);
    }
  return bars;
})();

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const filesOf = (store: string): string[] =>
  [store, tapeFileOf(store), cacheFileOf(store)].flatMap((file) => ['', '-wal', '-shm'].map((end) => file + end));

/** A folder of prices that a test changes, and the store of a service over it. */
class World {
  readonly #top: string;
  readonly #bars = new Map([...PRICES].map(([symbol, bars]) => [symbol, [...bars]]));
  #copies = 0;
  store: string;
  now = START;
  /** The symbol whose newest row is not there yet. */
  late: string | null = null;
  model = RISK_MODEL;

  constructor(top: string) {
    this.#top = top;
    this.store = join(top, 'service.db');
    mkdirSync(join(top, 'prices'), { recursive: true });
    this.write();
  }

  /** Multiplies the prices of a past day, or of all days up to it. */
  change(symbol: string, back: number, by: number, isSplit: boolean): void {
    const bars = this.#bars.get(symbol) ?? [];
    const index = bars.findLastIndex(({ date }) => date <= dateOf(this.now - back * DAY_MS));
    for (const [at, { open, high, low, close, ...rest }] of bars.entries())
      if (isSplit ? at <= index : at === index)
        bars[at] = { ...rest, open: open * by, high: high * by, low: low * by, close: close * by };
  }

  write(): void {
    for (const [symbol, bars] of this.#bars) {
      const known = bars.filter(({ date }) => date < dateOf(this.now));
      const lines = known
        .slice(0, this.late === symbol ? -1 : undefined)
        .map((bar) => [symbol, bar.date, bar.open, bar.high, bar.low, bar.close, bar.volume ?? ''].join());
      const file = join(this.#top, 'prices', `${symbol}.csv`);
      writeFileSync(file, `symbol,date,open,high,low,close,volume\n${lines.join('\n')}\n`);
    }
  }

  start(store = this.store): Promise<Sandbox> {
    return startSandbox({
      folder: join(this.#top, 'prices'),
      file: store,
      clock: createManualClock(this.now),
      key: KEY,
      plans: { plan: 'institutional' },
      model: this.model,
    });
  }

  /** A copy of the files as they are, as a kill would leave them. */
  copy(isWithCache: boolean): string {
    const copy = join(this.#top, `copy-${this.#copies++}.db`);
    const [from, to] = [filesOf(this.store), filesOf(copy)];
    for (const [index, file] of from.entries())
      if (existsSync(file) && (isWithCache || !file.startsWith(cacheFileOf(this.store))))
        copyFileSync(file, to[index] as string);
    return copy;
  }
}

const urlsOf = (symbols: readonly string[]): string[] => [
  '/snapshot',
  '/events?limit=100',
  '/alerts?limit=100',
  ...symbols.flatMap((symbol) => [
    `/signal?symbol=${symbol}`,
    `/history?symbol=${symbol}&limit=100`,
    `/factors?symbol=${symbol}`,
    `/factors?symbol=${symbol}&from=2024-01-01&limit=100`,
    `/factors?symbol=${symbol}&from=2025-12-01&limit=100`,
    `/regime/${symbol}`,
    `/regime/${symbol}/history?from=2024-06-01&limit=100`,
  ]),
];

async function answersOf({ get }: Sandbox, symbols: readonly string[] = SYMBOLS): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const url of urlsOf(symbols)) {
    const { status, body } = await get(url);
    expect(status, url).toBe(200);
    answers[url] = body;
  }
  const { data } = (await get('/api/briefings?limit=20')).body;
  for (const { id } of data.slice(0, 2)) answers[id] = (await get(`/api/briefings/${id}`)).body;
  return { ...answers, data };
}

/** Compares two starts on equal stores, one of them without the cache: now, and after three more days. */
async function compareStarts(world: World): Promise<readonly string[]> {
  const copy = world.copy(false);
  const [continued, begun] = [await world.start(), await world.start(copy)];
  expect(await answersOf(continued)).toEqual(await answersOf(begun));
  for (let day = 0; day < 3; day++) {
    world.now += DAY_MS;
    world.write();
    for (const { clock } of [continued, begun]) {
      clock.jump(DAY_MS - 3_000);
      await clock.advance(3_000);
    }
  }
  expect(await answersOf(continued)).toEqual(await answersOf(begun));
  expect([continued.complaints, begun.notices.includes(CONTINUES)]).toEqual([[], false]);
  await Promise.all([continued.service.close(), begun.service.close()]);
  return continued.notices;
}

test('the next start continues from the checkpoint, and answers as one from nothing', { tags: ['long'] }, async () => {
  const world = new World(folder.path);
  await (await world.start()).service.close();
  expect(statSync(cacheFileOf(world.store)).mode & 0o777).toBe(0o600);
  for (const later of [HOUR_MS, 40 * DAY_MS]) {
    world.now += later;
    world.write();
    expect(await compareStarts(world)).toContain(CONTINUES);
  }
  world.model = modelOf({ ...RISK_MODEL.source, version: 'another' });
  expect(await compareStarts(world)).not.toContain(CONTINUES);
});

test('so does the next start of a sandbox, within a month and after it; another seed begins from nothing', {
  tags: ['long'],
}, async () => {
  const store = join(folder.path, 'sandbox.db');
  const start = (now: number, file: string, seed = 7): Promise<Sandbox> =>
    startSandbox({ seed, symbols: 2, file, clock: createManualClock(now) });
  await (await start(START, store)).service.close();
  for (const days of [1, 3, 45]) {
    const copy = join(folder.path, `copy-${days}.db`);
    copyFileSync(store, copy);
    const now = START + days * DAY_MS;
    const [continued, begun] = [await start(now, store), await start(now, copy)];
    expect(await answersOf(continued, ['SPY', 'QQQ'])).toEqual(await answersOf(begun, ['SPY', 'QQQ']));
    expect([continued.notices.includes(CONTINUES), begun.notices.includes(CONTINUES)]).toEqual([true, false]);
    await Promise.all([continued.service.close(), begun.service.close()]);
  }
  rmSync(store);
  const other = await start(START, store, 8);
  expect(other.notices).not.toContain(CONTINUES);
  await other.service.close();
});

test('a first start that is stopped says how far it was, and the next one goes on there', {
  tags: ['long'],
}, async () => {
  const store = join(folder.path, 'sandbox.db');
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const stopped = assemble(
    { world: { kind: 'sandbox', seed: 7, symbols: 2 }, time: { start: null, speed: 1 }, file: store },
    { clock: createManualClock(START), logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:8787' },
  );
  const seen: number[] = [];
  const report = ({ what, done }: Progress): void => void (what === 'computing' && seen.push(done));
  await stopped.start({ report, isStopped: () => seen.length === 500 });
  await stopped.close();
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([500, 0, 499]);
  const copy = join(folder.path, 'copy.db');
  copyFileSync(store, copy);
  const start = (file: string) => startSandbox({ seed: 7, symbols: 2, file, clock: createManualClock(START) });
  const [continued, begun] = [await start(store), await start(copy)];
  expect([continued.notices.includes(CONTINUES), begun.notices.includes(CONTINUES)]).toEqual([true, false]);
  expect(await answersOf(continued, ['SPY', 'QQQ'])).toEqual(await answersOf(begun, ['SPY', 'QQQ']));
  await Promise.all([continued.service.close(), begun.service.close()]);
});

test('a start that begins from nothing writes over the rows of the one before', { tags: ['long'] }, async () => {
  const world = new World(folder.path);
  const sizeAfterStart = async (version: string): Promise<number> => {
    world.model = modelOf({ ...RISK_MODEL.source, version });
    await (await world.start()).service.close();
    return statSync(cacheFileOf(world.store)).size;
  };
  const first = await sizeAfterStart('one');
  expect(await sizeAfterStart('another')).toBeLessThan(1.1 * first);
});

const DAMAGES = ['deleted', 'byte', 'bytes', 'truncated', 'text'] as const;
const step = record({
  kind: constantFrom('nothing', 'corrected', 'split', 'late', 'killed', ...DAMAGES),
  symbol: constantFrom(...SYMBOLS),
  back: integer({ min: 1, max: 400 }),
  days: integer({ min: 0, max: 45 }),
  isRunning: constantFrom(true, false),
});

test('after corrections, splits, late rows, kills and damage to the file, every start answers as one from nothing', {
  tags: ['long'],
  timeout: 600_000,
}, async () => {
  let cases = 0;
  const check = asyncProperty(array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
    const world = new World(join(folder.path, `${cases++}`));
    let running: Sandbox | null = await world.start();
    for (const { kind, symbol, back, days, isRunning } of steps) {
      const killed = kind === 'killed' ? world.copy(true) : null;
      if (!isRunning || killed !== null) {
        await running?.service.close();
        running = null;
      }
      world.store = killed ?? world.store;
      if (kind === 'corrected' || kind === 'split')
        world.change(symbol, back, kind === 'split' ? 0.5 : 1.003, kind === 'split');
      world.late = kind === 'late' ? symbol : null;
      world.now += days * DAY_MS;
      world.write();
      if (running === null) damage(cacheFileOf(world.store), kind, back);
      running?.clock.jump(days * DAY_MS);
      await running?.clock.advance(6_000);
      running ??= await world.start();
    }
    await running.service.close();
    await compareStarts(world);
  });
  await assert(check, { numRuns: Number(process.env.BAROGRAPH_SAMPLES ?? 3) });
});

function damage(file: string, kind: string, seed: number): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const first = Math.floor((bytes.length * seed) / 401);
  if (kind === 'deleted') rmSync(file);
  if (kind === 'truncated') truncateSync(file, first);
  if (kind === 'text') writeFileSync(file, 'no database at all, but some text that is longer than a header');
  if (kind !== 'byte' && kind !== 'bytes') return;
  for (let at = first; at < bytes.length; at += 9_973) {
    bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    if (kind === 'byte') break;
  }
  writeFileSync(file, bytes);
}
