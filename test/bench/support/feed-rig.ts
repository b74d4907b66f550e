// Bench: the market of a feed with many coins that have five years of history, its tape on disk, and the detector behind it.
import { copyFileSync } from 'node:fs';
import { createEngine } from '../../../service/engine/engine.ts';
import type { Engine } from '../../../service/engine/types.ts';
import { createFeedMarket, type FeedMarket } from '../../../service/market/feeds/feed-market.ts';
import type { FeedBar, FeedListing } from '../../../service/market/feeds/price-feed.ts';
import { openTape } from '../../../service/market/tape/tape.ts';
import { createEventIds } from '../../../service/signals/event-id.ts';
import { StateDetector } from '../../../service/signals/state-detector.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { coinAt, coinPrice } from './coins.ts';

export interface FeedRig {
  readonly market: FeedMarket;
  readonly detector: StateDetector;
  readonly listings: readonly FeedListing[];
  close(): void;
}

export const coinListings = (count: number): FeedListing[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ symbol: coinAt(index), name: coinAt(index), assetClass: 'crypto', calendar: 'always' },
  }));

/** Closed days up to a midnight, UTC. */
export function dayBars(index: number, days: number, midnight: number): FeedBar[] {
  return Array.from({ length: days }, (_, day) => {
    const start = midnight - (days - day) * DAY_MS;
    const close = coinPrice(index, start + DAY_MS);
    const bar = { open: close * 0.998, high: close * 1.004, low: close * 0.995, close, volume: 1_000 };
    return {
      symbol: coinAt(index),
      step: 'day',
      date: dateOf(start),
      start,
      end: start + DAY_MS,
      isClosed: true,
      ...bar,
    };
  });
}

/** A tape with the history of all coins, to be copied. */
export function writeTape(file: string, coins: number, days: number, midnight: number): void {
  const clock: Clock = { now: () => midnight, after: () => () => undefined };
  const tape = openTape(file);
  const market = createFeedMarket({ feed: 'binance', listings: coinListings(coins), tape, clock });
  for (let index = 0; index < coins; index++)
    market.takeHistory(coinAt(index), dayBars(index, days, midnight), dateOf(midnight - days * DAY_MS));
  tape.close();
}

/** @param written by `writeTape`; copied to `file` first, where it is another one */
export function openRig(written: string, file: string, coins: number, clock: Clock): FeedRig {
  if (written !== file) copyFileSync(written, file);
  const tape = openTape(file);
  const listings = coinListings(coins);
  const market = createFeedMarket({ feed: 'binance', listings, tape, clock });
  const source = market.market({ health: () => null, available: () => true });
  const newEngine = (): Engine =>
    createEngine({ instruments: source.instruments, factorsFrom: dateOf(clock.now() - 4 * 366 * DAY_MS) });
  const detector = new StateDetector({ market: source, engine: newEngine(), newEngine, ids: createEventIds('bench') });
  detector.resume(clock.now(), []);
  return { market, detector, listings, close: () => tape.close() };
}
