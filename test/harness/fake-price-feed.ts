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
import type { TapeAction } from '../../service/market/tape/tape-action.ts';
import { isSession, type SessionCalendar, sessionOn } from '../../shared/domain/sessions.ts';
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
  /** us: shares, which trade in sessions and split. Default: coins. */
  readonly calendar?: Extract<SessionCalendar, 'us' | 'always'>;
  readonly actions?: readonly FakeAction[];
  /** The vendor's clock less this computer's, ms. */
  readonly skewMs?: number;
}

/** A split, or a dividend. */
export interface FakeAction {
  readonly kind: 'split' | 'dividend';
  readonly symbol: string;
  /** Session date from which prices have the new level. */
  readonly date: string;
  /** New level over old one. */
  readonly factor: number;
  /** When the vendor says it. */
  readonly announcedAt: number;
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
    return { clockSkewMs: this.#options.skewMs ?? 0, plan: null } as const;
  }

  async listings(symbols: readonly string[]) {
    return symbols.map((symbol) => listingOf(symbol, this.#options.calendar));
  }

  async actions({
    symbols,
    from,
    to,
  }: {
    readonly symbols: readonly string[];
    readonly from: string;
    readonly to: string;
  }) {
    this.#refuse();
    const now = this.#options.clock.now();
    return (this.#options.actions ?? [])
      .filter(
        ({ symbol, date, announcedAt }) => symbols.includes(symbol) && date >= from && date <= to && announcedAt <= now,
      )
      .map((action) => this.#actionOf(action));
  }

  #actionOf({ kind, symbol, date, factor }: FakeAction): TapeAction {
    if (kind === 'split') return { kind, symbol, date, factor, note: null };
    const before = [...this.#sessions(Date.parse(date) - 10 * DAY_MS, Date.parse(date))].at(-1);
    const amount = this.firstLevel(symbol, before?.date ?? date) * (1 - factor);
    return { kind, symbol, date, factor: null, amount, note: null };
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
    const bars: FeedBar[] = [];
    const until = Math.min(to, this.#now());
    for (const { date, open, close } of this.#sessions(from, until)) {
      const length = step === 'day' ? close - open : MINUTE_MS;
      const first = step === 'day' ? open : Math.max(open, Math.ceil(from / MINUTE_MS) * MINUTE_MS);
      for (let start = first; start < Math.min(close, until); start += length)
        if (start >= from) bars.push(this.#bar(symbol, step, start, start + length, date));
    }
    return bars;
  }

  /** The close of a symbol's bar of a date before any action. */
  firstLevel(symbol: string, date: string): number {
    const { calendar = 'always', seed, symbols } = this.#options;
    return priceAt(seed, symbols.indexOf(symbol), sessionOn(calendar, date).close / MINUTE_MS - 1);
  }

  /** By the vendor's clock. */
  #now(): number {
    return this.#options.clock.now() + (this.#options.skewMs ?? 0);
  }

  *#sessions(from: number, to: number) {
    const { calendar = 'always' } = this.#options;
    for (let day = Math.floor(from / DAY_MS) * DAY_MS - DAY_MS; day <= to; day += DAY_MS) {
      const date = dateOf(day);
      const session = isSession(calendar, date) ? sessionOn(calendar, date) : null;
      if (session !== null && session.close > from && session.open < to) yield { date, ...session };
    }
  }

  #bar(symbol: string, step: FeedStep, start: number, end: number, date: string): FeedBar {
    const { seed, symbols, actions = [] } = this.#options;
    const index = symbols.indexOf(symbol);
    const level = actions.reduce(
      (product, one) => (one.symbol === symbol && date >= one.date ? product * one.factor : product),
      1,
    );
    const open = level * priceAt(seed, index, start / MINUTE_MS);
    const close = level * priceAt(seed, index, end / MINUTE_MS - 1);
    const [high, low] = [Math.max(open, close) * 1.001, Math.min(open, close) * 0.999];
    // A vendor corrects what it said before: some minutes trade more than was known at first.
    const minute = Math.floor(start / MINUTE_MS);
    const isCorrected = step === 'minute' && minute % 17 === 0 && this.#now() > end + 4 * MINUTE_MS;
    const volume = 1_000 + (minute % 97) + (isCorrected ? 5 : 0);
    return {
      ...{ symbol, step, date, start, end, isClosed: end <= this.#now() },
      ...{ open, high, low, close, volume },
    };
  }

  #send(symbol: string, sink: FeedSink, signal: AbortSignal): void {
    const { clock } = this.#options;
    const now = this.#now() - TRANSPORT_MS;
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    // The stream has ten seconds between its rows.
    const isFirst = now - minute < 10 * SECOND_MS;
    const closed = isFirst ? this.#minute(symbol, minute - MINUTE_MS) : null;
    if (closed === null) {
      const open = isFirst ? null : this.#minute(symbol, minute);
      if (open !== null) sink.bar(open);
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
    const earlier = this.#minute(symbol, minute - 6 * MINUTE_MS);
    if (earlier !== null && (earlier.start / MINUTE_MS) % 17 === 0) sink.bar(earlier);
  }

  /** null: outside of a session. */
  #minute(symbol: string, start: number): FeedBar | null {
    for (const { date, open, close } of this.#sessions(start, start + MINUTE_MS))
      if (start >= open && start < close) return this.#bar(symbol, 'minute', start, start + MINUTE_MS, date);
    return null;
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

export const listingOf = (symbol: string, calendar: FeedListing['calendar'] = 'always'): FeedListing => ({
  symbol,
  name: symbol,
  assetClass: calendar === 'us' ? 'equity' : 'crypto',
  calendar,
});
