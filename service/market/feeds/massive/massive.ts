// Service, Massive: closes of shares and funds of the United States, the whole market in one call.
// The free plan has finished days of two years, and five calls a minute.
import { z } from 'zod';
import { isSession, newYorkDate, sessionOn } from '../../../../shared/domain/sessions.ts';
import { chunked } from '../../../../shared/lib/chunked.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import type { TapeAction } from '../../tape/tape-action.ts';
import {
  type BarRequest,
  type FeedBar,
  type FeedCheck,
  type FeedDeps,
  FeedError,
  type FeedListing,
  type FeedVendor,
  type PriceFeed,
  type Priority,
  type RefusedSymbol,
} from '../price-feed.ts';
import { createReader, soundRows, type VendorReader } from '../read-json.ts';
import { dayBar, shareListing, tickerOf } from '../us-shares.ts';

/** A bar of a requested day, so that its time `t` is not needed. */
const RowSchema = z.object({ o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number().nonnegative() });
type MassiveRow = z.infer<typeof RowSchema>;

/** A day of the whole market; no results on a day without trades. */
const GroupedSchema = z.object({ results: z.array(RowSchema.extend({ T: z.string() })).default([]) });

/** Days of one symbol; `t` is the start of the day in New York, ms. */
const RangeSchema = z.object({
  results: z.array(RowSchema.extend({ t: z.number().int() })).default([]),
  next_url: z.url().nullish(),
});

const SplitsSchema = z.object({
  results: soundRows(
    z.object({
      ticker: z.string(),
      execution_date: z.iso.date(),
      split_from: z.number().positive(),
      split_to: z.number().positive(),
    }),
  ),
  next_url: z.url().nullish(),
});

/** Dividends in dollars; others are not comparable with the prices. */
const DividendsSchema = z.object({
  results: soundRows(
    z.object({
      ticker: z.string(),
      ex_dividend_date: z.iso.date(),
      cash_amount: z.number().positive(),
      currency: z.literal('USD'),
    }),
  ),
  next_url: z.url().nullish(),
});

const StatusSchema = z.object({
  serverTime: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), 'is no time')
    .transform((text) => Date.parse(text)),
});

const NAME = 'massive';
const REST = 'https://api.massive.com';
/** The free plan refuses the current day; later rows correct a day fetched early. */
const CLOSE_DELAY_MS = 5 * HOUR_MS;
/** History of the smallest plan, less some days. */
const EVERY_PLAN_MS = 725 * DAY_MS;
/** Number of cached days: each close rereads the last week, for corrections. */
const DAYS_KEPT = 12;
/** Validity of a cached finished day, which rarely changes. */
const REREAD_MS = 6 * HOUR_MS;
const FRESH_MS = 10 * MINUTE_MS;
const MAX_ROWS = 50_000;
const MAX_ACTIONS = 5_000;
/** Maximum number of tickers in a request. */
const MAX_TICKERS = 250;
/** Maximum age of the day whose symbols count as listed, days. */
const LISTED_DAYS = 10;
const KEY_CURE = 'Give the key of the dashboard of Massive in BAROGRAPH_FEED_KEY.';
const OTHERS = 'Massive serves shares and funds of the United States here; add a file for others (--feed-config FILE)';

export const massive: FeedVendor = {
  name: NAME,
  perMinute: 5,
  defaultSymbols: [],
  needsKey: true,
  cure: (status) =>
    status === 401 ? KEY_CURE : status === 403 ? `The plan does not include what was asked. ${KEY_CURE}` : null,
  listing: (symbol) => shareListing(symbol) ?? { symbol, reason: OTHERS },
  create: (deps) => new MassiveFeed(deps),
};

interface Day {
  readonly askedAt: number;
  /** Rows by Massive's ticker; null: the plan does not have the day (yet). */
  readonly rows: ReadonlyMap<string, MassiveRow> | null;
}

