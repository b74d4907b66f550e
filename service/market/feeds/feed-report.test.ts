// Service, test: the first fetch of history stops between two requests, and goes on where it was.
import { expect, it } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { backfill } from './backfill.ts';
import { Gate } from './feed-report.ts';
import type { FeedListing, PriceFeed } from './price-feed.ts';
import { SymbolProgress } from './symbol-progress.ts';

const clock = createManualClock(Date.parse('2026-03-04T15:00:00Z'));
const offers = {
  steps: ['day'],
  delayMs: 0,
  closeDelayMs: 0,
  connectionMs: null,
  symbolsPerRequest: 1,
} as const;

function rig(symbols: readonly string[]) {
  const asked: string[] = [];
  const published: string[][] = [];
  const gate = new Gate();
  const feed: PriceFeed = {
    offers,
    check: async () => ({ ok: true, clockSkewMs: 0, plan: null }),
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

it('publishes finished symbols, waits, and then fetches only the rest', async () => {
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
