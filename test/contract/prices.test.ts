// Contract: a self-hosted service on a folder of prices, and a symbol whose prices ended.
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import { createManualClock } from '../harness/manual-clock.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const DAY = 86_400_000;

/** Weekday bars from 2019-01-01 up to a date. */
function priceFile(symbol: string, last: string): string {
  const rows = ['symbol,date,open,high,low,close,volume'];
  for (let at = Date.parse('2019-01-01'); at <= Date.parse(last); at += DAY) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 === 0) continue;
    const close = 100 + Math.round(100 * Math.sin(at / DAY)) / 100;
    rows.push(`${symbol},${day.toISOString().slice(0, 10)},${close},${close + 1},${close - 1},${close},1000`);
  }
  return `${rows.join('\n')}\n`;
}

test('the next decision of a symbol whose prices ended is overdue; of one that is up to date it is ahead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-prices-'));
  writeFileSync(join(folder, 'SPY.csv'), priceFile('SPY', '2020-03-13'));
  writeFileSync(join(folder, 'QQQ.csv'), priceFile('QQQ', '2020-02-28'));
  const now = Date.parse('2020-03-12T23:00:00Z');
  const service = assemble(
    { world: { kind: 'prices', folder }, time: { start: now, speed: 0 }, file: ':memory:' },
    {
      clock: createManualClock(),
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
    },
  );
  const key = service.admitKey(null) ?? '';
  await service.start();
  const signal = async (symbol: string) =>
    (await service.app.inject({ url: `/signal?symbol=${symbol}`, headers: { 'x-api-key': key } })).json();
  expect(await signal('SPY')).toMatchObject({
    decided_at: '2020-03-12T20:00:00.000Z',
    next_decision_at: '2020-03-13T20:00:00.000Z',
  });
  expect(await signal('QQQ')).toMatchObject({
    decided_at: '2020-02-28T21:00:00.000Z',
    next_decision_at: '2020-03-02T21:00:00.000Z',
  });
  await service.close();
  rmSync(folder, { recursive: true });
});

test('while the folder cannot be read, what is present is 502, and what was read stands; when it is back, all is well', async () => {
  const top = mkdtempSync(join(tmpdir(), 'barograph-prices-'));
  const folder = join(top, 'prices');
  mkdirSync(folder);
  writeFileSync(join(folder, 'SPY.csv'), priceFile('SPY', '2020-03-13'));
  const clock = createManualClock();
  const complaints: string[] = [];
  const service = assemble(
    {
      world: { kind: 'prices', folder },
      time: { start: Date.parse('2020-03-12T23:00:00Z'), speed: 0 },
      file: ':memory:',
    },
    {
      clock,
      logger: { ...silent, error: (fields, message) => void complaints.push(`${message} ${JSON.stringify(fields)}`) },
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
      plans: { plan: 'institutional' },
    },
  );
  const key = service.admitKey(null) ?? '';
  await service.start();
  const get = (url: string) => service.app.inject({ url, headers: { 'x-api-key': key } });
  const archetypes = async (): Promise<[number, string]> => {
    const answer = await get('/api/archetypes/current');
    return [answer.statusCode, answer.json().code];
  };
  const current = (await get('/signal?symbol=SPY')).json();
  expect(await archetypes()).toEqual([200, undefined]);

  const lost: (() => void)[] = [
    () => renameSync(folder, join(top, 'elsewhere')),
    // As an empty mount point.
    () => mkdirSync(folder),
  ];
  for (const lose of lost) {
    lose();
    await clock.advance(10_000);
    expect(await archetypes()).toEqual([502, 'BACKEND_UNAVAILABLE']);
    expect((await get('/signal?symbol=SPY')).json()).toEqual(current);
    expect((await get('/api/archetypes/current?symbol=NOPE')).statusCode).toBe(400);
  }
  expect(complaints.length).toBeLessThanOrEqual(2);
  expect(complaints[0]).toMatch(/prices cannot be read/);

  rmSync(folder, { recursive: true });
  renameSync(join(top, 'elsewhere'), folder);
  await clock.advance(10_000);
  expect(await archetypes()).toEqual([200, undefined]);
  await service.close();
  rmSync(top, { recursive: true });
});

test('a row within the day decides when it is appended after its bar closed, at the time of that close', {
  tags: ['long'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'barograph-prices-'));
  const hours = join(folder, 'SPY_1h.csv');
  writeFileSync(join(folder, 'SPY.csv'), priceFile('SPY', '2020-03-12'));
  writeFileSync(hours, 'symbol,time_utc,open,high,low,close,volume\nSPY,2020-03-13T13:00,100,101,99,100,1000\n');
  const now = Date.parse('2020-03-13T14:30:00Z');
  const clock = createManualClock(now);
  const service = assemble(
    { world: { kind: 'prices', folder }, time: { start: now, speed: 1 }, file: ':memory:' },
    { clock, logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:1', checkReplies: true },
  );
  const key = service.admitKey(null) ?? '';
  await service.start();
  const get = async (url: string) => (await service.app.inject({ url, headers: { 'x-api-key': key } })).json();
  const changes = async (): Promise<[string, string][]> =>
    (await get('/alert-transitions?symbol=SPY&from=2020-03-13T14:00:00Z')).data.map(
      (row: { state_name: string; occurred_at: string }) => [row.state_name, row.occurred_at],
    );
  await clock.advance(32 * 60_000);
  expect(await changes()).toEqual([]);
  appendFileSync(hours, 'SPY,2020-03-13T14:00,100,100,84,85,9000\n');
  await clock.advance(30_000);
  expect(await changes()).toEqual([['high_risk', '2020-03-13T15:00:00.000Z']]);
  expect(await get('/signal?symbol=SPY')).toMatchObject({ state: 2, decided_at: '2020-03-13T15:00:00.000Z' });
  // Each once, also where the next row is on time.
  appendFileSync(hours, 'SPY,2020-03-13T15:00,85,85,84,84,9000\n');
  await clock.advance(2 * 3_600_000);
  expect(await changes()).toHaveLength(1);
  await service.close();
  rmSync(folder, { recursive: true });
});