class MassiveFeed implements PriceFeed {
  readonly offers = {
    steps: ['day'],
    delayMs: 0,
    closeDelayMs: CLOSE_DELAY_MS,
    connectionMs: null,
    symbolsPerRequest: 2_000,
    // A symbol's history takes one call, and is recorded when complete.
    symbolsPerHistory: 1,
  } as const;
  readonly #deps: FeedDeps;
  readonly #rest: string;
  readonly #days = new Map<string, Day>();
  /** Start of the plan's history, wall ms; 0: not known. */
  #planFrom = 0;
  readonly #reader: VendorReader;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#rest = deps.hosts.rest ?? REST;
    this.#reader = createReader(NAME, deps, () => headersOf(deps.key()));
  }

  async check(signal: AbortSignal): Promise<FeedCheck> {
    const askedAt = this.#deps.clock.now();
    const { serverTime } = await this.#reader.get(`${this.#rest}/v1/marketstatus/now`, StatusSchema, signal);
    const clockSkewMs = Math.round(serverTime - (askedAt + this.#deps.clock.now()) / 2);
    return { clockSkewMs, plan: 'closes, some hours after the end of the session' };
  }

  /** Lists the symbols that traded on the newest day of the plan, in one call. */
  async listings(symbols: readonly string[], signal: AbortSignal): Promise<readonly (FeedListing | RefusedSymbol)[]> {
    const now = this.#deps.clock.now();
    let newest: Day['rows'] = null;
    let date = '';
    for (let at = now; newest === null && at > now - LISTED_DAYS * DAY_MS; at -= DAY_MS) {
      date = newYorkDate(at);
      if (isSession('us', date) && sessionOn('us', date).close + CLOSE_DELAY_MS <= now)
        newest = (await this.#day(date, 'live', signal)).rows;
    }
    return symbols.map((symbol) => {
      const listing = massive.listing(symbol);
      if ('reason' in listing || newest === null || newest.has(tickerOf(symbol))) return listing;
      return {
        symbol,
        reason: `Massive has no price of ${tickerOf(symbol)} on ${date}; is it still traded under this name?`,
      };
    });
  }

  async *bars({ symbols, step, from, to, priority }: BarRequest, signal: AbortSignal): AsyncGenerator<FeedBar[]> {
    if (step !== 'day') return;
    const now = this.#deps.clock.now();
    const dates = sessionsBetween(from, to).filter((date) => sessionOn('us', date).close + CLOSE_DELAY_MS <= now);
    // Uses the cheaper request: one call per symbol, or one per day.
    if (symbols.length < dates.length) {
      for (const symbol of symbols) yield await this.#range(symbol, from, to, priority, signal);
      return;
    }
    for (const date of dates) {
      const { rows } = await this.#day(date, priority, signal);
      if (rows === null) continue;
      const bars = symbols.flatMap((symbol) => feedBar(symbol, date, rows.get(tickerOf(symbol)), now));
      if (bars.length > 0) yield bars.filter(({ start }) => start >= from && start < to);
    }
  }

  async actions({ symbols, from, to }: { symbols: readonly string[]; from: string; to: string }, signal: AbortSignal) {
    const names = new Map(symbols.map((symbol) => [tickerOf(symbol), symbol]));
    const splits = await this.#since(from, (since, refusals) =>
      this.#pages(
        `/stocks/v1/splits?${query({ 'execution_date.gte': since, 'execution_date.lte': to })}`,
        SplitsSchema,
        signal,
        refusals,
      ),
    );
    const actions = splits.flatMap(({ ticker, execution_date: date, split_from, split_to }): TapeAction[] => {
      const symbol = names.get(ticker);
      const [factor, note] = [split_from / split_to, `${split_to}:${split_from}`];
      return symbol === undefined ? [] : [{ kind: 'split', symbol, date, factor, note }];
    });
    // Only followed symbols: the dividends of the whole market are dozens of pages.
    for (const tickers of chunked([...names.keys()], MAX_TICKERS)) {
      const dividends = await this.#since(from, (since, refusals) =>
        this.#pages(
          `/stocks/v1/dividends?${query({ 'ticker.any_of': tickers.join(','), 'ex_dividend_date.gte': since, 'ex_dividend_date.lte': to })}`,
          DividendsSchema,
          signal,
          refusals,
        ),
      );
      for (const { ticker, ex_dividend_date: date, cash_amount: amount } of dividends) {
        const symbol = names.get(ticker);
        if (symbol !== undefined) actions.push({ kind: 'dividend', symbol, date, factor: null, amount, note: null });
      }
    }
    return actions;
  }

  /**
   * Requests rows since `from`; if `ask` returns null (refused), since the start of the smallest plan's
   * history.
   */
  async #since<Row>(
    from: string,
    ask: (since: string, refusals: readonly number[]) => Promise<readonly Row[] | null>,
  ): Promise<readonly Row[]> {
    const everyPlan = dateOf(this.#deps.clock.now() - EVERY_PLAN_MS);
    const earlier = from < everyPlan ? await ask(from, [403]) : null;
    return earlier ?? (await ask(from < everyPlan ? everyPlan : from, [])) ?? [];
  }

  /** @param refusals statuses for which the result is null: the plan does not include the data */
  async #pages<Row>(
    path: string,
    schema: z.ZodType<{ readonly results: Row[]; readonly next_url?: string | null | undefined }>,
    signal: AbortSignal,
    refusals: readonly number[],
  ): Promise<Row[] | null> {
    const rows: Row[] = [];
    for (let url: string | null = `${this.#rest}${path}`; url !== null; ) {
      const answer: Awaited<z.output<typeof schema>> | null = await this.#reader.ask(url, schema, signal, { refusals });
      if (answer === null) return null;
      rows.push(...answer.results);
      url = this.#next(answer.next_url);
    }
    return rows;
  }

  async #range(
    symbol: string,
    from: number,
    to: number,
    priority: Priority,
    signal: AbortSignal,
    isShortened = false,
  ): Promise<FeedBar[]> {
    const now = this.#deps.clock.now();
    const bars: FeedBar[] = [];
    const ticker = encodeURIComponent(tickerOf(symbol));
    const first = Math.max(from, this.#planFrom);
    const dates = `${dateOf(first)}/${dateOf(to)}`;
    const path = `/v2/aggs/ticker/${ticker}/range/1/day/${dates}?adjusted=false&sort=asc&limit=${MAX_ROWS}`;
    for (let url: string | null = `${this.#rest}${path}`; url !== null; ) {
      const answer = await this.#reader.ask(url, RangeSchema, signal, { priority, refusals: [403] });
      if (answer === null) {
        if (isShortened || first >= now - EVERY_PLAN_MS) return bars;
        this.#planFrom = now - EVERY_PLAN_MS;
        return this.#range(symbol, from, to, priority, signal, true);
      }
      for (const { t, ...row } of answer.results) bars.push(...feedBar(symbol, newYorkDate(t), row, now));
      url = this.#next(answer.next_url);
    }
    return bars.filter(({ start }) => start >= from && start < to);
  }

  async #day(date: string, priority: Priority, signal: AbortSignal): Promise<Day> {
    const now = this.#deps.clock.now();
    const known = this.#days.get(date);
    const isOver = now - sessionOn('us', date).close > DAY_MS;
    if (known !== undefined && now - known.askedAt < (isOver && known.rows !== null ? REREAD_MS : FRESH_MS))
      return known;
    const url = `${this.#rest}/v2/aggs/grouped/locale/us/market/stocks/${date}?adjusted=false`;
    const answer = await this.#reader.ask(url, GroupedSchema, signal, { priority, refusals: [403] });
    const isEmpty = answer === null || answer.results.length === 0;
    const day = { askedAt: now, rows: isEmpty ? null : new Map(answer.results.map(({ T, ...row }) => [T, row])) };
    this.#days.delete(date);
    this.#days.set(date, day);
    for (const oldest of [...this.#days.keys()].slice(0, -DAYS_KEPT)) this.#days.delete(oldest);
    return day;
  }

  /** Address of the next page, forced to our host, because no other may get the key. */
  #next(url: string | null | undefined): string | null {
    if (url == null) return null;
    const { pathname, search } = new URL(url);
    return `${this.#rest}${pathname}${search}`;
  }
}

