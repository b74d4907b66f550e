// Service, market feeds: combines a vendor with price files over HTTP for symbols it lacks (VIX).
import type { Clock } from '../../../shared/lib/clock.ts';
import { SECOND_MS } from '../../../shared/lib/time.ts';
import { untilAborted } from '../../../shared/lib/until-aborted.ts';
import {
  type BarRequest,
  type FeedCheck,
  FeedError,
  type FeedSink,
  type FeedVendor,
  type PriceFeed,
} from './price-feed.ts';

/** Longest wait of a start for the hosts of files, ms. */
const START_LIMIT_MS = 30 * SECOND_MS;

/** A vendor that serves the symbols of `files` from the files, and the others from `vendor`. */
export function withFiles(vendor: FeedVendor, files: FeedVendor): FeedVendor {
  const inFiles = new Set(files.defaultSymbols);
  return {
    ...vendor,
    defaultSymbols: [...new Set([...vendor.defaultSymbols, ...files.defaultSymbols])],
    listing: (symbol) => (inFiles.has(symbol) ? files : vendor).listing(symbol),
    create: (deps) =>
      new FeedWithFiles(
        deps.clock,
        vendor.create(deps),
        // The key belongs to the vendor; hosts of files must not get it.
        files.create({ ...deps, key: () => null, fetch: deps.fetchFor?.(files) ?? deps.fetch }),
        files,
      ),
  };
}

class FeedWithFiles implements PriceFeed {
  readonly offers: PriceFeed['offers'];
  readonly #main: PriceFeed;
  readonly #files: PriceFeed;
  readonly #clock: Clock;
  readonly #vendorOfFiles: FeedVendor;
  readonly #inFiles: ReadonlySet<string>;
  readonly actions?: NonNullable<PriceFeed['actions']>;
  readonly live?: NonNullable<PriceFeed['live']>;

  constructor(clock: Clock, main: PriceFeed, files: PriceFeed, vendorOfFiles: FeedVendor) {
    const inFiles = new Set(vendorOfFiles.defaultSymbols);
    this.#clock = clock;
    this.#vendorOfFiles = vendorOfFiles;
    this.#main = main;
    this.#files = files;
    this.#inFiles = inFiles;
    this.offers = main.offers;
    const others = (symbols: readonly string[]): string[] => symbols.filter((symbol) => !inFiles.has(symbol));
    if (main.actions !== undefined) {
      const actions = main.actions.bind(main);
      this.actions = ({ symbols, ...range }, signal) => actions({ symbols: others(symbols), ...range }, signal);
    }
    if (main.live !== undefined) {
      const live = main.live.bind(main);
      this.live = (symbols, sink, signal) => liveOf(live, others(symbols), sink, signal);
    }
  }

  sourceOf(symbol: string) {
    return this.#inFiles.has(symbol) ? (this.#files.sourceOf?.(symbol) ?? null) : null;
  }

  async check(signal: AbortSignal): Promise<FeedCheck> {
    const main = await this.#main.check(signal);
    if (!main.ok) return main;
    const files = await this.#within(signal, (limited) => this.#files.check(limited)).catch((error: unknown) => {
      if (error instanceof FeedError) return { ok: false, reason: error.message } as const;
      throw error;
    });
    // The vendor is useful even if its files fail.
    const notes = files.ok ? (files.notes ?? []) : files.reason.split('\n');
    return { ...main, notes: [...(main.notes ?? []), ...notes] };
  }

  async listings(symbols: readonly string[], signal: AbortSignal) {
    const [own, others] = this.#split(symbols);
    const files = await this.#within(signal, (limited) => this.#files.listings(own, limited)).catch(
      (error: unknown) => {
        // A slow host may still serve its files later.
        if (error === SLOW) return own.map((symbol) => this.#vendorOfFiles.listing(symbol));
        if (error instanceof FeedError)
          return own.map((symbol) => ({ symbol, reason: error.message.replace(/\.$/, '') }));
        throw error;
      },
    );
    const rows = [...(await this.#main.listings(others, signal)), ...files];
    const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
    return symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []);
  }

  async *bars({ symbols, ...request }: BarRequest, signal: AbortSignal) {
    const [own, others] = this.#split(symbols);
    if (others.length > 0) yield* this.#main.bars({ symbols: others, ...request }, signal);
    for (const symbol of own) {
      try {
        yield* this.#files.bars({ symbols: [symbol], ...request }, signal);
      } catch (error) {
        // An unreachable host of files must not delay the vendor's prices; a later request fetches its rows.
        if (!(error instanceof FeedError) || error.kind === 'fatal') throw error;
        request.onFault?.(symbol, error);
      }
    }
  }

  /** Limits a wait at the start, so that the vendor's prices can begin. @throws SLOW after START_LIMIT_MS */
  async #within<Value>(signal: AbortSignal, ask: (limited: AbortSignal) => Promise<Value>): Promise<Value> {
    const late = new AbortController();
    const cancel = this.#clock.after(START_LIMIT_MS, () => late.abort(SLOW));
    try {
      const limited = AbortSignal.any([signal, late.signal]);
      return await untilAborted(ask(limited), limited);
    } finally {
      cancel();
    }
  }

  /** Splits symbols into those of the files and the others. */
  #split(symbols: readonly string[]): [string[], string[]] {
    const parts: [string[], string[]] = [[], []];
    for (const symbol of symbols) parts[this.#inFiles.has(symbol) ? 0 : 1].push(symbol);
    return parts;
  }
}

const SLOW = new FeedError(
  'retry',
  `The hosts of the price files did not answer within ${START_LIMIT_MS / SECOND_MS} s; they are asked later.`,
);

async function liveOf(
  live: NonNullable<PriceFeed['live']>,
  symbols: readonly string[],
  sink: FeedSink,
  signal: AbortSignal,
): Promise<never> {
  if (symbols.length > 0) return live(symbols, sink, signal);
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
