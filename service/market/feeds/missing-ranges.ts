// Service, market feeds: fetches missing ranges of prices: years of closes, and what the live connection missed.
// Requests from each host separately: a slow or unreachable host must not delay the prices of another.
import { chunked } from '../../../shared/lib/chunked.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf, HOUR_MS } from '../../../shared/lib/time.ts';
import { never, untilAborted } from '../../../shared/lib/until-aborted.ts';
import type { FeedRecord } from './feed-market.ts';
import type { Gate } from './feed-report.ts';
import { type BarRequest, type FeedBar, FeedError, type PriceFeed } from './price-feed.ts';
import { createRetrying, type RetryDeps, untilDone } from './retrying.ts';
import type { SymbolProgress } from './symbol-progress.ts';

/** 1,260 sessions: three years for ranks, and the two served years. */
export const HISTORY_MS = (5 * 365.25 + 10) * DAY_MS;
/** Range of closes fetched again before the last known one, for corrections by the vendor. */
const CORRECTED_MS = 7 * DAY_MS;
/** Range of minutes fetched again. */
const CORRECTED_MINUTES_MS = HOUR_MS;
/** Maximum age of fetched minutes; for earlier days the daily bar is enough. */
const MINUTES_MS = 2 * DAY_MS;
/** Requests under way to one host. */
const AT_ONCE = { history: 2, live: 4 } as const;
const APPLIED_EVERY_MS = 5_000;
/** Symbols whose history is published first. */
const FIRST_PUBLISHED = 16;

interface RangeDeps extends RetryDeps {
  readonly clock: Clock;
  readonly feed: PriceFeed;
  readonly progress: ReadonlyMap<string, SymbolProgress>;
}

/** Name of the host that serves a symbol; '' means the vendor. */
const sourceName = (feed: PriceFeed, symbol: string): string => feed.sourceOf?.(symbol)?.name ?? '';

/** Closed bars of an answer, by symbol. */
interface Answer {
  readonly followed: readonly SymbolProgress[];
  readonly bars: ReadonlyMap<string, readonly FeedBar[]>;
  /** Time of the request, wall ms. */
  readonly at: number;
}

/** @param ranges from `from` on up to now */
async function ask(
  { clock, feed, onError }: RangeDeps,
  followed: readonly SymbolProgress[],
  ranges: (at: number) => readonly Pick<BarRequest, 'step' | 'from' | 'priority' | 'withChanged'>[],
  signal: AbortSignal,
): Promise<Answer> {
  const at = clock.now();
  const symbols = followed.map(({ listing }) => listing.symbol);
  const bars: FeedBar[] = [];
  const faults = new Map<string, FeedError>();
  const onFault = (symbol: string, error: FeedError): void => void faults.set(symbol, error);
  for (const range of ranges(at))
    for await (const page of feed.bars({ symbols, to: at, onFault, ...range }, signal)) {
      signal.throwIfAborted();
      for (const bar of page) if (bar.isClosed) bars.push(bar);
    }
  signal.throwIfAborted();
  for (const one of followed) one.noteFault(faults.get(one.listing.symbol), onError);
  return { followed, bars: Map.groupBy(bars, ({ symbol }) => symbol), at };
}

export interface BackfillDeps extends RangeDeps {
  readonly record: Pick<FeedRecord, 'takeHistory' | 'publish'>;
  /** Fetching pauses while the gate is closed. */
  readonly gate: Gate;
  /** Called with symbols whose history is now in use. */
  readonly onDone: (symbols: readonly string[]) => void;
  /** Called after each request with the number of symbols with history, and of all symbols. */
  readonly onProgress: (done: number, all: number) => void;
}

/**
 * Fetches the daily history of symbols that have none yet. Records a symbol's history once it is complete, so that
 * a restart continues with the next symbol.
 * @throws FeedError that is fatal, or the signal's reason
 */
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
  // Publishes finished symbols without waiting for the rest.
  const onError: RetryDeps['onError'] = (error) => {
    publish();
    deps.onError(error);
  };
  const range = (at: number) => [{ step: 'day', from: at - HISTORY_MS, priority: 'history' } as const];
  const size = feed.offers.symbolsPerHistory ?? feed.offers.symbolsPerRequest;
  const fetchAll = async (symbols: readonly SymbolProgress[]): Promise<void> => {
    await forEachAtOnce(AT_ONCE.history, chunked(symbols, size), async (chunk) => {
      if (gate.isClosed) publish();
      await gate.pass(signal);
      const { bars, at } = await untilDone({ ...deps, onError }, () => ask(deps, chunk, range, signal), signal);
      for (const one of chunk) {
        const own = bars.get(one.listing.symbol) ?? [];
        record.takeHistory(one.listing.symbol, own, dateOf(at - HISTORY_MS));
        one.gotHistory(own, at);
        pending.push(one.listing.symbol);
      }
      onProgress(published + pending.length, progress.size);
      // Publishing rebuilds everything published so far, so each batch doubles the total.
      if (pending.length >= Math.max(FIRST_PUBLISHED, published)) publish();
    });
    // Publishes the symbols of a host without waiting for other hosts.
    publish();
  };
  await Promise.all(
    [...Map.groupBy(missing, ({ listing }) => sourceName(feed, listing.symbol)).values()].map(fetchAll),
  );
}

