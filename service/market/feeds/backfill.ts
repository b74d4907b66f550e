// Service, market feeds: fetches the daily history of symbols that have none yet.
// Records a symbol's history once it is complete, so that a restart continues with the next symbol.
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { forEachAtOnce, sourceName } from './catch-up.ts';
import { chunked } from './chunked.ts';
import type { FeedRecord } from './feed-market.ts';
import type { Gate } from './feed-report.ts';
import type { FeedBar, FeedError, PriceFeed } from './price-feed.ts';
import { type RetryDeps, untilDone } from './retrying.ts';
import type { SymbolProgress } from './symbol-progress.ts';

/** 1,260 sessions: three years for ranks, and the two served years. */
export const HISTORY_MS = (5 * 365.25 + 10) * DAY_MS;
const AT_ONCE = 2;

export interface BackfillDeps extends RetryDeps {
  readonly clock: Clock;
  readonly feed: PriceFeed;
  readonly record: Pick<FeedRecord, 'takeHistory' | 'publish'>;
  readonly progress: ReadonlyMap<string, SymbolProgress>;
  /** Fetching pauses while the gate is closed. */
  readonly gate: Gate;
  /** Called with symbols whose history is now in use. */
  readonly onDone: (symbols: readonly string[]) => void;
  /** Called after each request with the number of symbols with history, and of all symbols. */
  readonly onProgress: (done: number, all: number) => void;
}

/** @throws FeedError that is fatal, or the signal's reason */
export async function backfill(deps: BackfillDeps, signal: AbortSignal): Promise<void> {
  const { progress, record, feed, gate, onDone, onProgress } = deps;
  const missing = [...progress.values()].filter(({ hasHistory }) => !hasHistory);
  let published = progress.size - missing.length;
  let pending: string[] = [];
  const publish = (): void => {
    if (pending.length === 0) return;
    record.publish();
    published += pending.length;
    const done = pending;
    pending = [];
    onDone(done);
  };
  const size = feed.offers.symbolsPerHistory ?? feed.offers.symbolsPerRequest;
  const fetchAll = async (symbols: readonly SymbolProgress[]): Promise<void> => {
    await forEachAtOnce(AT_ONCE, chunked(symbols, size), async (chunk) => {
      const onError: RetryDeps['onError'] = (error) => {
        // Publishes finished symbols without waiting for the rest.
        publish();
        deps.onError(error);
      };
      if (gate.isClosed) publish();
      await gate.pass(signal);
      await untilDone({ ...deps, onError }, () => fetchHistory(deps, chunk, signal), signal);
      pending.push(...chunk.map(({ listing }) => listing.symbol));
      onProgress(published + pending.length, progress.size);
      // Publishing rebuilds everything published so far, so each batch doubles the total.
      if (pending.length >= Math.max(FIRST, published)) publish();
    });
    // Publishes the symbols of a host without waiting for other hosts.
    publish();
  };
  const bySource = Map.groupBy(missing, ({ listing }) => sourceName(feed, listing.symbol));
  await Promise.all([...bySource.values()].map(fetchAll));
}

const FIRST = 16;

async function fetchHistory(
  { clock, feed, record, onError }: BackfillDeps,
  chunk: readonly SymbolProgress[],
  signal: AbortSignal,
): Promise<void> {
  const at = clock.now();
  const from = at - HISTORY_MS;
  const symbols = chunk.map(({ listing }) => listing.symbol);
  const bars: FeedBar[] = [];
  const faults = new Map<string, FeedError>();
  const onFault = (symbol: string, error: FeedError): void => void faults.set(symbol, error);
  for await (const page of feed.bars({ symbols, step: 'day', from, to: at, priority: 'history', onFault }, signal))
    for (const bar of page) bars.push(bar);
  signal.throwIfAborted();
  const bySymbol = Map.groupBy(
    bars.filter(({ isClosed }) => isClosed),
    ({ symbol }) => symbol,
  );
  for (const one of chunk) {
    const own = bySymbol.get(one.listing.symbol) ?? [];
    record.takeHistory(one.listing.symbol, own, dateOf(from));
    one.noteFault(faults.get(one.listing.symbol), onError);
    one.gotHistory(own, at);
  }
}
