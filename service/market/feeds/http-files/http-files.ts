// Service, price files over HTTP: a vendor that reads daily prices from delimited text files.

import { sessionCalendarOf, sessionClose, sessionOn } from '../../../../shared/domain/sessions.ts';
import { chunked } from '../../../../shared/lib/chunked.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import type { Bar } from '../../../engine/types.ts';
import { inferListing } from '../../csv/instruments.ts';
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
import { download, MissingFile, notPrices, type Validators } from './download.ts';
import { type FileContents, hasSymbolColumn, readFile } from './rows.ts';
import type { FileSettings } from './settings.ts';

export const HTTP_FILES = 'http-files';
/** Range requested for the newest rows, if the address contains a range. */
const PROBE_DAYS = 30;
const BARS_AT_ONCE = 2_000;
/** The longest closure of an exchange, over holidays. */
const LONGEST_CLOSURE = 5 * DAY_MS;
const PER_MINUTE = 60;
/** Validity of a downloaded file; most files change once a day. */
const FRESH_MS = 10 * MINUTE_MS;

/** A symbol of an entry of the settings. */
interface SymbolSource {
  readonly settings: FileSettings;
  /** The symbol's name in the address and in the file. */
  readonly name: string;
  readonly listing: FeedListing;
  /** Origin of the address of its file. */
  readonly origin: string;
}

interface KnownFile {
  readonly validators: Validators;
  readonly contents: FileContents;
  /** Time of the last request, wall ms. */
  readonly askedAt: number;
}

interface FileFault {
  readonly reason: string;
  /** Whether the file still has usable rows. */
  readonly isUsable: boolean;
  /** Minimum wait before a retry, ms. Absent: a person must act. */
  readonly passesAfterMs?: number;
}

export function httpFiles(files: readonly FileSettings[]): FeedVendor {
  const sources = new Map<string, SymbolSource>();
  for (const settings of files)
    for (const [symbol, name] of Object.entries(settings.symbols))
      sources.set(symbol, sourceOf(settings, symbol, name));
  return {
    name: HTTP_FILES,
    perMinute: PER_MINUTE,
    defaultSymbols: [...sources.keys()],
    needsKey: files.some(({ keyHeader }) => keyHeader !== undefined),
    cure: cureOf,
    listing: (symbol) => sources.get(symbol)?.listing ?? notListed(symbol),
    create: (deps) => new FileFeed(files, sources, deps),
  };
}

class FileFeed implements PriceFeed {
  readonly offers: PriceFeed['offers'];
  readonly #sources: ReadonlyMap<string, SymbolSource>;
  readonly #deps: FeedDeps;
  /**
   * By origin: `fetch` with the host's own budget, so that a host that asks for silence silences no other.
   */
  readonly #fetches: ReadonlyMap<string, FeedDeps['fetch']>;
  /** Downloaded files by address. */
  readonly #known = new Map<string, KnownFile>();
  /** By address: errors to repeat until their wait is over, with their wall ms. */
  readonly #refusals = new Map<string, { readonly error: MissingFile; readonly at: number }>();
  /** By symbol: start of the requested bars that have not come, UTC ms. */
  readonly #missingFrom = new Map<string, number>();
  /** By symbol: the bars last returned, and the start of that request, UTC ms. */
  readonly #delivered = new Map<string, { readonly bars: readonly Bar[]; readonly from: number }>();

  constructor(files: readonly FileSettings[], sources: ReadonlyMap<string, SymbolSource>, deps: FeedDeps) {
    this.#sources = sources;
    this.#deps = deps;
    this.#fetches = fetchesOf([...sources.values()], deps);
    const closeDelayMs = Math.max(...files.map(({ delayMinutes }) => delayMinutes)) * MINUTE_MS;
    this.offers = {
      steps: ['day'],
      delayMs: 0,
      closeDelayMs,
      connectionMs: null,
      symbolsPerRequest: 1,
    };
  }

  sourceOf(symbol: string) {
    const origin = this.#sources.get(symbol)?.origin;
    return origin === undefined ? null : { name: origin, offers: this.offers };
  }

