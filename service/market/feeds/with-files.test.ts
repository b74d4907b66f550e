// Service, test: a vendor combined with files: requests to each, with their keys and budgets.

import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { outboundOver } from '../../../test/harness/outbound.ts';
import { openVendor } from './account.ts';
import { httpFiles } from './http-files/http-files.ts';
import { parseFileSettings } from './http-files/settings.ts';
import type { FeedBar, FeedDeps, FeedVendor, PriceFeed } from './price-feed.ts';
import { withFiles } from './with-files.ts';

const NOW = Date.parse('2026-03-04T23:00:00Z');
const signal = new AbortController().signal;
const files = httpFiles(
  parseFileSettings(
    '{"files":[{"url":"https://files.example/{symbol}.csv","symbols":["VIX"],"assetClass":"index"}]}',
    'f',
  ),
);

function rig(answer: (url: string) => Response | Promise<Response>, from = files) {
  const asked: string[] = [];
  let key: string | null = null;
  const shares: FeedVendor = {
    name: 'shares',
    perMinute: 60,
    defaultSymbols: ['SPY'],
    needsKey: true,
    cure: () => null,
    listing: (symbol) => ({ symbol, name: symbol, assetClass: 'equity', calendar: 'us' }),
    create: (deps) => {
      key = deps.key();
      return sharesFeed(deps, asked);
    },
  };
  const clock = createManualClock(NOW);
  const { feed } = openVendor(withFiles(shares, from), {
    clock,
    hosts: {},
    key: () => 'secret',
    outbound: outboundOver(async (url) => {
      asked.push(`GET ${url}`);
      return answer(url);
    }),
  });
  return { feed, asked, clock, key: () => key, vendor: withFiles(shares, files) };
}

function sharesFeed(_deps: FeedDeps, asked: string[]): PriceFeed {
  const bar = (symbol: string): FeedBar => ({
    symbol,
    step: 'day',
    date: '2026-03-04',
    start: 0,
    end: 1,
    isClosed: true,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: null,
  });
  return {
    offers: {
      steps: ['day', 'minute'],
      delayMs: 0,
      closeDelayMs: 7,
      connectionMs: null,
      symbolsPerRequest: 200,
    },
    check: async () => ({ clockSkewMs: 3, plan: 'p' }),
    listings: async (symbols) => symbols.map((symbol) => ({ symbol, reason: 'none' })),
    async *bars({ symbols }) {
      asked.push(`bars ${symbols.join()}`);
      yield symbols.map(bar);
    },
    async actions({ symbols }) {
      asked.push(`actions ${symbols.join()}`);
      return [];
    },
    async live(symbols) {
      asked.push(`live ${symbols.join()}`);
      throw new Error('ended');
    },
  };
}

it('requests from each its own symbols, and from files without the key', async () => {
  const { feed, asked, key, vendor } = rig(() => new Response('date,open,high,low,close\n2026-03-04,20,21,19,20\n'));
  expect([vendor.name, vendor.defaultSymbols, vendor.listing('VIX')]).toEqual([
    'shares',
    ['SPY', 'VIX'],
    { symbol: 'VIX', name: 'VIX', assetClass: 'index', calendar: 'us' },
  ]);
  const bars: string[] = [];
  for await (const page of feed.bars(
    { symbols: ['VIX', 'SPY'], step: 'day', from: 0, to: NOW, priority: 'live' },
    signal,
  ))
    bars.push(...page.map(({ symbol, close }) => `${symbol} ${close}`));
  expect(bars).toEqual(['SPY 1', 'VIX 20']);
  expect(await feed.check(signal)).toEqual({ clockSkewMs: 3, plan: 'p', notes: [] });
  expect(await feed.listings(['VIX', 'SPY'], signal)).toMatchObject([
    { symbol: 'VIX', assetClass: 'index' },
    { symbol: 'SPY', reason: 'none' },
  ]);
  await feed.actions?.({ symbols: ['SPY', 'VIX'], from: '2026-03-01', to: '2026-03-04' }, signal);
  await feed.live?.(['SPY', 'VIX'], { bar: () => undefined, status: () => undefined }, signal).catch(() => undefined);
  expect(asked).toEqual(['bars SPY', 'GET https://files.example/VIX.csv', 'actions SPY', 'live SPY']);
  expect(key()).toBe('secret');
});

it('goes on without unavailable files, and reports them', async () => {
  const { feed } = rig(() => new Response('', { status: 404 }));
  expect(await feed.check(signal)).toMatchObject({
    notes: [expect.stringContaining('VIX: files.example/VIX.csv is not there (404)')],
  });
});

