// Contract: a service follows the shares of a vendor over real sockets, and VIX from a file.
// A split, on its day or told late, a halt, and the close of a half day are no High Risk.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instantIn, isSession, sessionOn } from '../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../shared/lib/time.ts';
import { FAKE_KEY, type FakeAlpaca, type FakeBar, lettersOf, startFakeAlpaca } from '../harness/fake-alpaca.ts';
import { type FeedService, feedService } from '../harness/feed-service.ts';
import { type FileHost, startFileHost } from '../harness/file-host.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const KEY = `${FAKE_KEY.id}:${FAKE_KEY.secret}`;
const SYMBOLS = ['AAPL', 'QQQ', 'SPY'];
/** The day after Thanksgiving: New York closes at 13:00. */
const TODAY = '2026-11-27';
const { open: OPEN, close: CLOSE } = sessionOn('us', TODAY);

let folder: TemporaryFolder;
let clock: ManualClock;
let vendor: FakeAlpaca;
let host: FileHost;
let service: FeedService;

beforeEach(async () => {
  folder = temporaryFolder();
  clock = createManualClock(OPEN + 20_000);
  [vendor, host] = await Promise.all([startFakeAlpaca(OPEN), startFileHost()]);
  Object.defineProperty(vendor, 'now', { get: clock.now });
  vendor.bars.set('sip 1Day', new Map(SYMBOLS.map((symbol, n) => [symbol, history(100 + 50 * n)])));
  vendor.bars.set('iex 1Min', new Map(SYMBOLS.map((symbol) => [symbol, []])));
  for (const symbol of SYMBOLS)
    vendor.assets.set(symbol, { name: symbol === 'AAPL' ? 'Apple Inc. Common Stock' : symbol, status: 'active' });
  const rows = history(20).map(({ at, close }) => `${dateOf(at)},${close},${close},${close},${close}\n`);
  host.files.set('/VIX.csv', { body: `date,open,high,low,close\n${rows.join('')}` });
  service = feedService(folder.path, clock);
});
afterEach(async () => {
  await service.close();
  await Promise.all([vendor.close(), host.close()]);
  folder.remove();
});

/** As the vendor stamps days. */
function midnight(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return instantIn('America/New_York', year, month, day, 0);
}

/** Five calm years up to the session before today. */
function history(price: number): FakeBar[] {
  const bars: FakeBar[] = [];
  for (let at = Date.parse('2021-11-01'); dateOf(at) < TODAY; at += DAY_MS) {
    const date = dateOf(at);
    if (isSession('us', date)) bars.push(barAt(midnight(date), price * (1 + 0.004 * Math.sin(at / DAY_MS / 2)), 1e6));
  }
  return bars;
}
const barAt = (at: number, price: number, volume: number): FakeBar => ({
  at,
  open: price,
  high: price * 1.002,
  low: price * 0.998,
  close: price,
  volume,
});

async function start(vendorKey: string | null = KEY): Promise<void> {
  const config = join(folder.path, 'files.json');
  writeFileSync(
    config,
    JSON.stringify({ files: [{ url: `${host.url}/{symbol}.csv`, symbols: ['VIX'], assetClass: 'index' }] }),
  );
  const hosts = { rest: vendor.url, trading: vendor.url, stream: vendor.streamUrl };
  const symbols = [...SYMBOLS, 'VIX'];
  await service.start({ feed: 'alpaca', symbols, hosts, config }, vendorKey);
  if (vendorKey === null) return;
  await passing(() => expect(vendor.sent).toHaveLength(2));
}

const get = (url: string) => service.get(url);
const passing = (holds: () => unknown) => service.passing(holds);
const signal = (symbol: string) => get(`/signal?symbol=${symbol}`);
interface AppleEvent {
  readonly timestamp: string;
  readonly data: { readonly symbol?: string; readonly in_question?: string };
}
/** Of today's changes of AAPL, what their prices were. */
const questions = async (): Promise<(string | undefined)[]> =>
  (await get('/events?limit=100')).data
    .filter(({ timestamp, data }: AppleEvent) => timestamp > TODAY && data.symbol === 'AAPL')
    .map(({ data }: AppleEvent) => data.in_question);

/** The next minute ends, with that price of each symbol, and comes over the stream. */
async function nextMinute(prices: Readonly<Record<string, number>>): Promise<string> {
  const start = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
  const bars = Object.entries(prices).map(([symbol, price]) => ({ symbol, bar: barAt(start, price, 3) }));
  for (const { symbol, bar } of bars) vendor.bars.get('iex 1Min')?.get(symbol)?.push(bar);
  await clock.advance(start + MINUTE_MS + 300 - clock.now());
  vendor.broadcast(
    ...bars.map(({ symbol, bar }) => ({ T: 'b', S: symbol, t: new Date(bar.at).toISOString(), ...lettersOf(bar) })),
  );
  return new Date(start + MINUTE_MS).toISOString();
}
const CALM = { QQQ: 150, SPY: 200 };

