// Service, Alpaca: shares and funds of the United States.
// Closed days come by REST from the consolidated tape (SIP), 20 minutes after the close, which every plan
// allows; the forming day comes from the minutes of the stream.
import type { z } from 'zod';
import { FEED_SYMBOLS } from '../../../../shared/domain/price-feeds.ts';
import { newYorkDate, nextClose, sessionOn } from '../../../../shared/domain/sessions.ts';
import { chunked } from '../../../../shared/lib/chunked.ts';
import { pause } from '../../../../shared/lib/pause.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';
import type { TapeAction } from '../../tape/tape-action.ts';
import {
  type BarRequest,
  type FeedBar,
  type FeedCheck,
  type FeedDeps,
  FeedError,
  type FeedListing,
  type FeedSink,
  type FeedVendor,
  type PriceFeed,
  type Priority,
  type RefusedSymbol,
} from '../price-feed.ts';
import { createReader, type VendorReader } from '../read-json.ts';
import { dayBar, isSound, tickerOf } from '../us-shares.ts';
import { ACTION_TYPES, ofPresentHolders, statusAction, tapeActions } from './actions.ts';
import { isPaper, KEY_CURE, keyHeaders, readKey } from './key.ts';
import {
  ActionsSchema,
  type AlpacaBar,
  type Asset,
  AssetSchema,
  AssetsSchema,
  BarsSchema,
  ClockSchema,
  LatestSchema,
  type StreamMessage,
} from './messages.ts';
import { readStream } from './stream.ts';
import { assetListing, tickerListing } from './symbols.ts';

const NAME = 'alpaca';
const REST = 'https://data.alpaca.markets';
const STREAM = 'wss://stream.data.alpaca.markets';
const TRADING = { paper: 'https://paper-api.alpaca.markets', live: 'https://api.alpaca.markets' } as const;

/** The free plan serves the consolidated tape after 15 minutes; the rest is for the closing auction. */
const CLOSE_DELAY_MS = 20 * MINUTE_MS;
/** Maximum number of bars in one answer. */
const PAGE = 10_000;
const ACTIONS_PAGE = 1_000;
const SYMBOLS_PER_REQUEST = 200;
/** Maximum number of symbols to look up one by one; for more, the list of all is fetched. */
const FEW_SYMBOLS = 20;
/** Symbol limit of the stream in the free plan; the others are polled. */
const FREE_STREAM_SYMBOLS = 30;
const POLLED_AFTER_MS = 10 * SECOND_MS;
/** Number of minutes that late trades may still change. */
const POLLED_MINUTES = 3;
const TIMEFRAMES = { day: '1Day', minute: '1Min' } as const;
/** Days after the requested range in which the vendor may process an action. */
const ACTIONS_AHEAD_DAYS = 7;

/** The source of minutes: one exchange (every plan), or all exchanges. */
type Tape = 'iex' | 'sip';
const PLANS = { iex: 'Basic: live prices of IEX alone, closes of all exchanges', sip: 'live prices of all exchanges' };

export const alpaca: FeedVendor = {
  name: NAME,
  perMinute: 200,
  defaultSymbols: FEED_SYMBOLS.alpaca,
  needsKey: true,
  cure: (status) => {
    if (status === 401) return KEY_CURE;
    if (status === 403) return `The key is refused, or the plan does not include what was asked. ${KEY_CURE}`;
    return status === 400 || status === 422
      ? 'It did not understand the request; see the symbols (--feed-symbols).'
      : null;
  },
  listing: tickerListing,
  create: (deps) => new AlpacaFeed(deps),
};

