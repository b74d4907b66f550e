// Service, market feeds: fetches rows that the live connection missed from the vendor's history.
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/lib/time.ts';
import { untilAborted } from '../../../shared/lib/until-aborted.ts';
import { chunked } from './chunked.ts';
import type { FeedRecord } from './feed-market.ts';
import type { FeedBar, FeedError, PriceFeed } from './price-feed.ts';
import { createRetrying, type RetryDeps } from './retrying.ts';
import type { SymbolProgress } from './symbol-progress.ts';

/** Range of closes fetched again before the last known one, for corrections by the vendor. */
const CORRECTED_MS = 7 * DAY_MS;
/** Range of minutes fetched again. */
const CORRECTED_MINUTES_MS = HOUR_MS;
/** Maximum age of fetched minutes; for earlier days the daily bar is enough. */
const MINUTES_MS = 2 * DAY_MS;
const AT_ONCE = 4;
const APPLIED_EVERY_MS = 5_000;

export interface CatchUpDeps extends RetryDeps {
  readonly clock: Clock;
  readonly feed: PriceFeed;
  readonly record: FeedRecord;
  readonly progress: ReadonlyMap<string, SymbolProgress>;
  /** Called with the symbols of an answer; `missed`: symbols with minutes that never came live. */
  readonly onAnswer: (symbols: readonly string[], missed: readonly string[]) => void;
}

/** The due symbols of one host. */
interface Queue {
  readonly due: Set<string>;
  wake: () => void;
}

/** Requests from each host separately: a slow or unreachable host must not delay the prices of another. */
export class CatchUp {
  readonly #deps: CatchUpDeps;
  readonly #queues: ReadonlyMap<string, Queue>;

  constructor(deps: CatchUpDeps) {
    this.#deps = deps;
    const names = [...deps.progress.keys()].map((symbol) => sourceName(deps.feed, symbol));
    this.#queues = new Map(names.map((name) => [name, { due: new Set(), wake: () => undefined }]));
  }

  /** Queues symbols for fetching. Ignores symbols whose history is not fetched yet. */
  request(symbols: Iterable<string>): void {
    const { progress, feed } = this.#deps;
    for (const symbol of symbols)
      if (progress.get(symbol)?.hasHistory) this.#queues.get(sourceName(feed, symbol))?.due.add(symbol);
    for (const { due, wake } of this.#queues.values()) if (due.size > 0) wake();
  }

  /** @throws FeedError that is fatal, or the signal's reason */
  async run(signal: AbortSignal): Promise<never> {
    const running = [...this.#queues.values()].map((queue) => this.#runQueue(queue, signal));
    // Without symbols, only the signal ends it.
    return Promise.race([...running, untilAborted(new Promise<never>(() => undefined), signal)]);
  }

  async #runQueue(queue: Queue, signal: AbortSignal): Promise<never> {
    const retrying = createRetrying(this.#deps);
    for (;;) {
      await awaitDue(queue, signal);
      const chunks = chunked([...queue.due], this.#deps.feed.offers.symbolsPerRequest);
      queue.due.clear();
      const answers: Answer[] = [];
      let appliedAt = this.#deps.clock.now();
      const apply = (): void => {
        appliedAt = this.#deps.clock.now();
        this.#apply(answers.splice(0));
      };
      try {
        await forEachAtOnce(AT_ONCE, chunks, async (chunk) => {
          try {
            answers.push(await this.#ask(chunk, signal));
          } catch (error) {
            this.request(chunk);
            throw error;
          }
          // Applies answers in batches, because each application inspects the closes of all symbols.
          if (this.#deps.clock.now() - appliedAt > APPLIED_EVERY_MS) apply();
        });
        retrying.succeeded();
      } catch (error) {
        signal.throwIfAborted();
        apply();
        await retrying.after(error, signal);
      }
      apply();
    }
  }

  async #ask(symbols: readonly string[], signal: AbortSignal): Promise<Answer> {
    const { clock, feed } = this.#deps;
    const followed = symbols.flatMap((symbol) => this.#deps.progress.get(symbol) ?? []);
    const at = clock.now();
    const bars: FeedBar[] = [];
    const faults = new Map<string, FeedError>();
    const onFault = (symbol: string, error: FeedError): void => void faults.set(symbol, error);
    const collect = async (step: 'day' | 'minute', from: number): Promise<void> => {
      const request = { symbols, step, from, to: at, priority: 'live', withChanged: true, onFault } as const;
      for await (const page of feed.bars(request, signal)) {
        signal.throwIfAborted();
        for (const bar of page) if (bar.isClosed) bars.push(bar);
      }
    };
    if (followed.some(({ hasMinutes }) => hasMinutes)) await collect('minute', minutesFrom(followed, at));
    await collect('day', Math.min(...followed.map(({ closesTo }) => closesTo)) - CORRECTED_MS);
    signal.throwIfAborted();
    for (const one of followed) one.noteFault(faults.get(one.listing.symbol), this.#deps.onError);
    return { followed, bars, at };
  }

  #apply(answers: readonly Answer[]): void {
    if (answers.length === 0) return;
    const { clock, record, onAnswer } = this.#deps;
    const counts = answers.map(({ bars }) => bars);
    const [again, missed]: [string[], string[]] = [[], []];
    for (const { followed, bars, at } of answers) {
      const bySymbol = Map.groupBy(bars, ({ symbol }) => symbol);
      for (const one of followed) {
        const { symbol } = one.listing;
        if (isMissed(one, bySymbol.get(symbol) ?? [])) missed.push(symbol);
        const answered = one.answered(bySymbol.get(symbol) ?? [], at, clock.now());
        counts.push(answered.counts);
        if (answered.asks) again.push(symbol);
      }
    }
    // Records minutes and closes together, so that minutes are evaluated before their close.
    record.take(counts.flat());
    onAnswer(
      answers.flatMap(({ followed }) => followed.map(({ listing }) => listing.symbol)),
      missed,
    );
    this.request(again);
  }
}

function awaitDue(queue: Queue, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    queue.wake = () => {
      signal.removeEventListener('abort', give);
      queue.wake = () => undefined;
      resolve();
    };
    if (queue.due.size > 0) queue.wake();
  });
}

interface Answer {
  readonly followed: readonly SymbolProgress[];
  readonly bars: readonly FeedBar[];
  /** Time of the request, wall ms. */
  readonly at: number;
}

function minutesFrom(followed: readonly SymbolProgress[], at: number): number {
  const known = Math.min(...followed.map(({ minutesTo }) => minutesTo ?? 0));
  return Math.max(known - CORRECTED_MINUTES_MS, at - MINUTES_MS);
}

/** Whether the answer has two or more minutes after the last known one. */
function isMissed({ minutesTo }: SymbolProgress, bars: readonly FeedBar[]): boolean {
  return minutesTo !== null && bars.filter((bar) => bar.step === 'minute' && bar.start >= minutesTo).length >= 2;
}

/** Name of the host that serves a symbol; '' means the vendor. */
export const sourceName = (feed: PriceFeed, symbol: string): string => feed.sourceOf?.(symbol)?.name ?? '';

/**
 * Runs work on items, `most` at a time. @throws after the end of all: the first fatal, else the first error
 */
export async function forEachAtOnce<Item>(
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
  if (errors.length > 0) throw errors.find((error) => !isPatient(error)) ?? errors[0];
}

const isPatient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'kind' in error && error.kind === 'retry';
