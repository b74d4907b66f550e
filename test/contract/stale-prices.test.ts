// Contract: every endpoint reports the age of a symbol whose prices ended.
// Daily prices have no hours.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assemble } from '../../service/assemble.ts';
import type { Service } from '../../service/service.ts';
import { createManualClock } from '../harness/manual-clock.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const DAY = 86_400_000;
const NOW = Date.parse('2023-03-10T23:00:00Z');
/** SPY is up to date; QQQ ended a fortnight ago, IWM three years ago. */
const LAST = { SPY: '2023-03-10', QQQ: '2023-02-24', IWM: '2020-03-13' } as const;

/** Prices that ended as IWM's, with a known cause: DIA was delisted, the last close of EFA is no price. */
const CAUSED = { DIA: 'unlisted', EFA: 'quarantined' } as const;

const folder = mkdtempSync(join(tmpdir(), 'barograph-stale-'));
let service: Service;
let key = '';

const closeOn = (at: number): number => 100 + Math.round(1_000 * Math.sin(at / DAY / 30)) / 100;
/** The close of EFA before the one that is no price. */
const LEVEL = closeOn(Date.parse('2020-03-13'));

/** Weekday bars from 2017-01-02 up to a date, with falls. */
function priceFile(symbol: string, last: string): string {
  const rows = ['symbol,date,open,high,low,close,volume'];
  for (let at = Date.parse('2017-01-02'); at <= Date.parse(last); at += DAY) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 === 0) continue;
    const close = closeOn(at);
    rows.push(`${symbol},${day.toISOString().slice(0, 10)},${close},${close + 1},${close - 1},${close},1000`);
  }
  return `${rows.join('\n')}\n`;
}

