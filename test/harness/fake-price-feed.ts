// Test harness: a vendor of prices at the port, with faults from a seed.
// Its history is the truth.

import {
  type BarRequest,
  type FeedBar,
  FeedError,
  type FeedListing,
  type FeedSink,
  type FeedStep,
  type PriceFeed,
} from '../../service/market/feeds/price-feed.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { pause } from '../../shared/lib/pause.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';

/** cut: no connection, no history. silent: connected, but no rows. lost: no rows of one symbol. late: rows are delayed, and out of order. */
export type FaultKind = 'cut' | 'silent' | 'lost' | 'refused' | 'page' | 'twice' | 'late';
export interface FeedFault {
  readonly kind: FaultKind;
  readonly from: number;
  readonly to: number;
}

const KINDS: readonly FaultKind[] = ['cut', 'silent', 'lost', 'refused', 'page', 'twice', 'late'];
/** Delay of a row after the end of its bar, ms. */
const TRANSPORT_MS = 300;

/** A generator of numbers in [0, 1); the same seed gives the same numbers. */
export function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One to six faults between two instants, each of at most 25 minutes. */
export function faultsOf(seed: number, from: number, to: number): FeedFault[] {
  const random = seeded(seed);
  return Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
    const start = from + random() * (to - from);
    return {
      kind: KINDS[Math.floor(random() * KINDS.length)] as FaultKind,
      from: start,
      to: Math.min(to, start + MINUTE_MS + random() * 24 * MINUTE_MS),
    };
  });
}

export interface FakeFeedOptions {
  readonly clock: Clock;
  readonly symbols: readonly string[];
  readonly faults: readonly FeedFault[];
  /** Changes the prices. */
  readonly seed: number;
}

/** A wave with steps, so that states change, and no move looks like a fault of the data. */
function priceAt(seed: number, index: number, minute: number): number {
  const noise = Math.sin(minute * 12.9898 + index * 78.233 + seed * 3.7) * 43_758.5453;
  const wave = Math.sin(minute / 37 + index + seed) + 0.5 * Math.sin(minute / 11 + 2 * index);
  return Number((100 * (1 + 0.012 * wave + 0.001 * (noise - Math.floor(noise)))).toFixed(4));
}

export class FakePriceFeed implements PriceFeed {
  readonly offers = {
    steps: ['day', 'minute'] as const,
    delayMs: 0,
    closeDelayMs: 5 * SECOND_MS,
    connectionMs: 2 * HOUR_MS,
    symbolsPerRequest: 2,
    actions: false,
  };
  /** Connections that were opened, and rows of history that were sent. */
  readonly counts = { connections: 0, asked: 0 };
  readonly #options: FakeFeedOptions;
  readonly #random: () => number;

  constructor(options: FakeFeedOptions) {
    this.#options = options;
    this.#random = seeded(options.seed + 1);
  }

  async check() {
    this.#refuse();
    return { ok: true, clockSkewMs: 0, plan: null } as const;
  }

  async listings(symbols: readonly string[]) {
    return symbols.map(listingOf);
  }

  async *bars({ symbols, step, from, to }: BarRequest, signal: AbortSignal) {
    for (const symbol of symbols) {
      await pause(this.#options.clock, 100 + this.#random() * 900, signal);
      this.#refuse();
      this.counts.asked += 1;
      yield this.truth(symbol, step, from, Math.min(to, this.#options.clock.now() + DAY_MS));
    }
  }

  async live(symbols: readonly string[], sink: FeedSink, signal: AbortSignal): Promise<never> {
    const { clock } = this.#options;
    this.counts.connections += 1;
    await pause(clock, 500, signal);
    for (;;) {
      if (this.#is('cut')) throw new FeedError('retry', 'The connection broke off.');
      const next = (Math.floor(clock.now() / (10 * SECOND_MS)) + 1) * 10 * SECOND_MS + TRANSPORT_MS;
      await pause(clock, next - clock.now(), signal);
      if (this.#is('silent')) continue;
      for (const [index, symbol] of symbols.entries()) {
        if (index === 0 && this.#is('lost')) continue;
        this.#send(symbol, sink, signal);
      }
    }
  }

  /** The bars that start between two instants: closed ones, and the one in progress. */
  truth(symbol: string, step: FeedStep, from: number, to: number): FeedBar[] {
    const length = step === 'day' ? DAY_MS : MINUTE_MS;
    const bars: FeedBar[] = [];
    const now = this.#options.clock.now();
    for (let start = Math.ceil(from / length) * length; start < to && start < now; start += length)
      bars.push(this.#bar(symbol, step, start));
    return bars;
  }

  #bar(symbol: string, step: FeedStep, start: number): FeedBar {
    const { clock, seed, symbols } = this.#options;
    const end = start + (step === 'day' ? DAY_MS : MINUTE_MS);
    const index = symbols.indexOf(symbol);
    const open = priceAt(seed, index, start / MINUTE_MS);
    const close = priceAt(seed, index, end / MINUTE_MS - 1);
    const [high, low] = [Math.max(open, close) * 1.001, Math.min(open, close) * 0.999];
    // A vendor corrects what it said before: some minutes trade more than was known at first.
    const minute = Math.floor(start / MINUTE_MS);
    const isCorrected = step === 'minute' && minute % 17 === 0 && clock.now() > end + 4 * MINUTE_MS;
    const volume = 1_000 + (minute % 97) + (isCorrected ? 5 : 0);
    return {
      ...{ symbol, step, date: dateOf(start), start, end, isClosed: end <= clock.now() },
      ...{ open, high, low, close, volume },
    };
  }

  #send(symbol: string, sink: FeedSink, signal: AbortSignal): void {
    const { clock } = this.#options;
    const minute = Math.floor((clock.now() - TRANSPORT_MS) / MINUTE_MS) * MINUTE_MS;
    const isFirst = clock.now() - TRANSPORT_MS === minute;
    const closed = isFirst ? this.#bar(symbol, 'minute', minute - MINUTE_MS) : null;
    if (closed === null) {
      sink.bar(this.#bar(symbol, 'minute', minute));
      return;
    }
    if (this.#is('late')) {
      void pause(clock, this.#random() * 3 * MINUTE_MS, signal).then(
        () => sink.bar(closed),
        () => undefined,
      );
      return;
    }
    sink.bar(closed);
    if (this.#is('twice')) sink.bar(closed);
    const earlier = minute - 6 * MINUTE_MS;
    if ((earlier / MINUTE_MS) % 17 === 0) sink.bar(this.#bar(symbol, 'minute', earlier));
  }

  #is(kind: FaultKind): boolean {
    const now = this.#options.clock.now();
    return this.#options.faults.some((fault) => fault.kind === kind && fault.from <= now && now < fault.to);
  }

  /** @throws FeedError while history has a fault */
  #refuse(): void {
    if (this.#is('cut')) throw new FeedError('retry', 'The vendor cannot be reached.');
    if (this.#is('refused')) throw new FeedError('retry', 'The vendor asks for fewer calls (429).', 30 * SECOND_MS);
    if (this.#is('page')) throw new FeedError('retry', 'The vendor answered with a web page, not with prices.');
  }
}

export const listingOf = (symbol: string): FeedListing => ({
  symbol,
  name: symbol,
  assetClass: 'crypto',
  calendar: 'always',
});
