// Service, Binance: prices of coins from its market-data hosts, which need no account and no key.

import { isSymbol } from '../../../../shared/domain/instruments.ts';
import { FEED_SYMBOLS } from '../../../../shared/domain/price-feeds.ts';
import { chunked } from '../../../../shared/lib/chunked.ts';
import { isRecent } from '../../../../shared/lib/clock.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/lib/time.ts';
import type { FeedBar, FeedDeps, FeedListing, FeedStep, FeedVendor, PriceFeed, RefusedSymbol } from '../price-feed.ts';
import { createReader, type VendorReader } from '../read-json.ts';
import { ExchangeSchema, type Kline, type KlineRow, KlinesSchema, type Pair, TimeSchema } from './messages.ts';
import { REFUSED_PLACE, readStream } from './stream.ts';

const REST = 'https://data-api.binance.vision';
const STREAM = 'wss://data-stream.binance.vision';

const NAME = 'binance';
/** Maximum number of rows in one answer. */
const PAGE = 1_000;
const INTERVALS = { day: '1d', minute: '1m' } as const;
const LENGTHS = { day: DAY_MS, minute: MINUTE_MS } as const;
/** Weights of calls; the limit is 6,000 a minute. */
const WEIGHTS = { klines: 2, exchange: 20 } as const;
/** Validity of the measured difference of the clocks: this computer's may be set. */
const MEASURED_MS = 5 * SECOND_MS;
/** Maximum number of streams in a connection. */
const MAX_STREAMS = 1_024;

const QUOTE = 'USDT';

export const binance: FeedVendor = {
  name: NAME,
  perMinute: 6_000,
  defaultSymbols: FEED_SYMBOLS.binance,
  needsKey: false,
  cure: (status) => (status === 403 || status === 451 ? REFUSED_PLACE : null),
  listing: coinListing,
  create: (deps) => new BinanceFeed(deps),
};