beforeAll(async () => {
  for (const [symbol, last] of Object.entries(LAST))
    writeFileSync(join(folder, `${symbol}.csv`), priceFile(symbol, last));
  for (const symbol of Object.keys(CAUSED)) writeFileSync(join(folder, `${symbol}.csv`), priceFile(symbol, LAST.IWM));
  writeFileSync(
    join(folder, 'EFA_2.csv'),
    `symbol,date,open,high,low,close,volume\nEFA,2020-03-16,${LEVEL},${LEVEL},0.5,0.5,1000\n`,
  );
  writeFileSync(join(folder, 'actions.csv'), 'symbol,date,action,note\nDIA,2020-03-16,delisting,it was bought\n');
  service = assemble(
    { world: { kind: 'prices', folder }, time: { start: NOW, speed: 0 }, file: ':memory:' },
    {
      clock: createManualClock(),
      logger: silent,
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
      plans: { plan: 'institutional' },
    },
  );
  key = service.admitKey(null) ?? '';
  await service.start();
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const get = async (url: string) => {
  const answer = await service.app.inject({ url, headers: { 'x-api-key': key } });
  return { status: answer.statusCode, body: answer.json() };
};
const symbolsIn = async (url: string): Promise<string[]> =>
  (await get(url)).body.data.map(({ symbol }: { symbol: string }) => symbol);

describe('a symbol whose prices ended', () => {
  test('is in the snapshot only when it is asked for', async () => {
    expect(await symbolsIn('/snapshot')).toEqual(['SPY']);
    expect(await symbolsIn('/snapshot?include=stale')).toEqual(['DIA', 'EFA', 'IWM', 'QQQ', 'SPY']);
    expect((await get('/snapshot?include=dead')).status).toBe(400);
  });

  test.each(['IWM', 'QQQ', 'SPY'] as const)('%s has the days before its last price', async (symbol) => {
    const { data } = (await get(`/history?symbol=${symbol}&limit=100`)).body;
    const days = data.map(({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10));
    expect([days.at(-1), days.length]).toEqual([LAST[symbol], expect.any(Number)]);
    expect(days.length).toBeGreaterThan(55);
  });

  test.each(['IWM', 'QQQ', 'SPY'] as const)('%s has a regime as of its last close, not as of now', async (symbol) => {
    const { decided_at, as_of, confidence } = (await get(`/regime/${symbol}`)).body;
    expect([as_of, confidence]).toEqual([new Date(NOW).toISOString(), expect.any(Number)]);
    expect(decided_at.slice(0, 10)).toBe(LAST[symbol]);
    expect(decided_at).toBe((await get(`/signal?symbol=${symbol}`)).body.decided_at);
  });

  test.each([
    ['IWM', 'stale', 1_092],
    ['QQQ', 'stale', 14],
    ['SPY', 'current', 0],
  ] as const)('%s is %s at every endpoint, with the same age', async (symbol, data_health, days) => {
    const answers = await Promise.all(
      [
        `/signal?symbol=${symbol}`,
        `/history?symbol=${symbol}`,
        `/factors?symbol=${symbol}`,
        `/factors?symbol=${symbol}&from=2023-01-01`,
        `/api/archetypes/current?symbol=${symbol}`,
        `/regime/${symbol}`,
        `/regime/${symbol}?as_of=${new Date(NOW).toISOString()}`,
        `/regime/${symbol}/history?from=2023-01-01`,
      ].map(get),
    );
    const age = answers[0]?.body.data_age_seconds;
    expect(Math.floor((age * 1_000) / DAY)).toBeGreaterThanOrEqual(days);
    for (const { status, body } of answers)
      expect([status, body.data_health, body.data_age_seconds]).toEqual([200, data_health, age]);
  });

  test.each([
    ['IWM', '2020-03-13T20:00:00Z', 'current', 0],
    ['IWM', '2020-03-16T00:00:00Z', 'current', 52],
    ['IWM', '2020-03-25T20:00:00Z', 'stale', 288],
    ['IWM', '2023-03-09T20:00:00Z', 'stale', 26_184],
    ['QQQ', '2023-02-20T00:00:00Z', 'current', 51],
    ['QQQ', '2023-03-10T21:00:00Z', 'stale', 336],
    ['SPY', '2022-06-01T03:30:00Z', 'current', 7.5],
  ] as const)(
    'the regime of %s at %s says the age of the data then: %s, %d hours',
    async (symbol, at, health, hours) => {
      expect((await get(`/regime/${symbol}?as_of=${at}`)).body).toMatchObject({
        as_of: new Date(at).toISOString(),
        data_health: health,
        data_age_seconds: hours * 3_600,
      });
    },
  );

  test('has no confidence, and its note says since when', async () => {
    const { body } = await get('/signal?symbol=IWM');
    expect(body).toMatchObject({ confidence: null, updated_at: '2020-03-13T20:00:00.000Z' });
    expect(body.note).toMatch(/^There has been no price since 2020-03-13; this is as of then\./);
    expect((await get('/signal?symbol=SPY')).body.confidence).not.toBeNull();
  });
});

test.each(['DIA', 'EFA'] as const)('%s, which ended for a known reason, says it, and is as of then', async (symbol) => {
  const { body } = await get(`/signal?symbol=${symbol}`);
  expect(body).toMatchObject({ data_health: CAUSED[symbol], confidence: null });
  // The price that is not used is one.
  const cause =
    symbol === 'DIA'
      ? /There has been no price since 2020-03-13; this is as of then\./
      : /close 0\.5 after .* it is not used/;
  expect(body.note).toMatch(cause);
  const { data } = (await get(`/history?symbol=${symbol}&limit=100`)).body;
  expect([data.at(-1)?.timestamp.slice(0, 10), data.length > 55]).toEqual([LAST.IWM, true]);
});

describe('the granularity of regimes over daily prices', () => {
  test.each(['day', 'hour', 'minute'])('%s answers with the days that there are, and says so', async (granularity) => {
    const { body } = await get(`/regime/SPY/history?from=2023-03-06&granularity=${granularity}`);
    expect(body.granularity).toBe('day');
    expect(body.data.map(({ timestamp }: { timestamp: string }) => timestamp.slice(0, 10))).toEqual([
      '2023-03-06',
      '2023-03-07',
      '2023-03-08',
      '2023-03-09',
      '2023-03-10',
    ]);
  });
});