class AlpacaFeed implements PriceFeed {
  readonly offers = {
    steps: ['day', 'minute'],
    delayMs: 0,
    closeDelayMs: CLOSE_DELAY_MS,
    connectionMs: null,
    symbolsPerRequest: SYMBOLS_PER_REQUEST,
  } as const;
  readonly #deps: FeedDeps;
  readonly #rest: string;
  /** null: not asked yet. */
  #tape: Tape | null = null;
  /** The vendor's clock less this computer's, ms. */
  #skew = 0;
  readonly #reader: VendorReader;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#rest = deps.hosts.rest ?? REST;
    this.#reader = createReader(NAME, deps, () => keyHeaders(readKey(deps.key())));
  }

  async check(signal: AbortSignal): Promise<FeedCheck> {
    const trading = this.#trading();
    await this.#reader.get(`${this.#rest}/v2/stocks/bars/latest?symbols=SPY&feed=iex`, LatestSchema, signal);
    const tape = await this.#probeTape(signal);
    const askedAt = this.#deps.clock.now();
    const clock = await this.#reader.get(`${trading}/v2/clock`, ClockSchema, signal);
    this.#skew = Math.round(clock.timestamp - (askedAt + this.#deps.clock.now()) / 2);
    const expected = nextClose('us', clock.timestamp);
    const notes =
      clock.next_close === expected
        ? []
        : [
            `Alpaca says that New York closes next at ${timeOf(clock.next_close)}; the calendar of this version says ${timeOf(expected)}. Update Barograph if this is no extraordinary closing.`,
          ];
    return { clockSkewMs: this.#skew, plan: PLANS[tape], notes };
  }

  async listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]> {
    const known = symbols.filter((symbol) => !('reason' in tickerListing(symbol)));
    const assets = known.length > FEW_SYMBOLS ? await this.#allAssets(signal) : await this.#assets(known, signal);
    return symbols.map((symbol) => assetListing(symbol, assets.get(tickerOf(symbol))));
  }

  async *bars({ symbols, step, from, to, priority }: BarRequest, signal: AbortSignal): AsyncGenerator<FeedBar[]> {
    // By the vendor's clock, which decides what is closed and what the free plan may request.
    const now = this.#deps.clock.now() + this.#skew;
    const tape = step === 'day' ? 'sip' : (this.#tape ?? (await this.#probeTape(signal)));
    const until = step === 'day' ? Math.min(to, now - CLOSE_DELAY_MS) : to;
    const names = new Map(symbols.map((symbol) => [tickerOf(symbol), symbol]));
    const query = {
      timeframe: TIMEFRAMES[step],
      // The vendor's days begin at midnight, ours at the opening.
      start: step === 'day' ? newYorkDate(from) : new Date(from).toISOString(),
      end: new Date(until - 1).toISOString(),
      limit: String(PAGE),
      adjustment: 'raw',
      feed: tape,
    };
    if (names.size === 0 || until <= from) return;
    const pages = this.#pages(
      '/v2/stocks/bars',
      { symbols: [...names.keys()].join(','), ...query },
      BarsSchema,
      signal,
      priority,
    );
    for await (const answer of pages) {
      const bars = Object.entries(answer.bars ?? {})
        .flatMap(([name, rows]) => rows.map((row) => feedBar(names.get(name) ?? name, step, row, tape, now)))
        .filter((bar) => bar !== null)
        .filter(({ start, isClosed }) => isClosed && start >= from && start < to);
      if (bars.length > 0) yield bars;
    }
  }

  async actions({ symbols, from, to }: { symbols: readonly string[]; from: string; to: string }, signal: AbortSignal) {
    const names = new Map(symbols.map((symbol) => [tickerOf(symbol), symbol]));
    const until = new Date(Date.parse(to) + ACTIONS_AHEAD_DAYS * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
    const query = {
      symbols: [...names.keys()].join(','),
      types: ACTION_TYPES,
      start: from,
      end: until,
      limit: String(ACTIONS_PAGE),
    };
    const found: TapeAction[] = [];
    for await (const answer of this.#pages('/v1/corporate-actions', query, ActionsSchema, signal))
      for (const action of tapeActions(answer.corporate_actions)) {
        const symbol = names.get(action.symbol);
        // The vendor also finds mergers by the symbol of the buyer.
        if (symbol !== undefined) found.push({ ...action, symbol });
      }
    return ofPresentHolders(found, newYorkDate(this.#deps.clock.now() + this.#skew));
  }

  async live(symbols: readonly string[], sink: FeedSink, signal: AbortSignal): Promise<never> {
    const key = readKey(this.#deps.key());
    const tape = await this.#probeTape(signal);
    const names = new Map(symbols.map((symbol) => [tickerOf(symbol), symbol]));
    const ending = new AbortController();
    const stopped = AbortSignal.any([signal, ending.signal]);
    const polling = Promise.withResolvers<never>();
    const streamed = readStream(
      {
        url: `${this.#deps.hosts.stream ?? STREAM}/v2/${tape}`,
        key,
        deps: this.#deps,
        symbols: [...names.keys()],
        onMessage: (message) => this.#take(message, names, tape, sink),
        onSymbolLimit: () => {
          const rest = symbols.slice(FREE_STREAM_SYMBOLS);
          if (rest.length === 0) return null;
          this.#poll(rest, sink, stopped).catch(polling.reject);
          return symbols.slice(0, FREE_STREAM_SYMBOLS).map(tickerOf);
        },
      },
      stopped,
    );
    try {
      return await Promise.race([streamed, polling.promise]);
    } finally {
      ending.abort(new Error('the other part of the feed ended'));
      await Promise.allSettled([streamed]);
    }
  }

  #take(message: StreamMessage, names: ReadonlyMap<string, string>, tape: Tape, sink: FeedSink): void {
    if (message.T !== 'b' && message.T !== 'u' && message.T !== 's') return;
    const symbol = names.get(message.S);
    if (symbol === undefined) return;
    if (message.T === 's') {
      const action = statusAction(message, symbol);
      if (action !== null) sink.status(action);
      return;
    }
    const bar = feedBar(symbol, 'minute', message, tape, this.#deps.clock.now());
    // The stream sends a minute once it has ended by the vendor's clock.
    if (bar !== null) sink.bar({ ...bar, isClosed: true });
  }

  /** Polls the symbols beyond the stream's limit once a minute. */
  async #poll(symbols: readonly string[], sink: FeedSink, signal: AbortSignal): Promise<never> {
    for (;;) {
      const now = this.#deps.clock.now();
      await pause(this.#deps.clock, MINUTE_MS - (now % MINUTE_MS) + POLLED_AFTER_MS, signal);
      const to = Math.floor(this.#deps.clock.now() / MINUTE_MS) * MINUTE_MS;
      try {
        for (const some of chunked(symbols, SYMBOLS_PER_REQUEST)) {
          const from = to - POLLED_MINUTES * MINUTE_MS;
          const request = { symbols: some, step: 'minute', from, to, priority: 'live' } as const;
          for await (const bars of this.bars(request, signal)) for (const bar of bars) sink.bar(bar);
        }
      } catch (error) {
        // The stream continues; the next poll brings the missed minutes.
        if (!(error instanceof FeedError) || error.kind === 'fatal') throw error;
      }
    }
  }

  async #probeTape(signal: AbortSignal): Promise<Tape> {
    const url = `${this.#rest}/v2/stocks/bars/latest?symbols=SPY&feed=sip`;
    const answer = await this.#reader.ask(url, LatestSchema, signal, { refusals: [403] });
    this.#tape = answer === null ? 'iex' : 'sip';
    return this.#tape;
  }

  async #assets(symbols: readonly string[], signal: AbortSignal): Promise<Map<string, Asset>> {
    const assets = new Map<string, Asset>();
    for (const name of symbols.map(tickerOf)) {
      const url = `${this.#trading()}/v2/assets/${encodeURIComponent(name)}`;
      const asset = await this.#reader.ask(url, AssetSchema, signal, { refusals: [404] });
      if (asset !== null) assets.set(name, asset);
    }
    return assets;
  }

  async #allAssets(signal: AbortSignal): Promise<Map<string, Asset>> {
    const assets = await this.#reader.get(`${this.#trading()}/v2/assets?asset_class=us_equity`, AssetsSchema, signal);
    // A ticker may also be that of an inactive company: the active one must come last.
    const sorted = assets.sort((a, b) => Number(a.status === 'active') - Number(b.status === 'active'));
    return new Map(sorted.map((asset) => [asset.symbol, asset]));
  }

  async *#pages<Page extends { readonly next_page_token?: string | null | undefined }>(
    path: string,
    query: Readonly<Record<string, string>>,
    schema: z.ZodType<Page>,
    signal: AbortSignal,
    priority: Priority = 'live',
  ): AsyncGenerator<Page> {
    for (let token: string | null | undefined; token !== null; ) {
      const page = new URLSearchParams({ ...query, ...(token === undefined ? {} : { page_token: token }) });
      const answer = await this.#reader.get(`${this.#rest}${path}?${page}`, schema, signal, { priority });
      yield answer;
      token = answer.next_page_token || null;
    }
  }

  #trading(): string {
    return this.#deps.hosts.trading ?? TRADING[isPaper(readKey(this.#deps.key())) ? 'paper' : 'live'];
  }
}

/** null: a minute outside the session, which the day's bar excludes too, or a row without a valid price. */
function feedBar(symbol: string, step: BarRequest['step'], row: AlpacaBar, tape: Tape, now: number): FeedBar | null {
  const date = newYorkDate(row.t);
  if (step === 'day') return dayBar(symbol, date, row, CLOSE_DELAY_MS, now);
  const { t, o: open, h: high, l: low, c: close, v } = row;
  const session = sessionOn('us', date);
  if (!isSound(row) || t < session.open || t >= session.close) return null;
  const end = t + MINUTE_MS;
  // The volume of one exchange is not comparable with that of the day.
  const volume = tape === 'sip' && v > 0 ? v : null;
  return { symbol, step, date, start: t, end, isClosed: end <= now, open, high, low, close, volume };
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16);
