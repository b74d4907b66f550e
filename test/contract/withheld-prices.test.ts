// Contract: with --no-prices, answers and texts have prices for the operator's keys alone.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyService } from '../../service/accounts/key-service.ts';
import { assemble } from '../../service/assemble.ts';
import type { Bar } from '../../service/engine/types.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import type { Service } from '../../service/service.ts';
import { sessionClose } from '../../shared/domain/sessions.ts';
import { sp500 } from '../fixtures/sp500.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const HOUR = 3_600_000;
/** Longer than the interval at which the service looks for changed prices. */
const POLLED = 10_000;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** Between 100 and 1,000, so that no price is also a percentage; the last close is no price. */
const bars = sp500()
  .slice(0, 1_045)
  .map((bar) => ({ ...bar, open: bar.open * 0.3, high: bar.high * 0.3, low: bar.low * 0.3, close: bar.close * 0.3 }));
const LAST = bars.length - 2;

let folder: TemporaryFolder;
let service: Service;
let clock: ManualClock;
let [operator, other] = ['', ''];

beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder.path, 'service.db');
  const asked = bars.with(LAST, { ...(bars[LAST] as Bar), close: STRAY, low: STRAY });
  const rows = asked
    .slice(0, LAST + 1)
    .filter((_, index) => index < LAST - 45 || index > LAST - 40)
    .map(({ date, open, high, low, close, volume }) => `SPY,${date},${open},${high},${low},${close},${volume ?? ''}`);
  writeFileSync(join(folder.path, 'SPY.csv'), `symbol,date,open,high,low,close,volume\n${rows.join('\n')}\n`);
  clock = createManualClock(sessionClose('us', bars[LAST]?.date ?? '') + HOUR);
  service = assemble(
    { world: { kind: 'prices', folder: folder.path }, time: REAL_TIME, file },
    {
      ...{ clock, logger: silent, randomBytes, publicUrl: () => 'http://127.0.0.1:1', checkReplies: true },
      ...{ plans: { plan: 'institutional' }, withholdsPrices: true },
    },
  );
  operator = service.admitKey(null) ?? '';
  // The clock was ahead at the first start: by time of creation, the key of the other account is the older.
  const keys = openKeyService(file, () => clock.now() - HOUR, randomBytes);
  other = keys.issue({ scope: 'account', plan: null, hardCap: false, contract: null, account: 'ann' }).key;
  await keys.close();
  await service.start();
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

const get = async (url: string, key: string) =>
  (await service.app.inject({ url, headers: { 'x-api-key': key } })).json();
const FROM = encodeURIComponent(bars[LAST - 80]?.date ?? '');
const PATHS = [
  '/snapshot',
  '/signal?symbol=SPY',
  '/history?symbol=SPY&limit=100',
  '/regime/SPY',
  `/regime/SPY/history?granularity=day&from=${FROM}&limit=100`,
  '/alert-transitions?limit=100',
  '/alerts?limit=100',
  '/events?limit=100',
  '/factors?symbol=SPY',
];

/** A close that nothing else of its day confirms. */
const STRAY = 212.34;
/** Every price of the last year, as fields and as texts have it. */
const PRICES = new Set(
  bars
    .slice(-300)
    .flatMap(({ open, high, low, close }) => [open, high, low, close, STRAY])
    .flatMap((one) => [one.toFixed(2), `${one}`]),
);
const quotedIn = (text: string): string[] => text.match(/\d+\.\d+/g)?.filter((one) => PRICES.has(one)) ?? [];

test('the operator has prices, holes and quotes', async () => {
  expect(await get('/signal?symbol=SPY', operator)).toMatchObject({
    price: STRAY,
    data_health: 'question',
    price_question: { price: STRAY, before: bars[LAST - 1]?.close, reason: expect.stringContaining(String(STRAY)) },
  });
  expect((await get('/signal?symbol=SPY', operator)).price_withheld).toBeUndefined();
  const history = await get('/history?symbol=SPY&limit=100', operator);
  expect(history.data.every(({ price, high }: { price: number; high: number }) => price > 0 && high > 0)).toBe(true);
  expect(quotedIn(JSON.stringify(history)).length).toBeGreaterThan(200);
  expect(history.price_holes).toMatchObject([{ kind: 'gap' }]);
});

test('another account has states, and no price: in no field, note, event or briefing', async () => {
  const signal = await get('/signal?symbol=SPY', other);
  expect(signal).toMatchObject({ price: null, change_pct: null, price_withheld: true, data_health: 'question' });
  const reason = expect.stringContaining('may be a fault of the data; it counts, and needs a decision of the operator');
  expect(signal.price_question).toMatchObject({ date: bars[LAST]?.date, price: null, before: null, reason });
  expect(signal.note).toEqual(reason);
  expect(signal.breach_level).toBeUndefined();
  expect(signal.note).toMatch(/% of the way to a breach\.|past the breach level\./);
  const [point] = (await get('/history?symbol=SPY&limit=100', other)).data;
  expect(point).toMatchObject({ symbol: 'SPY', price: null });
  expect(Object.keys(point).filter((name) => ['open', 'high', 'low', 'volume'].includes(name))).toEqual([]);
  const answers = await Promise.all(PATHS.map((path) => get(path, other)));
  expect(answers.filter((answer) => 'error' in answer || 'code' in answer)).toEqual([]);
  const list = await get('/api/briefings?limit=100', other);
  const briefings = await Promise.all(list.data.map(({ id }: { id: string }) => get(`/api/briefings/${id}`, other)));
  expect(briefings.length).toBeGreaterThan(5);
  expect(quotedIn(JSON.stringify([answers, list, briefings]))).toEqual([]);
  expect(JSON.stringify(briefings)).toContain('[price withheld]');
  expect(JSON.stringify(briefings)).not.toMatch(/[\uE000\uE001]/);
});

test("the operator's first key decides what a price is, and a key of another account does not", async () => {
  const answer = (key: string) =>
    service.app.inject({
      method: 'POST',
      url: `/price-questions/SPY/${bars[LAST]?.date}`,
      headers: { 'x-api-key': key },
      payload: { answer: 'no_price' },
    });
  const refused = await answer(other);
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'forbidden']);
  expect(await get('/signal?symbol=SPY', operator)).toMatchObject({ price: STRAY, data_health: 'question' });
  expect((await answer(operator)).json()).toEqual({ answer: 'no_price' });
  await clock.advance(POLLED);
  expect(await get('/signal?symbol=SPY', operator)).toMatchObject({ price: bars[LAST - 1]?.close });
});