const HOURS_HEADER = 'symbol,time_utc,open,high,low,close,volume\n';

/** What is appended to the folder, and when. */
const ARRIVALS: readonly (readonly [at: string, file: string, text: string])[] = [
  ['2020-03-13T14:40:00Z', 'SPY_1h.csv', 'SPY,2020-03-13T14:00,100,100,84,85,9000\n'],
  // QQQ has had no prices within the day.
  ['2020-03-13T16:05:00Z', 'QQQ_1h.csv', `${HOURS_HEADER}QQQ,2020-03-13T15:00,100,100,84,85,9000\n`],
  [
    '2020-03-13T17:05:00Z',
    'SPY_1h.csv',
    'SPY,2020-03-13T15:00,85,85,84,84,9000\nSPY,2020-03-13T16:00,84,99,84,99,9000\n',
  ],
  ['2020-03-13T20:10:00Z', 'SPY.csv', 'SPY,2020-03-13,100,100,84,84,9000\n'],
  ['2020-03-16T14:10:00Z', 'SPY_1h.csv', 'SPY,2020-03-16T13:00,84,100,84,100,9000\n'],
];
const BEGIN = Date.parse('2020-03-13T14:30:00Z');
const END = Date.parse('2020-03-16T18:00:00Z');

/** A life of the service over these arrivals. @param downs when it is not running. @returns every transition, as told */
async function transitionsOver(downs: readonly (readonly [from: string, to: string])[]): Promise<string[]> {
  const top = mkdtempSync(join(tmpdir(), 'barograph-prices-'));
  const folder = join(top, 'prices');
  mkdirSync(folder);
  writeFileSync(join(folder, 'SPY.csv'), priceFile('SPY', '2020-03-12'));
  writeFileSync(join(folder, 'QQQ.csv'), priceFile('QQQ', '2020-03-12'));
  writeFileSync(join(folder, 'SPY_1h.csv'), `${HOURS_HEADER}SPY,2020-03-13T13:00,100,101,99,100,1000\n`);
  const clock = createManualClock(BEGIN);
  const up = async () => {
    const service = assemble(
      { world: { kind: 'prices', folder }, time: { start: null, speed: 1 }, file: join(top, 'store.db') },
      { clock, logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:1', checkReplies: true },
    );
    const key = service.admitKey(null);
    await service.start();
    return { service, key };
  };
  const arrivals = ARRIVALS.map(([at, file, text]) => ({
    at: Date.parse(at),
    work: () => appendFileSync(join(folder, file), text),
  }));
  let running = await up();
  const key = running.key ?? '';
  const breaks = downs.flatMap(([from, to]) => [
    { at: Date.parse(from), work: () => running.service.close() },
    {
      at: Date.parse(to),
      async work() {
        running = await up();
      },
    },
  ]);
  for (const { at, work } of [...arrivals, ...breaks].sort((a, b) => a.at - b.at)) {
    clock.jump(at - clock.now());
    // Long enough to read the folder and to evaluate.
    await clock.advance(5_000);
    await work();
    await clock.advance(5_000);
  }
  clock.jump(END - clock.now());
  await clock.advance(5_000);
  const answer = await running.service.app.inject({
    url: '/alert-transitions?from=2020-03-13T14:00:00Z',
    headers: { 'x-api-key': key },
  });
  await running.service.close();
  rmSync(top, { recursive: true });
  return answer
    .json()
    .data.map((row: Record<string, unknown>) => [row.event_id, row.symbol, row.state_name, row.occurred_at].join(' '));
}

test('rows within the day that came while it was down are judged like those that came while it ran', {
  tags: ['long'],
}, async () => {
  const ran = await transitionsOver([]);
  expect(ran.map((text) => text.split(' ').slice(1).join(' '))).toEqual(
    expect.arrayContaining(['SPY high_risk 2020-03-13T15:00:00.000Z', 'QQQ high_risk 2020-03-13T16:00:00.000Z']),
  );
  for (const downs of [
    [['2020-03-13T14:35:00Z', '2020-03-13T15:30:00Z']],
    [['2020-03-13T15:30:00Z', '2020-03-13T17:30:00Z']],
    [['2020-03-13T14:35:00Z', '2020-03-13T21:00:00Z']],
    [['2020-03-13T14:35:00Z', '2020-03-16T14:30:00Z']],
    [
      ['2020-03-13T15:05:00Z', '2020-03-13T15:10:00Z'],
      ['2020-03-13T16:01:00Z', '2020-03-16T15:00:00Z'],
    ],
  ] as const)
    expect(await transitionsOver(downs)).toEqual(ran);
});