it("gives the vendor's prices while the host of files is unreachable, and the files' prices later, from the oldest missing date", async () => {
  let isAway = true;
  const { feed } = rig(() =>
    isAway
      ? new Response('', { status: 503 })
      : new Response('date,open,high,low,close\n2026-02-02,20,21,19,20\n2026-03-04,20,21,19,20\n'),
  );
  const faults: string[] = [];
  const onFault = (symbol: string, { message }: Error) => faults.push(`${symbol}: ${message}`);
  const dates = async (from: number, priority: 'live' | 'history') => {
    const all: string[] = [];
    const request = { symbols: ['SPY', 'VIX'], step: 'day', from, to: NOW, priority, onFault } as const;
    for await (const page of feed.bars(request, signal))
      all.push(...page.map(({ symbol, date }) => `${symbol} ${date}`));
    return all;
  };
  expect(await dates(0, 'history')).toEqual(['SPY 2026-03-04']);
  expect(faults).toEqual([expect.stringMatching(/^VIX: .*503/)]);
  expect(await feed.check(signal)).toMatchObject({ notes: [expect.stringContaining('503')] });
  expect(await feed.listings(['VIX'], signal)).toEqual([{ symbol: 'VIX', reason: expect.stringContaining('503') }]);
  isAway = false;
  expect(await dates(NOW - 86_400_000, 'live')).toEqual(['SPY 2026-03-04', 'VIX 2026-02-02', 'VIX 2026-03-04']);
  expect(await dates(NOW - 86_400_000, 'live')).toEqual(['SPY 2026-03-04', 'VIX 2026-03-04']);
});

it('live waits for the abort if all symbols are of files', async () => {
  const { feed, asked } = rig(() => new Response());
  const end = new AbortController();
  const live = feed.live?.(['VIX'], { bar: () => undefined, status: () => undefined }, end.signal);
  end.abort(new Error('closing'));
  await expect(live).rejects.toThrow('closing');
  expect(asked).toEqual([]);
});

const TWO_HOSTS = httpFiles(
  parseFileSettings(
    JSON.stringify({
      files: [
        { url: 'https://slow.example/{symbol}.csv', symbols: ['VIX'], assetClass: 'index' },
        { url: 'https://files.example/{symbol}.csv', symbols: ['VXN'], assetClass: 'index' },
      ],
    }),
    'f',
  ),
);

it('a host of files that asks for a day of silence silences no other host', async () => {
  const { feed, asked } = rig(
    (url) =>
      url.includes('slow.example')
        ? new Response('', { status: 429, headers: { 'retry-after': '86400' } })
        : new Response('date,open,high,low,close\n2026-03-04,20,21,19,20\n'),
    TWO_HOSTS,
  );
  const rounds = async () => {
    const faults: string[] = [];
    const onFault = (symbol: string) => void faults.push(symbol);
    const bars: string[] = [];
    const request = {
      symbols: ['SPY', 'VIX', 'VXN'],
      step: 'day',
      from: 0,
      to: NOW,
      priority: 'live',
      onFault,
    } as const;
    for await (const page of feed.bars(request, signal)) bars.push(...page.map(({ symbol }) => symbol));
    return { bars, faults };
  };
  expect(await rounds()).toEqual({ bars: ['SPY', 'VXN'], faults: ['VIX'] });
  expect(await rounds()).toEqual({ bars: ['SPY', 'VXN'], faults: ['VIX'] });
  expect(asked.filter((one) => one.includes('slow.example'))).toHaveLength(1);
  expect(['SPY', 'VIX', 'VXN'].map((symbol) => feed.sourceOf?.(symbol)?.name)).toEqual([
    undefined,
    'https://slow.example',
    'https://files.example',
  ]);
});

it('a host of files that does not answer delays a start by half a minute at most', async () => {
  const { feed, clock } = rig(() => new Promise<Response>(() => undefined), TWO_HOSTS);
  let listed: unknown = null;
  let checked: unknown = null;
  void feed.check(signal).then((result) => {
    checked = result;
  });
  await clock.advance(30_000);
  expect(checked).toMatchObject({ notes: [expect.stringContaining('30 s')] });
  void feed.listings(['SPY', 'VIX', 'VXN'], signal).then((result) => {
    listed = result;
  });
  await clock.advance(30_000);
  expect(listed).toMatchObject([{ symbol: 'SPY' }, { symbol: 'VIX' }, { symbol: 'VXN' }]);
});