test('the service follows shares by the minute, and closes the half day with the bar of all exchanges', {
  tags: ['long'],
}, async () => {
  await start();
  expect(await signal('SPY')).toMatchObject({ source: 'alpaca', data_health: 'current', asset_class: 'etf' });
  expect(await signal('AAPL')).toMatchObject({ name: 'Apple Inc. Common Stock' });
  expect(host.requests.length).toBeGreaterThan(0);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    const decided_at = await nextMinute({ AAPL: 100, ...CALM });
    await passing(async () => expect(await signal('SPY')).toMatchObject({ decided_at, data_health: 'current' }));
  }
  const sent = vendor.sent.length;
  clock.jump(CLOSE - clock.now());
  for (const [n, symbol] of SYMBOLS.entries())
    vendor.bars
      .get('sip 1Day')
      ?.get(symbol)
      ?.push(barAt(midnight(TODAY), 100.5 + 50 * n, 1e6));
  await clock.advance(19 * MINUTE_MS);
  expect((await signal('SPY')).price).not.toBe(200.5);
  await clock.advance(2 * MINUTE_MS);
  await passing(async () => expect(await signal('SPY')).toMatchObject({ price: 200.5, data_health: 'current' }));
  // After a sleep the stream is begun again.
  await passing(() => expect(vendor.sent.length).toBeGreaterThan(sent));
  // Where the sockets of this computer are slower than the driven clock, its silence is noticed first.
  expect(service.errors.filter((error) => !/slept|sent nothing|was silent|left out/.test(error))).toEqual([]);
});

test('a split that is told on its day is no High Risk', { tags: ['long'] }, () => splitToday(true));
test(
  'a split that is told late asks what it is, and its High Risk is withdrawn minutes later',
  { tags: ['long'] },
  () => splitToday(false),
);

async function splitToday(isTold: boolean): Promise<void> {
  const split = {
    type: 'forward_split',
    processed: TODAY,
    row: { symbol: 'AAPL', cusip: 'c', new_rate: 4, old_rate: 1, ex_date: TODAY },
  };
  if (isTold) vendor.actions.push(split);
  await start();
  let decided_at = '';
  for (let minutes = 0; minutes < 3; minutes += 1) decided_at = await nextMinute({ AAPL: 25, ...CALM });
  await passing(async () => expect(await signal('QQQ')).toMatchObject({ decided_at }));
  // Asked within the day: a close has volume and range, which answer the question without the vendor.
  if (!isTold) {
    await passing(async () => expect(await signal('AAPL')).toMatchObject({ data_health: 'question', state: 2 }));
    vendor.actions.push(split);
    for (let minutes = 0; minutes < 6; minutes += 1) await nextMinute({ AAPL: 25, ...CALM });
    await passing(async () => expect(await signal('AAPL')).toMatchObject({ state: 0 }));
  }
  for (const [n, symbol] of SYMBOLS.entries())
    vendor.bars
      .get('sip 1Day')
      ?.get(symbol)
      ?.push(barAt(midnight(TODAY), n === 0 ? 25 : 100 + 50 * n, 1e6));
  clock.jump(CLOSE + 21 * MINUTE_MS - clock.now());
  await passing(async () =>
    expect(await signal('AAPL')).toMatchObject({
      price: 25,
      decided_at: new Date(CLOSE).toISOString(),
      data_health: 'current',
    }),
  );
  expect(await questions()).toEqual(isTold ? [] : ['open', 'withdrawn']);
}

test('the signal of a halted share says that it is halted, until trading goes on', { tags: ['long'] }, async () => {
  await start();
  const status = (sc: string, sm: string, rm: string) => ({
    T: 's',
    S: 'AAPL',
    z: 'C',
    sc,
    sm,
    rc: '',
    rm,
    t: new Date(clock.now()).toISOString(),
  });
  vendor.broadcast(status('H', 'Trading Halt', 'News pending'));
  await passing(async () =>
    expect(await signal('AAPL')).toMatchObject({
      data_health: 'halted',
      note: expect.stringContaining('News pending'),
    }),
  );
  expect((await signal('SPY')).data_health).toBe('current');
  vendor.broadcast(status('T', 'Trading Resumption', ''));
  await passing(async () => expect(await signal('AAPL')).toMatchObject({ data_health: 'current' }));
});

test('a vendor without its key is named, and is followed within seconds of getting one', async () => {
  await start(null);
  expect(await signal('SPY')).toMatchObject({ code: 'symbol_not_covered' });
  expect(service.errors).toEqual([expect.stringContaining('Alpaca needs a key')]);
  service.replaceKey(KEY);
  await passing(async () => expect(await signal('SPY')).toMatchObject({ data_health: 'current' }));
  await passing(() => expect(vendor.sent).toHaveLength(2));
});
