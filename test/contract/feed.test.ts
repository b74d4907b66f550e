// Contract: a service without prices of its own follows a vendor's live prices, over real sockets.
// It also reports the failures of the vendor.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../shared/lib/time.ts';
import { type FakeBinance, startFakeBinance } from '../harness/fake-binance.ts';
import { type FeedService, feedService } from '../harness/feed-service.ts';
import { folderInMemory, type TemporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const START = Date.parse('2026-03-02T14:30:20Z');
const COINS = ['BTC', 'ETH', 'SOL'];

let folder: TemporaryFolder;
let clock: ManualClock;
let vendor: FakeBinance;
let service: FeedService;

beforeEach(async () => {
  folder = folderInMemory();
  clock = createManualClock(START);
  vendor = await startFakeBinance({ now: clock.now, coins: COINS });
  service = feedService(folder.path, clock);
});
afterEach(async () => {
  await service.close();
  await vendor.close();
  folder.remove();
});

const start = (symbols: readonly string[] = COINS) => service.start({ feed: 'binance', symbols, hosts: vendor.hosts });
const get = (url: string) => service.get(url);
const passing = (holds: () => unknown) => service.passing(holds);
const signal = (symbol = 'BTC') => get(`/signal?symbol=${symbol}`);

/** The next minute ends, and its row comes. */
async function nextMinute(): Promise<string> {
  const end = (Math.floor(clock.now() / MINUTE_MS) + 1) * MINUTE_MS;
  await clock.advance(end + 500 - clock.now());
  vendor.tick();
  return new Date(end).toISOString();
}

test('the service has five years of history of coins, without a key of the vendor, and follows every minute', {
  tags: ['long'],
}, async () => {
  await start();
  const { data } = await get('/snapshot?limit=100');
  expect(data.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['BTC', 'ETH', 'SOL']);
  expect(await signal()).toMatchObject({
    name: 'Bitcoin',
    asset_class: 'crypto',
    source: 'binance',
    data_health: 'current',
  });
  expect((await get('/history?symbol=BTC&limit=100')).data.length).toBeGreaterThan(85);
  expect(service.notices.at(-1)).toBe('binance: 3 of 3 symbols have their history');
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  for (let minutes = 0; minutes < 3; minutes++) {
    const decided_at = await nextMinute();
    await passing(async () => expect(await signal()).toMatchObject({ decided_at, data_health: 'current' }));
    expect(Date.parse((await signal()).next_decision_at) - clock.now()).toBeLessThanOrEqual(MINUTE_MS);
  }
  expect(service.errors).toEqual([]);
});

test('after a cut a feed says what is missing, and fills it before it decides again', { tags: ['long'] }, async () => {
  await start();
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  const before = await nextMinute();
  await passing(async () => expect(await signal()).toMatchObject({ decided_at: before }));
  vendor.cut(true);
  vendor.answer = 'down';
  await clock.advance(6 * MINUTE_MS);
  const delayed = await signal();
  expect(delayed).toMatchObject({ data_health: 'delayed', decided_at: before });
  expect(delayed.data_delay_seconds).toBe(Math.round((clock.now() - Date.parse(before)) / 1_000));
  expect((await signal()).note).toContain(`binance has sent no price of BTC after ${before.slice(0, 16)}Z`);
  vendor.answer = 'prices';
  vendor.cut(false);
  const last = new Date(Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS).toISOString();
  await passing(async () => {
    const { decided_at, data_health } = await signal();
    expect(decided_at >= last).toBe(true);
    expect(data_health).toBe('current');
  });
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
});

test('a restart asks only for what the tape lacks, and gives the same signals', { tags: ['long'] }, async () => {
  await start();
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  const before = await signal('ETH');
  await service.close();
  const asked = vendor.asked.length;
  await start();
  const fromYears = vendor.asked
    .slice(asked)
    .map((url) => new URL(url, 'http://x').searchParams)
    .filter((query) => query.get('interval') === '1d' && Number(query.get('startTime')) < START - 30 * DAY_MS);
  expect(fromYears).toEqual([]);
  const { since, state, base_rate, regime } = before;
  expect(await signal('ETH')).toMatchObject({ since, state, base_rate, regime });
});

test('a symbol without prices is unknown, and becomes known when the vendor is back', { tags: ['long'] }, async () => {
  vendor.answer = 'page';
  await start();
  expect((await get('/snapshot?limit=100')).data).toEqual([]);
  expect(await signal()).toMatchObject({ code: 'symbol_not_covered' });
  expect(service.errors).toEqual(['binance answered with a web page, not with prices.']);
  vendor.answer = 'prices';
  await passing(async () => expect(await signal()).toMatchObject({ data_health: 'current' }));
  expect((await get('/alert-transitions?symbol=BTC&limit=100')).data).toEqual([]);
});

test('a country that the vendor does not serve: the sentence says what to do, and prices stand', {
  tags: ['long'],
}, async () => {
  await start();
  await service.close();
  vendor.answer = 'forbidden';
  await start();
  const { data_health, note } = await signal();
  expect(data_health).toBe('delayed');
  expect(note).toMatch(/^binance \(http:\/\/127\.0\.0\.1:\d+\) answered 451\. Binance does not serve the country/);
});

test('an announced shutdown, a second row, and a text that is none end a connection at most', {
  tags: ['long'],
}, async () => {
  await start();
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  for (const spoil of [() => vendor.announceShutdown(), () => vendor.send('nonsense'), () => vendor.cut(false)]) {
    const decided_at = await nextMinute();
    vendor.tick();
    await passing(async () => expect(await signal()).toMatchObject({ decided_at }));
    spoil();
    await passing(() => expect(vendor.subscribed()).toHaveLength(0));
    await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  }
});

test('the feed is listed with its age, budget and last error; its history is stopped, and goes on where it was', {
  tags: ['long'],
}, async () => {
  await start();
  const listed = async () => (await get('/feeds')).data[0];
  expect(await listed()).toMatchObject({
    name: 'binance',
    status: 'following',
    symbols: 3,
    last_fault: null,
    without_prices: [],
    history: { done: 3, stopped: false },
  });
  expect((await listed()).budgets).toMatchObject([{ account: 'binance', per_minute: 4200, waits_until: null }]);
  await passing(() => expect(vendor.subscribed()).toHaveLength(3));
  await nextMinute();
  await passing(async () => expect(Date.parse((await listed()).last_price_at)).toBeGreaterThan(START));
  vendor.cut(true);
  vendor.answer = 'down';
  await clock.advance(3 * MINUTE_MS);
  await passing(async () =>
    expect(await listed()).toMatchObject({
      status: 'failing',
      last_fault: { message: expect.stringMatching(/Binance|binance/) },
    }),
  );
  expect(await service.post('/feeds/none/history', { stopped: true })).toBe(404);
  expect(await service.post('/feeds/binance/history', { stopped: true })).toBe(200);
  expect((await listed()).history.stopped).toBe(true);
});
