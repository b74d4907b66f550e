// Service, market feeds: combines a vendor with price files over HTTP for symbols it lacks (VIX).
import type { Clock } from '../../../shared/lib/clock.ts';
import { SECOND_MS } from '../../../shared/lib/time.ts';
import { never, untilAborted } from '../../../shared/lib/until-aborted.ts';
import { FeedError, type FeedVendor, type PriceFeed } from './price-feed.ts';

/** Longest wait of a start for the hosts of files, ms. */
const START_LIMIT_MS = 30 * SECOND_MS;
const SLOW = new FeedError(
  'retry',
  `The hosts of the price files did not answer within ${START_LIMIT_MS / SECOND_MS} s; they are asked later.`,
);

/** A vendor that serves the symbols of `files` from the files, and the others from `vendor`. */
export function withFiles(vendor: FeedVendor, files: FeedVendor): FeedVendor {
  const inFiles = new Set(files.defaultSymbols);
  return {
    ...vendor,
    defaultSymbols: [...new Set([...vendor.defaultSymbols, ...files.defaultSymbols])],
    listing: (symbol) => (inFiles.has(symbol) ? files : vendor).listing(symbol),
    create: (deps) =>
      combined(
        deps.clock,
        vendor.create(deps),
        // The key belongs to the vendor; hosts of files must not get it.
        files.create({ ...deps, key: () => null, fetch: deps.fetchFor?.(files) ?? deps.fetch }),
        files,
      ),
  };
}

function combined(clock: Clock, main: PriceFeed, files: PriceFeed, vendorOfFiles: FeedVendor): PriceFeed {
  const inFiles = new Set(vendorOfFiles.defaultSymbols);
  const ofFiles = (symbols: readonly string[]): string[] => symbols.filter((symbol) => inFiles.has(symbol));
  const others = (symbols: readonly string[]): string[] => symbols.filter((symbol) => !inFiles.has(symbol));
  const { actions, live } = main;
  /**
   * Asks the hosts of files for at most START_LIMIT_MS, so that the vendor's prices can begin.
   * @param instead the answer in place of a FeedError; SLOW after the limit
   */
  const within = async <Value>(
    signal: AbortSignal,
    ask: (limited: AbortSignal) => Promise<Value>,
    instead: (error: FeedError) => Value,
  ): Promise<Value> => {
    const late = new AbortController();
    const cancel = clock.after(START_LIMIT_MS, () => late.abort(SLOW));
    try {
      const limited = AbortSignal.any([signal, late.signal]);
      return await untilAborted(ask(limited), limited);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      return instead(error);
    } finally {
      cancel();
    }
  };
  return {
    offers: main.offers,
    sourceOf: (symbol) => (inFiles.has(symbol) ? (files.sourceOf?.(symbol) ?? null) : null),
    async check(signal) {
      const { notes = [], ...found } = await main.check(signal);
      // The vendor is useful even if its files fail.
      const noted = await within<readonly string[]>(
        signal,
        async (limited) => (await files.check(limited)).notes ?? [],
        ({ message }) => message.split('\n'),
      );
      return { ...found, notes: [...notes, ...noted] };
    },
    async listings(symbols, signal) {
      const own = ofFiles(symbols);
      const found = await within(
        signal,
        (limited) => files.listings(own, limited),
        (error) =>
          // A slow host may still serve its files later.
          own.map((symbol) =>
            error === SLOW ? vendorOfFiles.listing(symbol) : { symbol, reason: error.message.replace(/\.$/, '') },
          ),
      );
      const rows = [...(await main.listings(others(symbols), signal)), ...found];
      const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
      return symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []);
    },
    async *bars({ symbols, ...request }, signal) {
      if (others(symbols).length > 0) yield* main.bars({ symbols: others(symbols), ...request }, signal);
      for (const symbol of ofFiles(symbols)) {
        try {
          yield* files.bars({ symbols: [symbol], ...request }, signal);
        } catch (error) {
          // An unreachable host of files must not delay the vendor's prices; a later request fetches its rows.
          if (!(error instanceof FeedError) || error.kind === 'fatal') throw error;
          request.onFault?.(symbol, error);
        }
      }
    },
    ...(actions !== undefined && {
      actions: ({ symbols, ...range }, signal) => actions.call(main, { symbols: others(symbols), ...range }, signal),
    }),
    ...(live !== undefined && {
      live: (symbols, sink, signal) =>
        others(symbols).length > 0 ? live.call(main, others(symbols), sink, signal) : untilAborted(never(), signal),
    }),
  };
}