/** @throws FeedError, which does not contain the key */
function headersOf(given: string | null): Record<string, string> {
  const key = given?.trim() ?? '';
  if (!/^[\w-]{8,128}$/.test(key))
    throw new FeedError(
      'fatal',
      `${key === '' ? 'Massive needs a key.' : 'The key of Massive has another form.'} ${KEY_CURE}`,
    );
  return { authorization: `Bearer ${key}` };
}

const query = (filters: Readonly<Record<string, string>>): string =>
  String(new URLSearchParams({ ...filters, limit: String(MAX_ACTIONS) }));

/** Dates of the sessions of New York that begin in [from, to), oldest first. */
function sessionsBetween(from: number, to: number): string[] {
  const dates: string[] = [];
  for (let at = from - DAY_MS; at < to + DAY_MS; at += DAY_MS) {
    const date = dateOf(at);
    if (isSession('us', date) && sessionOn('us', date).open >= from && sessionOn('us', date).open < to)
      dates.push(date);
  }
  return dates;
}

/** Empty without a row, or for an invalid one. */
const feedBar = (symbol: string, date: string, row: MassiveRow | undefined, now: number): FeedBar[] =>
  [row === undefined ? null : dayBar(symbol, date, row, CLOSE_DELAY_MS, now)].filter((bar) => bar !== null);
