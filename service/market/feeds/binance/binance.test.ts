// Service, Binance, test: history and listings from recorded forms of its answers.

import { expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import { startFakeBinance } from '../../../../test/harness/fake-binance.ts';
import { createManualClock } from '../../../../test/harness/manual-clock.ts';
import { outboundOver } from '../../../../test/harness/outbound.ts';
import { directOutbound } from '../../../network/outbound.ts';
import { createAccount, openVendor } from '../account.ts';
import { feedNamed } from '../feeds.ts';
import type { FeedBar } from '../price-feed.ts';

const going = new AbortController().signal;
const NOW = Date.parse('2026-03-02T14:30:00Z');
/** The exchange's clock less this computer's. */
const SKEW_MS = 45_000;
const binance = feedNamed('binance');

function feedOver(answer: (url: URL) => unknown, clock = createManualClock(NOW)) {
  const asked: URL[] = [];
  const outbound = outboundOver(async (text) => {
    const url = new URL(text);
    if (url.pathname === '/api/v3/time') return Response.json({ serverTime: clock.now() + SKEW_MS });
    asked.push(url);
    const body = answer(url);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const account = createAccount({ vendor: binance, clock, outbound });
  return { asked, feed: binance.create({ fetch: account.fetch, outbound, clock, hosts: {}, key: () => null }) };
}
const kline = (start: number) => [
  start,
  '100.5',
  '110',
  '90.25',
  '105',
  '12.5',
  start + DAY_MS - 1,
  '1300',
  42,
  '6',
  '650',
  '0',
];
async function all(pages: AsyncIterable<readonly FeedBar[]>): Promise<FeedBar[]> {
  const bars: FeedBar[] = [];
  for await (const page of pages) bars.push(...page);
  return bars;
}

test('history comes page by page; the day in progress is not closed', async () => {
  const first = Date.parse('2022-01-01');
  const { feed, asked } = feedOver((url) => {
    const from = Number(url.searchParams.get('startTime'));
    const days = Math.min(1_000, Math.floor((NOW - from) / DAY_MS) + 1);
    return Array.from({ length: days }, (_, day) => kline(from + day * DAY_MS));
  });
  const bars = await all(
    feed.bars({ symbols: ['BTC'], step: 'day', from: first, to: NOW, priority: 'history' }, going),
  );
  expect(asked).toHaveLength(2);
  expect(asked[0]?.href).toMatch(/^https:\/\/data-api\.binance\.vision\/api\/v3\/klines\?symbol=BTCUSDT&interval=1d&/);
  expect(bars).toHaveLength((Date.parse('2026-03-02') - first) / DAY_MS + 1);
  expect(bars[0]).toEqual({
    symbol: 'BTC',
    step: 'day',
    date: '2022-01-01',
    start: first,
    end: first + DAY_MS,
    isClosed: true,
    open: 100.5,
    high: 110,
    low: 90.25,
    close: 105,
    volume: 12.5,
  });
  expect(bars.filter(({ isClosed }) => !isClosed).map(({ date }) => date)).toEqual(['2026-03-02']);
});

test('a web page, another form and a price of zero are not prices', async () => {
  const rows = (body: unknown) =>
    all(feedOver(() => body).feed.bars({ symbols: ['BTC'], step: 'day', from: 0, to: NOW, priority: 'live' }, going));
  await expect(rows('<!doctype html><title>Checking your browser</title>')).rejects.toThrow(
    'binance answered with a web page, not with prices.',
  );
  await expect(rows({ code: 0 })).rejects.toThrow(/unknown form/);
  await expect(rows([kline(0).with(4, '0')])).rejects.toThrow(/unknown form: 0\.4/);
});

test("listings have the exchange's pairs, and refuse those that it does not trade", async () => {
  const { feed } = feedOver(() => ({
    symbols: [
      { symbol: 'BTCUSDT', status: 'TRADING', baseAsset: 'BTC', quoteAsset: 'USDT' },
      { symbol: 'BTCEUR', status: 'BREAK', baseAsset: 'BTC', quoteAsset: 'EUR' },
    ],
  }));
  expect(await feed.listings(['BTC', 'BTC-EUR', 'NOPE'], going)).toEqual([
    { symbol: 'BTC', name: 'Bitcoin', assetClass: 'crypto', calendar: 'always', currency: 'USDT' },
    { symbol: 'BTC-EUR', reason: 'Binance does not trade BTCEUR now (break)' },
    { symbol: 'NOPE', reason: 'Binance has no pair NOPEUSDT' },
  ]);
});

test('the clock of the exchange is compared with this one', async () => {
  expect(await feedOver(() => null).feed.check(going)).toEqual({ clockSkewMs: SKEW_MS, plan: null });
});

test('a day that ends while the answer is on its way is not closed', async () => {
  const clock = createManualClock(NOW);
  const start = NOW + SKEW_MS + 2_000 - DAY_MS;
  const { feed } = feedOver(() => {
    clock.jump(4_000);
    return [kline(start)];
  }, clock);
  const request = { symbols: ['BTC'], step: 'day', from: start - DAY_MS, to: NOW, priority: 'live' } as const;
  expect((await all(feed.bars(request, going))).map(({ isClosed }) => isClosed)).toEqual([false]);
  expect((await all(feed.bars(request, going))).map(({ isClosed }) => isClosed)).toEqual([true]);
});

test('a message read late, after a sleep, does not leave a closed minute open', async () => {
  const clock = createManualClock(NOW + 30_000);
  const exchange = await startFakeBinance({ now: () => clock.now(), coins: ['BTC'] });
  const { feed } = openVendor(binance, { clock, hosts: exchange.hosts, key: () => null, outbound: directOutbound });
  const ending = new AbortController();
  const came: FeedBar[] = [];
  const sink = { bar: (bar: FeedBar) => void came.push(bar), status: () => undefined };
  const live = feed.live?.(['BTC'], sink, ending.signal).catch(() => undefined);
  await vi.waitFor(() => expect(exchange.subscribed()).toHaveLength(1));
  exchange.tick();
  await vi.waitFor(() => expect(came).toHaveLength(2));
  const k = { t: NOW, T: NOW + 59_999, s: 'BTCUSDT', i: '1m', o: '1', h: '1', l: '1', c: '1', v: '1', x: false };
  const late = { stream: 'btcusdt@kline_1m', data: { e: 'kline', E: clock.now(), s: 'BTCUSDT', k } };
  clock.jump(8 * HOUR_MS);
  exchange.send(JSON.stringify(late));
  await vi.waitFor(() => expect(came).toHaveLength(3));
  const request = { symbols: ['BTC'], step: 'minute', from: clock.now() - HOUR_MS, to: clock.now() } as const;
  const rows = await all(feed.bars({ ...request, priority: 'live' }, going));
  expect(rows.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
  ending.abort(new Error('closing'));
  await live;
  await exchange.close();
});

test('after this clock is corrected, the minute in progress is not closed', async () => {
  const clock = createManualClock(NOW + 25_000);
  let skew = 20_000;
  const exchange = await startFakeBinance({ now: () => clock.now() + skew, coins: ['BTC'] });
  const { feed } = openVendor(binance, { clock, hosts: exchange.hosts, key: () => null, outbound: directOutbound });
  expect(await feed.check(going)).toMatchObject({ clockSkewMs: skew });
  clock.jump(skew);
  skew = 0;
  const request = { symbols: ['BTC'], step: 'minute', from: clock.now() - 10 * MINUTE_MS, to: clock.now() } as const;
  const rows = await all(feed.bars({ ...request, priority: 'live' }, going));
  expect(rows.map(({ isClosed }) => isClosed)).toEqual([...Array.from({ length: 9 }, () => true), false]);
  await exchange.close();
});