export interface CatchUpDeps extends RangeDeps {
  readonly record: Pick<FeedRecord, 'take'>;
  /** Called with the symbols of an answer; `missed`: symbols with minutes that never came live. */
  readonly onAnswer: (symbols: readonly string[], missed: readonly string[]) => void;
}

export interface CatchUp {
  /** Queues symbols for fetching. Ignores symbols whose history is not fetched yet. */
  request(symbols: Iterable<string>): void;
  /** @throws FeedError that is fatal, or the signal's reason */
  run(signal: AbortSignal): Promise<never>;
}

/** The due symbols of one host. */
interface Queue {
  readonly due: Set<string>;
  woken: PromiseWithResolvers<void>;
}

/** Fetches from the vendor's history the rows that the live connection missed. */
export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { clock, feed, record, progress, onAnswer } = deps;
  const queues = new Map<string, Queue>();
  for (const symbol of progress.keys())
    queues.set(sourceName(feed, symbol), { due: new Set(), woken: Promise.withResolvers() });
  const request: CatchUp['request'] = (symbols) => {
    for (const symbol of symbols)
      if (progress.get(symbol)?.hasHistory) queues.get(sourceName(feed, symbol))?.due.add(symbol);
    for (const { due, woken } of queues.values()) if (due.size > 0) woken.resolve();
  };

  const apply = (answers: readonly Answer[]): void => {
    if (answers.length === 0) return;
    const counts: FeedBar[] = [];
    const [again, missed]: [string[], string[]] = [[], []];
    for (const { bars } of answers) for (const own of bars.values()) for (const bar of own) counts.push(bar);
    for (const { followed, bars, at } of answers)
      for (const one of followed) {
        const { symbol } = one.listing;
        const own = bars.get(symbol) ?? [];
        if (isMissed(one, own)) missed.push(symbol);
        const answered = one.answered(own, at, clock.now());
        counts.push(...answered.counts);
        if (answered.asks) again.push(symbol);
      }
    // Records minutes and closes together, so that minutes are evaluated before their close.
    record.take(counts);
    onAnswer(
      answers.flatMap(({ followed }) => followed.map(({ listing }) => listing.symbol)),
      missed,
    );
    request(again);
  };

  const runQueue = async (queue: Queue, signal: AbortSignal): Promise<never> => {
    const retrying = createRetrying(deps);
    for (;;) {
      await untilAborted(queue.woken.promise, signal);
      queue.woken = Promise.withResolvers();
      const chunks = chunked([...queue.due], feed.offers.symbolsPerRequest);
      queue.due.clear();
      const answers: Answer[] = [];
      let appliedAt = clock.now();
      const applyAll = (): void => {
        appliedAt = clock.now();
        apply(answers.splice(0));
      };
      try {
        await forEachAtOnce(AT_ONCE.live, chunks, async (chunk) => {
          const followed = chunk.flatMap((symbol) => progress.get(symbol) ?? []);
          answers.push(
            await ask(deps, followed, (at) => missedRanges(followed, at), signal).catch((error: unknown) => {
              request(chunk);
              throw error;
            }),
          );
          // Applies answers in batches, because each application inspects the closes of all symbols.
          if (clock.now() - appliedAt > APPLIED_EVERY_MS) applyAll();
        });
        retrying.succeeded();
      } catch (error) {
        signal.throwIfAborted();
        applyAll();
        await retrying.after(error, signal);
      }
      applyAll();
    }
  };

  return {
    request,
    // Without symbols, only the signal ends it.
    run: (signal) =>
      Promise.race([...[...queues.values()].map((queue) => runQueue(queue, signal)), untilAborted(never(), signal)]),
  };
}

function missedRanges(followed: readonly SymbolProgress[], at: number) {
  const common = { priority: 'live', withChanged: true } as const;
  const minutesTo = Math.min(...followed.map((one) => one.minutesTo ?? 0));
  const closesTo = Math.min(...followed.map((one) => one.closesTo));
  const from = Math.max(minutesTo - CORRECTED_MINUTES_MS, at - MINUTES_MS);
  const minutes = followed.some(({ hasMinutes }) => hasMinutes) ? [{ step: 'minute', from, ...common } as const] : [];
  return [...minutes, { step: 'day', from: closesTo - CORRECTED_MS, ...common } as const];
}

/** Whether the answer has two or more minutes after the last known one. */
const isMissed = ({ minutesTo }: SymbolProgress, bars: readonly FeedBar[]): boolean =>
  minutesTo !== null && bars.filter((bar) => bar.step === 'minute' && bar.start >= minutesTo).length >= 2;

/**
 * Runs work on items, `most` at a time. @throws after the end of all: the first fatal, else the first error
 */
async function forEachAtOnce<Item>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      await work(item).catch((error: unknown) => void errors.push(error));
  };
  await Promise.all(Array.from({ length: most }, next));
  if (errors.length > 0)
    throw errors.find((error) => !(error instanceof FeedError && error.kind === 'retry')) ?? errors[0];
}