  async check(signal: AbortSignal): Promise<FeedCheck> {
    const found = await this.#ofEach([...this.#sources.keys()], async (symbol, source) => ({
      symbol,
      fault: source === undefined ? null : await this.#fault(source, signal),
    }));
    const notes = found.flatMap(({ symbol, fault }) => (fault === null ? [] : `${symbol}: ${fault.reason}`));
    if (found.some(({ fault }) => fault === null || fault.isUsable)) return { clockSkewMs: 0, plan: null, notes };
    const waits = found.flatMap(({ fault }) => fault?.passesAfterMs ?? []);
    throw waits.length > 0
      ? new FeedError('retry', notes.join('\n'), Math.min(...waits))
      : new FeedError('fatal', notes.join('\n'));
  }

  async listings(symbols: readonly string[], signal: AbortSignal): Promise<(FeedListing | RefusedSymbol)[]> {
    return this.#ofEach(symbols, (symbol) => this.#listing(symbol, signal));
  }

  /** Requests from all hosts in parallel, and from each host one file after another. */
  async #ofEach<Value>(
    symbols: readonly string[],
    ask: (symbol: string, source: SymbolSource | undefined) => Promise<Value>,
  ): Promise<Value[]> {
    const results = new Map<string, Value>();
    const byOrigin = Map.groupBy(symbols, (symbol) => this.#sources.get(symbol)?.origin);
    await Promise.all(
      [...byOrigin.values()].map(async (own) => {
        for (const symbol of own) results.set(symbol, await ask(symbol, this.#sources.get(symbol)));
      }),
    );
    return symbols.flatMap((symbol) => results.get(symbol) ?? []);
  }

  /** Skips files that cannot be fetched; a later request fetches their bars from the oldest missing date. */
  async *bars(
    { symbols, step, from, to, priority, withChanged, onFault }: BarRequest,
    signal: AbortSignal,
  ): AsyncGenerator<FeedBar[]> {
    if (step !== 'day') return;
    for (const symbol of symbols) {
      const source = this.#sources.get(symbol);
      if (source === undefined) continue;
      const since = Math.min(from, this.#missingFrom.get(symbol) ?? from);
      this.#missingFrom.set(symbol, since);
      let file: KnownFile;
      try {
        file = await this.#read(source, since, to, priority, signal);
      } catch (error) {
        if (!(error instanceof MissingFile)) throw error;
        onFault?.(symbol, error);
        continue;
      }
      const { contents, askedAt } = file;
      const rows = barsOf(contents, source);
      const changed = withChanged === true ? this.#firstChanged(source, rows, from) : rows.length;
      const bars = rows
        .map((bar) => feedBar(source, bar, askedAt))
        // A row may appear before its session ends; it counts only afterwards.
        .filter(({ start, isClosed }, index) => (start >= since || index >= changed) && start < to && isClosed);
      yield* chunked(bars, BARS_AT_ONCE);
      this.#missingFrom.delete(symbol);
      this.#delivered.set(symbol, { bars: rows, from });
    }
  }

  /** Index of the first row that differs from the last answer, as after an adjustment of all prices. */
  #firstChanged({ settings, listing }: SymbolSource, rows: readonly Bar[], from: number): number {
    if (settings.url.includes('{from}')) return rows.length;
    const given = this.#delivered.get(listing.symbol);
    // After an equal request, the last answer may not have been recorded.
    if (given === undefined || from <= given.from) return 0;
    const index = rows.findIndex((bar, at) => !isSameRow(bar, given.bars[at]));
    return index === -1 ? rows.length : index;
  }

  async #listing(symbol: string, signal: AbortSignal): Promise<FeedListing | RefusedSymbol> {
    const source = this.#sources.get(symbol);
    if (source === undefined) return notListed(symbol);
    try {
      const contents = await this.#newest(source, signal);
      return barsOf(contents, source).length > 0 ? source.listing : { symbol, reason: noRow(source) };
    } catch (error) {
      if (error instanceof MissingFile) return { symbol, reason: error.message.replace(/\.$/, '') };
      throw error;
    }
  }

  /** The fault of a file: unreachable, without rows, refused rows, or old; null: none. */
  async #fault(source: SymbolSource, signal: AbortSignal): Promise<FileFault | null> {
    const { listing, settings } = source;
    let contents: FileContents;
    try {
      contents = await this.#newest(source, signal);
    } catch (error) {
      if (error instanceof MissingFile)
        return {
          ...{ reason: error.message, isUsable: false },
          ...(error.isPassing ? { passesAfterMs: error.retryAfterMs } : {}),
        };
      throw error;
    }
    const bars = barsOf(contents, source);
    const last = bars.at(-1);
    if (last === undefined) return { reason: `${noRow(source)}.`, isUsable: false };
    const [problem] = contents.problems;
    if (problem !== undefined && contents.problems.length * 10 > bars.length)
      return {
        reason: `not all of its rows are used (${contents.problems.length} are refused). Line ${problem.line}: ${problem.reason}.`,
        isUsable: true,
      };
    const age = this.#deps.clock.now() - sessionClose(listing.calendar, last.date);
    if (age <= LONGEST_CLOSURE + settings.delayMinutes * MINUTE_MS) return null;
    const days = Math.floor(age / DAY_MS);
    return {
      reason: `its newest row is of ${last.date}, ${days} days old. Is url still the right one?`,
      isUsable: true,
    };
  }

  async #newest(source: SymbolSource, signal: AbortSignal): Promise<FileContents> {
    const now = this.#deps.clock.now();
    return (await this.#read(source, now - PROBE_DAYS * DAY_MS, now, 'live', signal)).contents;
  }

  async #read(
    source: SymbolSource,
    from: number,
    to: number,
    priority: Priority,
    signal: AbortSignal,
  ): Promise<KnownFile> {
    const { settings, name, listing } = source;
    const { redirectHosts } = settings;
    const url = addressOf(settings.url, name, from, to);
    const known = this.#known.get(url);
    const askedAt = this.#deps.clock.now();
    if (known !== undefined && Math.abs(askedAt - known.askedAt) < FRESH_MS) return known;
    const refusal = this.#refusals.get(url);
    if (refusal !== undefined && Math.abs(askedAt - refusal.at) < refusal.error.retryAfterMs) throw refusal.error;
    this.#refusals.delete(url);
    const request = {
      url,
      priority,
      redirectHosts,
      validators: known?.validators ?? null,
      keyHeader: this.#keyHeader(settings),
    };
    const fetch = this.#fetches.get(source.origin) ?? this.#deps.fetch;
    const answer = await download(fetch, request, signal).catch((error: unknown) => {
      // Turns the errors of this file into MissingFile, so that they do not stop other files.
      if (signal.aborted || error instanceof MissingFile || !(error instanceof FeedError)) throw error;
      if (error.kind === 'fatal') throw new MissingFile(error.message, HOUR_MS);
      const away = new MissingFile(error.message, error.retryAfterMs, true);
      this.#refusals.set(url, { error: away, at: askedAt });
      throw away;
    });
    const contents = answer.bytes === null ? known?.contents : readFile(answer.bytes, settings, listing.calendar);
    if (typeof contents === 'string' || contents === undefined) throw notPrices(url, contents ?? 'it has no content');
    // Addresses that contain a range change every day; drop the old ones.
    for (const [old, file] of this.#known) if (askedAt - file.askedAt > 2 * DAY_MS) this.#known.delete(old);
    const read = { validators: answer.validators, contents, askedAt };
    this.#known.set(url, read);
    return read;
  }

  #keyHeader({ keyHeader }: FileSettings): { name: string; value: string } | null {
    if (keyHeader === undefined) return null;
    const key = this.#deps.key();
    if (key === null)
      throw new FeedError('fatal', 'The settings of the price files want a key (keyHeader). Set BAROGRAPH_FEED_KEY.');
    return { name: keyHeader.name, value: keyHeader.value.replaceAll('{key}', key) };
  }
}

