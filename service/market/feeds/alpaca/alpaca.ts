// Service, Alpaca: shares and funds of the United States.
// Closed days come by REST from the consolidated tape (SIP), 20 minutes after the close, which every plan
// allows; the forming day comes from the minutes of the stream.
import { newYorkDate, nextClose, sessionOn } from '../../../../shared/domain/sessions.ts';
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
import { readJson } from '../read-json.ts';
import { ACTION_TYPES, ofPresentHolders, statusAction, tapeActions } from './actions.ts';
import { type AlpacaKey, isPaper, KEY_CURE, keyHeaders, readKey } from './key.ts';
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
import { alpacaName, assetListing, DEFAULT_SYMBOLS, tickerListing } from './symbols.ts';

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
  defaultSymbols: DEFAULT_SYMBOLS,
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

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#rest = deps.hosts.rest ?? REST;
  }

  async check(signal: AbortSignal): Promise<FeedCheck> {
    try {
      const key = this.#key();
      await this.#get(`${this.#rest}/v2/stocks/bars/latest?symbols=SPY&feed=iex`, LatestSchema, signal);
      const tape = await this.#probeTape(signal);
      const askedAt = this.#deps.clock.now();
      const clock = await this.#get(`${this.#trading(key)}/v2/clock`, ClockSchema, signal);
      const clockSkewMs = Math.round(clock.timestamp - (askedAt + this.#deps.clock.now()) / 2);
      this.#skew = clockSkewMs;
      const expected = nextClose('us', clock.timestamp);
      const notes =
        clock.next_close === expected
          ? []
          : [
              `Alpaca says that New York closes next at ${timeOf(clock.next_close)}; the calendar of this version says ${timeOf(expected)}. Update Barograph if this is no extraordinary closing.`,
            ];
      return { ok: true, clockSkewMs, plan: PLANS[tape], notes };
    } catch (error) {
      if (error instanceof FeedError && error.kind === 'fatal') return { ok: false, reason: error.message };
      throw error;
    }
  }

  async listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]> {
    const known = symbols.filter((symbol) => !('reason' in tickerListing(symbol)));
    const assets = known.length > FEW_SYMBOLS ? await this.#allAssets(signal) : await this.#assets(known, signal);
    return symbols.map((symbol) => assetListing(symbol, assets.get(alpacaName(symbol))));
  }

  async *bars({ symbols, step, from, to, priority }: BarRequest, signal: AbortSignal): AsyncGenerator<FeedBar[]> {
    // By the vendor's clock, which decides what is closed and what the free plan may request.
    const now = this.#deps.clock.now() + this.#skew;
    const tape = step === 'day' ? 'sip' : (this.#tape ?? (await this.#probeTape(signal)));
    const until = step === 'day' ? Math.min(to, now - CLOSE_DELAY_MS) : to;
    const names = new Map(symbols.map((symbol) => [alpacaName(symbol), symbol]));
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
    for (let token: string | null | undefined; token !== null; ) {
      const page = new URLSearchParams({
        symbols: [...names.keys()].join(','),
        ...query,
        ...(token === undefined ? {} : { page_token: token }),
      });
      const answer = await this.#get(`${this.#rest}/v2/stocks/bars?${page}`, BarsSchema, signal, priority);
      const bars = Object.entries(answer.bars ?? {})
        .flatMap(([name, rows]) => rows.map((row) => feedBar(names.get(name) ?? name, step, row, tape, now)))
        .filter((bar) => bar !== null)
        .filter(({ start, isClosed }) => isClosed && start >= from && start < to);
      if (bars.length > 0) yield bars;
      token = answer.next_page_token || null;
    }
  }

  async actions({ symbols, from, to }: { symbols: readonly string[]; from: string; to: string }, signal: AbortSignal) {
    const names = new Map(symbols.map((symbol) => [alpacaName(symbol), symbol]));
    const until = new Date(Date.parse(to) + ACTIONS_AHEAD_DAYS * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
    const query = {
      symbols: [...names.keys()].join(','),
      types: ACTION_TYPES,
      start: from,
      end: until,
      limit: String(ACTIONS_PAGE),
    };
    const found: TapeAction[] = [];
    for (let token: string | null | undefined; token !== null; ) {
      const page = new URLSearchParams({ ...query, ...(token === undefined ? {} : { page_token: token }) });
      const answer = await this.#get(`${this.#rest}/v1/corporate-actions?${page}`, ActionsSchema, signal);
      for (const action of tapeActions(answer.corporate_actions)) {
        const symbol = names.get(action.symbol);
        // The vendor also finds mergers by the symbol of the buyer.
        if (symbol !== undefined) found.push({ ...action, symbol });
      }
      token = answer.next_page_token || null;
    }
    return ofPresentHolders(found, newYorkDate(this.#deps.clock.now() + this.#skew));
  }

  async live(symbols: readonly string[], sink: FeedSink, signal: AbortSignal): Promise<never> {
    const key = this.#key();
    const tape = await this.#probeTape(signal);
    const names = new Map(symbols.map((symbol) => [alpacaName(symbol), symbol]));
    const ending = new AbortController();
    const stopped = AbortSignal.any([signal, ending.signal]);
    let endPolling: (error: unknown) => void = () => undefined;
    const polling = new Promise<never>((_, reject) => {
      endPolling = reject;
    });
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
          this.#poll(rest, sink, stopped).catch(endPolling);
          return symbols.slice(0, FREE_STREAM_SYMBOLS).map(alpacaName);
        },
      },
      stopped,
    );
    try {
      return await Promise.race([streamed, polling]);
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
        for (let at = 0; at < symbols.length; at += SYMBOLS_PER_REQUEST) {
          const some = symbols.slice(at, at + SYMBOLS_PER_REQUEST);
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
    const headers = keyHeaders(this.#key());
    const answer = await this.#deps.fetch(url, { signal, priority: 'live', headers, statuses: [403] });
    this.#tape = answer.status === 403 ? 'iex' : 'sip';
    return this.#tape;
  }

  async #assets(symbols: readonly string[], signal: AbortSignal): Promise<Map<string, Asset>> {
    const key = this.#key();
    const assets = new Map<string, Asset>();
    for (const symbol of symbols) {
      const url = `${this.#trading(key)}/v2/assets/${encodeURIComponent(alpacaName(symbol))}`;
      const answer = await this.#deps.fetch(url, {
        signal,
        priority: 'live',
        headers: keyHeaders(key),
        statuses: [404],
      });
      if (answer.status !== 404) assets.set(alpacaName(symbol), await readJson(answer, AssetSchema, NAME));
    }
    return assets;
  }

  async #allAssets(signal: AbortSignal): Promise<Map<string, Asset>> {
    const url = `${this.#trading(this.#key())}/v2/assets?asset_class=us_equity`;
    const assets = await this.#get(url, AssetsSchema, signal);
    // A ticker may also be that of an inactive company: the active one must come last.
    const sorted = assets.sort((a, b) => Number(a.status === 'active') - Number(b.status === 'active'));
    return new Map(sorted.map((asset) => [asset.symbol, asset]));
  }

  async #get<Value>(
    url: string,
    schema: Parameters<typeof readJson<Value>>[1],
    signal: AbortSignal,
    priority: Priority = 'live',
  ): Promise<Value> {
    const headers = keyHeaders(this.#key());
    return readJson(await this.#deps.fetch(url, { signal, priority, headers }), schema, NAME);
  }

  #key(): AlpacaKey {
    return readKey(this.#deps.key());
  }

  #trading(key: AlpacaKey): string {
    return this.#deps.hosts.trading ?? TRADING[isPaper(key) ? 'paper' : 'live'];
  }
}

/** null: a minute outside the session, which the day's bar excludes too, or a row without a valid price. */
function feedBar(
  symbol: string,
  step: BarRequest['step'],
  { t, o, h, l, c, v }: AlpacaBar,
  tape: Tape,
  now: number,
): FeedBar | null {
  // Drops an invalid row without refusing the page; the day becomes a gap.
  if (Math.min(o, h, l, c) <= 0 || h < l) return null;
  const date = newYorkDate(t);
  const session = sessionOn('us', date);
  const prices = { open: o, high: h, low: l, close: c };
  if (step === 'day') {
    const isClosed = session.close + CLOSE_DELAY_MS <= now;
    return {
      symbol,
      step,
      date,
      start: session.open,
      end: session.close,
      isClosed,
      ...prices,
      volume: v > 0 ? v : null,
    };
  }
  if (t < session.open || t >= session.close) return null;
  const end = t + MINUTE_MS;
  // The volume of one exchange is not comparable with that of the day.
  const volume = tape === 'sip' && v > 0 ? v : null;
  return { symbol, step, date, start: t, end, isClosed: end <= now, ...prices, volume };
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16);
