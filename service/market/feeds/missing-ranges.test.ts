// Service, market feeds, test: how missing ranges of prices are fetched and applied.
import { expect, it, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { Gate } from './feed-report.ts';
import { backfill, createCatchUp } from './missing-ranges.ts';
import type { FeedBar, FeedListing, FeedOffer, PriceFeed } from './price-feed.ts';
import { SymbolProgress } from './symbol-progress.ts';

const OFFERS: FeedOffer = {
  ...{ steps: ['day', 'minute'], delayMs: 0, closeDelayMs: 0, connectionMs: null, symbolsPerRequest: 200 },
};

/** Two sessions of minutes of 200 shares are 156,000: more than a call takes arguments. */
test('an answer of 156,000 rows is recorded', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T22:00:00Z'));
  const [rows, page] = [156_000, 10_000];
  const minute = (index: number): FeedBar => ({
    ...{ symbol: 'SPY', step: 'minute', date: '2026-03-05', isClosed: true, volume: 1 },
    ...{ start: index * MINUTE_MS, end: (index + 1) * MINUTE_MS, open: 100, high: 101, low: 99, close: 100 },
  });
  const feed: Pick<PriceFeed, 'offers' | 'bars'> = {
    offers: OFFERS,
    async *bars({ step }) {
      if (step === 'minute')
        for (let at = 0; at < rows; at += page)
          yield Array.from({ length: Math.min(page, rows - at) }, (_, index) => minute(at + index));
    },
  };
  const listing = { symbol: 'SPY', name: 'SPY', assetClass: 'etf', calendar: 'us' } as const;
  const progress = new SymbolProgress(listing, OFFERS, { hasHistory: true, lastDay: null, lastMinute: null });
  let recorded = 0;
  const ending = new AbortController();
  const catchUp = createCatchUp({
    ...{ clock, feed: feed as PriceFeed, progress: new Map([['SPY', progress]]), random: () => 0.5 },
    record: { take: (bars: readonly FeedBar[]) => (recorded += bars.length) } as never,
    onAnswer: () => ending.abort(new Error('answered')),
    onError: () => undefined,
  });
  catchUp.request(['SPY']);
  await expect(catchUp.run(ending.signal)).rejects.toThrow('answered');
  expect(recorded).toBe(rows);
});

test('a host of files that never answers does not delay the vendor’s symbols', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T22:00:00Z'));
  const asked: string[] = [];
  const feed: Pick<PriceFeed, 'offers' | 'bars' | 'sourceOf'> = {
    offers: OFFERS,
    sourceOf: (symbol) =>
      symbol === 'VIX' ? { name: 'https://files.example', offers: { ...OFFERS, steps: ['day'] } } : null,
    async *bars({ symbols, step }) {
      asked.push(`${step} ${symbols.join()}`);
      if (symbols.includes('VIX')) await new Promise(() => undefined);
      yield [];
    },
  };
  const progress = new Map(
    ['SPY', 'VIX'].map((symbol) => [
      symbol,
      new SymbolProgress(
        { symbol, name: symbol, assetClass: 'etf', calendar: 'us' },
        feed.sourceOf?.(symbol)?.offers ?? OFFERS,
        { hasHistory: true, lastDay: null, lastMinute: null },
      ),
    ]),
  );
  const answers: (readonly string[])[] = [];
  const ending = new AbortController();
  const catchUp = createCatchUp({
    ...{ clock, feed: feed as PriceFeed, progress, random: () => 0.5, onError: () => undefined },
    record: { take: () => undefined } as never,
    onAnswer: (symbols) => void answers.push(symbols),
  });
  const running = catchUp.run(ending.signal).catch(() => undefined);
  catchUp.request(['SPY', 'VIX']);
  await clock.advance(0);
  catchUp.request(['SPY', 'VIX']);
  await clock.advance(0);
  expect(answers).toEqual([['SPY'], ['SPY']]);
  expect(asked).toEqual(['minute SPY', 'day VIX', 'day SPY', 'minute SPY', 'day SPY']);
  ending.abort(new Error('closing'));
  await running;
});

const clock = createManualClock(Date.parse('2026-03-04T15:00:00Z'));
const offers = { ...OFFERS, steps: ['day'], symbolsPerRequest: 1 } as const;

function rig(symbols: readonly string[]) {
  const asked: string[] = [];
  const published: string[][] = [];
  const gate = new Gate();
  const feed: PriceFeed = {
    offers,
    check: async () => ({ clockSkewMs: 0, plan: null }),
    listings: async () => [],
    async *bars({ symbols: wanted }) {
      asked.push(...wanted);
      if (asked.length === 2) gate.set(true);
      yield [];
    },
  };
  const known = { hasHistory: false, lastDay: null, lastMinute: null };
  const listing = (symbol: string): FeedListing => ({ symbol, name: symbol, assetClass: 'equity', calendar: 'us' });
  const record = {
    take: () => undefined,
    takeHistory: () => undefined,
    publish: () => undefined,
    act: () => undefined,
    named: () => undefined,
    known: () => known,
  };
  const run = (signal: AbortSignal) =>
    backfill(
      {
        ...{ clock, feed, record, gate, random: () => 0.5, onError: () => undefined, onProgress: () => undefined },
        progress: new Map(symbols.map((symbol) => [symbol, new SymbolProgress(listing(symbol), offers, known)])),
        onDone: (done) => void published.push([...done]),
      },
      signal,
    );
  return { asked, published, gate, run };
}

it('the first fetch of history, when it is stopped, publishes finished symbols, waits, and then fetches only the rest', async () => {
  const { asked, published, gate, run } = rig(['A', 'B', 'C', 'D']);
  const running = run(new AbortController().signal);
  await clock.advance(1_000);
  expect(asked).toEqual(['A', 'B']);
  expect(published).toEqual([['A', 'B']]);
  gate.set(false);
  await running;
  expect(asked).toEqual(['A', 'B', 'C', 'D']);
  expect(published.flat()).toEqual(['A', 'B', 'C', 'D']);
});

it('the end of the service ends a paused fetch', async () => {
  const { gate, run } = rig(['A', 'B', 'C']);
  const ending = new AbortController();
  const running = run(ending.signal);
  await clock.advance(1_000);
  expect(gate.isClosed).toBe(true);
  ending.abort(new Error('over'));
  await expect(running).rejects.toThrow('over');
});