function sourceOf(settings: FileSettings, symbol: string, name: string): SymbolSource {
  const { instrument: inferred } = inferListing(symbol);
  const assetClass = settings.assetClass ?? inferred.assetClass;
  const calendar = settings.calendar ?? sessionCalendarOf(assetClass, 'production', symbol);
  const { origin } = new URL(addressOf(settings.url, name, 0, 0));
  const currency = settings.currency ?? inferred.currency;
  const listing = {
    ...{ symbol, name: settings.names[symbol] ?? inferred.name, assetClass, calendar },
    ...(currency === undefined ? {} : { currency }),
  };
  return { settings, name, listing, origin };
}

/** The first host uses the feed's account, each other host its own. */
function fetchesOf(sources: readonly SymbolSource[], deps: FeedDeps): ReadonlyMap<string, FeedDeps['fetch']> {
  const origins = [...new Set(sources.map(({ origin }) => origin))];
  return new Map(
    origins.map((origin, index) => {
      const account = { name: `${HTTP_FILES} ${new URL(origin).host}`, perMinute: PER_MINUTE, cure: cureOf };
      return [origin, (index === 0 ? undefined : deps.fetchFor?.(account)) ?? deps.fetch];
    }),
  );
}

const cureOf = (status: number): string | null =>
  status === 401 || status === 403 ? 'Check BAROGRAPH_FEED_KEY, and keyHeader in the settings of the file.' : null;

const notListed = (symbol: string): RefusedSymbol => ({
  symbol,
  reason: `No entry of the settings of price files has ${symbol}; add it to symbols`,
});
const noRow = ({ name }: SymbolSource): string => `its file has no row of ${name}; check symbols in the settings`;

const addressOf = (template: string, name: string, from: number, to: number): string =>
  template
    .replaceAll('{symbol}', encodeURIComponent(name))
    .replaceAll('{from}', dateOf(from))
    .replaceAll('{to}', dateOf(to));

const barsOf = (contents: FileContents, { settings, name }: SymbolSource): readonly Bar[] =>
  contents.bars.get(hasSymbolColumn(settings) ? name.toUpperCase() : '') ?? [];

const isSameRow = (a: Bar, b: Bar | undefined): boolean =>
  a.date === b?.date && a.close === b.close && a.open === b.open && a.high === b.high && a.low === b.low;

function feedBar({ listing, settings }: SymbolSource, bar: Bar, askedAt: number): FeedBar {
  const { symbol, calendar } = listing;
  const { open: start, close: end } = sessionOn(calendar, bar.date);
  return { symbol, step: 'day', ...bar, start, end, isClosed: end + settings.delayMinutes * MINUTE_MS <= askedAt };
}