class BinanceFeed implements PriceFeed {
  readonly offers = {
    steps: ['day', 'minute'],
    delayMs: 0,
    closeDelayMs: 5 * SECOND_MS,
    // The exchange ends a connection after 24 hours.
    connectionMs: 24 * HOUR_MS,
    symbolsPerRequest: 1,
  } as const;
  readonly #deps: FeedDeps;
  readonly #reader: VendorReader;
  readonly #rest: string;
  readonly #stream: string;
  /** The exchange's clock less this computer's, ms, and when it was measured. */
  #skew = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#reader = createReader(NAME, deps);
    this.#rest = deps.hosts.rest ?? REST;
    this.#stream = deps.hosts.stream ?? STREAM;
  }

  async check(signal: AbortSignal) {
    const { serverTime } = await this.#reader.get(`${this.#rest}/api/v3/time`, TimeSchema, signal);
    // Not the midpoint: the request may have waited for the account's budget, and an early time is the safe one.
    this.#measuredAt = this.#deps.clock.now();
    this.#skew = serverTime - this.#measuredAt;
    return { clockSkewMs: this.#skew, plan: null };
  }

  async listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]> {
    const url = `${this.#rest}/api/v3/exchangeInfo?permissions=SPOT&showPermissionSets=false`;
    const exchange = await this.#reader.get(url, ExchangeSchema, signal, { weight: WEIGHTS.exchange });
    const pairs = new Map(exchange.symbols.map((pair) => [pair.symbol, pair]));
    return symbols.map((symbol) => listed(symbol, pairs));
  }

  async *bars({ symbols, step, from, to, priority }: Parameters<PriceFeed['bars']>[0], signal: AbortSignal) {
    const length = LENGTHS[step];
    for (const symbol of symbols) {
      for (let next = Math.ceil(from / length) * length; next < to; ) {
        const query = new URLSearchParams({
          symbol: pairOf(symbol),
          interval: INTERVALS[step],
          startTime: String(next),
          endTime: String(to - 1),
          limit: String(PAGE),
        });
        const url = `${this.#rest}/api/v3/klines?${query}`;
        // Before the request: a row that ends while the answer is on its way was sent open.
        const now = await this.#exchangeTime(signal);
        const rows = await this.#reader.get(url, KlinesSchema, signal, { priority, weight: WEIGHTS.klines });
        const last = rows.at(-1);
        if (last === undefined) break;
        yield rows.map((row) => feedBar(symbol, step, row, row[6] < now));
        if (rows.length < PAGE || last[0] < next) break;
        next = last[0] + length;
      }
    }
  }

  async live(symbols: readonly string[], sink: Parameters<NonNullable<PriceFeed['live']>>[1], signal: AbortSignal) {
    const names = new Map(symbols.map((symbol) => [pairOf(symbol), symbol]));
    const streams = [...names.keys()].map((pair) => `${pair.toLowerCase()}@kline_1m`);
    const onKline = ({ s, i, t, T, o, h, l, c, v, x }: Kline): void => {
      const symbol = names.get(s);
      if (symbol !== undefined && i === '1m') sink.bar(feedBar(symbol, 'minute', [t, o, h, l, c, v, T], x));
    };
    const ending = new AbortController();
    const stopped = AbortSignal.any([signal, ending.signal]);
    const parts = chunked(streams, MAX_STREAMS).map((some) =>
      readStream({ host: this.#stream, deps: this.#deps, streams: some, onKline }, stopped),
    );
    try {
      return await Promise.race(parts);
    } finally {
      ending.abort(new Error('another connection ended'));
      await Promise.allSettled(parts);
    }
  }

  /** UTC ms, at most some latency early. With a wrong time, closed rows would be dropped and open rows recorded. */
  async #exchangeTime(signal: AbortSignal): Promise<number> {
    if (!isRecent(this.#deps.clock, this.#measuredAt, MEASURED_MS)) await this.check(signal);
    return this.#deps.clock.now() + this.#skew;
  }
}

function feedBar(
  symbol: string,
  step: FeedStep,
  [start, open, high, low, close, volume, last]: KlineRow,
  isClosed: boolean,
): FeedBar {
  const prices = { open, high, low, close, volume: volume > 0 ? volume : null };
  return { symbol, step, date: dateOf(start), start, end: last + 1, isClosed, ...prices };
}

function listed(symbol: string, pairs: ReadonlyMap<string, Pair>): FeedListing | RefusedSymbol {
  const pair = pairs.get(pairOf(symbol));
  if (pair === undefined) return { symbol, reason: `Binance has no pair ${pairOf(symbol)}` };
  if (pair.status !== 'TRADING')
    return { symbol, reason: `Binance does not trade ${pair.symbol} now (${pair.status.toLowerCase()})` };
  return coinListing(symbol);
}

// Quotes are in USDT unless the symbol names another currency: BTC-EUR.
const NAMES: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ether',
  BNB: 'BNB',
  SOL: 'Solana',
  XRP: 'XRP',
  ADA: 'Cardano',
  DOGE: 'Dogecoin',
  LTC: 'Litecoin',
  LINK: 'Chainlink',
  DOT: 'Polkadot',
  AVAX: 'Avalanche',
  BCH: 'Bitcoin Cash',
};

/** BTCUSDT for "BTC", BTCEUR for "BTC-EUR"; accepts the exchange's own pairs. */
function pairOf(symbol: string): string {
  if (symbol.includes('-')) return symbol.replace('-', '');
  return /^[A-Z0-9]{2,}(USDT|USDC|FDUSD)$/.test(symbol) ? symbol : `${symbol}${QUOTE}`;
}

function coinListing(symbol: string): FeedListing | RefusedSymbol {
  if (!isSymbol(symbol) || !/^[A-Z0-9]+(-[A-Z0-9]+)?$/.test(symbol))
    return { symbol, reason: `"${symbol.slice(0, 30)}" is no coin; write it as BTC, or BTC-EUR` };
  const [coin = '', quote] = symbol.split('-');
  const name = NAMES[coin] ?? coin;
  return {
    ...{ symbol, name: quote === undefined ? name : `${name} in ${quote}`, assetClass: 'crypto', calendar: 'always' },
    currency: quote ?? /(USDT|USDC|FDUSD)$/.exec(pairOf(symbol))?.[0] ?? QUOTE,
  };
}
