// Service, market feeds: runs one vendor's feed: history, the live connection, and repairs.
// Recovers from every error until it is closed.
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { pause } from '../../../shared/lib/pause.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { never } from '../../../shared/lib/until-aborted.ts';
import type { Logger } from '../../logger.ts';
import type { PriceFault } from '../types.ts';
import { type Connection, createConnection } from './connection.ts';
import type { FeedRecord, FeedStatus } from './feed-market.ts';
import { type FeedFault, type FeedReport, Gate } from './feed-report.ts';
import { askPresentActions, followActions } from './follow-actions.ts';
import { backfill, type CatchUp, createCatchUp } from './missing-ranges.ts';
import { FeedError, type FeedListing, type FeedSink, type PriceFeed } from './price-feed.ts';
import { type RetryDeps, untilDone } from './retrying.ts';
import { createRowBatch } from './row-batch.ts';
import { progressOf, type SymbolProgress } from './symbol-progress.ts';
import { SILENT_MS, watchForSilence, watchForSleep } from './watches.ts';

/** Interval of checks whether the vendor serves a symbol: a pair may be suspended, a host unreachable. */
const SERVED_EVERY_MS = 30 * MINUTE_MS;
/** Wait after an error that only a person can repair. */
const FATAL_RETRY_MS = 10 * MINUTE_MS;
/** Waits after failures of this computer: a database is back after seconds, a full disk stays full. */
const FAILED_RETRY = { base: 2 * SECOND_MS, cap: MINUTE_MS };
/** Time without a failure after which the next one counts as the first. */
const RECOVERED_MS = 5 * MINUTE_MS;
/** Time for the vendor's first answer, before which no price is overdue. */
const FIRST_ANSWER_MS = 2 * MINUTE_MS;
/** Difference between the clocks above which the operator is notified. */
const MAX_SKEW_MS = 30 * SECOND_MS;

export interface SupervisorDeps {
  readonly name: string;
  readonly feed: PriceFeed;
  readonly listings: readonly FeedListing[];
  readonly record: FeedRecord;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Called with sentences for the operator, about progress and about symbols without prices. */
  readonly onNotice: (text: string) => void;
}

export class FeedSupervisor implements FeedStatus {
  readonly #deps: SupervisorDeps;
  readonly #progress: ReadonlyMap<string, SymbolProgress>;
  readonly #closing = new AbortController();
  readonly #unanswered: Set<string>;
  /** Symbols that the vendor does not serve, with the reason. */
  readonly #refused = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  #fatal: FeedError | null = null;
  #fault: FeedFault | null = null;
  /** The first fetch of history pauses while this gate is closed. */
  readonly history = new Gate();
  /** Errors logged since the last answer. */
  readonly #errors = new Set<string>();
  #startedAt = 0;
  #failures = 0;
  #failedAt = 0;
  #running: Promise<void> = Promise.resolve();
  /** Aborts the current attempt, or the wait after it. */
  #current = new AbortController();

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#progress = progressOf(deps.feed, deps.listings, deps.record.known);
    this.#unanswered = new Set(this.#progress.keys());
  }

  start(): void {
    this.#startedAt = this.#deps.clock.now();
    this.#running = this.#run(this.#closing.signal);
  }

  /** Resolves when every symbol is up to date, after a fatal error, or after `ms`. */
  caughtUp(ms: number): Promise<void> {
    if (this.#unanswered.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.clock.after(ms, resolve);
    this.#waiting.add(resolve);
    return promise.finally(() => {
      cancel();
      this.#waiting.delete(resolve);
    });
  }

  /** Restarts at once with a new key. */
  restart(): void {
    this.#current.abort(new Error('the key is another one'));
  }

  /** Resolves when all work has ended. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the service closes'));
    this.#release();
    await this.#running;
  }

  available(): boolean {
    return this.#fatal === null;
  }

  health(symbol: string, now: number): PriceFault | null {
    if (this.#fatal !== null) return { kind: 'delayed', reason: this.#fatal.message.replace(/\.$/, '') };
    const refusal = this.#refused.get(symbol);
    if (refusal !== undefined) return { kind: 'halted', reason: refusal };
    return this.#progress.get(symbol)?.health(this.#deps.name, now) ?? null;
  }

  overdueAt(symbol: string, now: number): number | null {
    if (this.#refused.has(symbol)) return null;
    if (this.#unanswered.has(symbol) && now - this.#startedAt < FIRST_ANSWER_MS) return null;
    return this.#progress.get(symbol)?.overdue(this.#deps.name, now)?.dueAt ?? null;
  }

  #firstOverdue(now: number): FeedFault | null {
    const followed = [...this.#progress.values()].filter(({ listing }) => !this.#refused.has(listing.symbol));
    // A single late symbol may just not trade; only a whole calendar is reported.
    const groups = Map.groupBy(followed, ({ prices }) => prices);
    const isLate = ({ listing }: SymbolProgress): boolean => this.overdueAt(listing.symbol, now) !== null;
    const [late] = [...groups.values()].find((group) => group.every(isLate)) ?? [];
    const overdue = late?.overdue(this.#deps.name, now) ?? null;
    return overdue === null ? null : { at: overdue.dueAt, message: `${overdue.reason}.` };
  }

  report(): Omit<FeedReport, 'budgets'> {
    const all = [...this.#progress.values()];
    const newest = Math.max(0, ...all.map(({ lastPriceAt }) => lastPriceAt));
    const hasFault = this.#errors.size > 0 || all.some(({ fault }) => fault !== null);
    const overdue = hasFault ? null : this.#firstOverdue(this.#deps.clock.now());
    const isFailing = hasFault || overdue !== null;
    return {
      name: this.#deps.name,
      status: this.#fatal !== null ? 'refused' : isFailing ? 'failing' : 'following',
      symbols: all.length,
      delayMs: this.#deps.feed.offers.delayMs,
      lastPriceAt: newest === 0 ? null : newest,
      fault: overdue ?? this.#fault,
      refused: this.#refused,
      historyDone: all.filter(({ hasHistory }) => hasHistory).length,
      isHistoryStopped: this.history.isClosed,
    };
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const attempt = this.#begin();
      try {
        await this.#attempt(AbortSignal.any([signal, attempt.signal]));
      } catch (error) {
        if (signal.aborted) return;
        if (attempt.signal.aborted) continue;
        attempt.abort(error);
        if (error instanceof FeedError) this.#fatal = error;
        this.#noteFault(error);
        const wait = error instanceof FeedError ? FATAL_RETRY_MS : this.#failedWaitMs();
        this.#deps.logger.error(
          { feed: this.#deps.name, error: messageOf(error) },
          `the feed cannot go on; keeping the last prices; retrying in ${Math.ceil(wait / SECOND_MS)} s`,
        );
        this.#release();
        const waiting = AbortSignal.any([signal, this.#begin().signal]);
        await pause(this.#deps.clock, wait, waiting).catch(() => undefined);
      }
    }
  }

  #failedWaitMs(): number {
    const { clock, random } = this.#deps;
    if (clock.now() - this.#failedAt > RECOVERED_MS) this.#failures = 0;
    this.#failedAt = clock.now();
    this.#failures += 1;
    return Math.max(FAILED_RETRY.base, backoffDelay(this.#failures, FAILED_RETRY, random));
  }

  #begin(): AbortController {
    this.#current = new AbortController();
    return this.#current;
  }

  /** @throws FeedError that is fatal, or the signal's reason */
  async #attempt(signal: AbortSignal): Promise<never> {
    const { clock, feed, random, record, name } = this.#deps;
    const retry: RetryDeps = { clock, random, onError: (error) => this.#noteError(error) };
    await untilDone(retry, () => this.#introduce(signal), signal);
    this.#fatal = null;
    const progress = new Map([...this.#progress].filter(([symbol]) => !this.#refused.has(symbol)));
    const symbols = [...progress.keys()];
    const isApart = (symbol: string): boolean => (feed.sourceOf?.(symbol) ?? null) !== null;
    const common = { ...retry, feed, record, progress };
    this.#answered([...this.#refused.keys()]);
    await askPresentActions({ ...retry, feed, record, symbols }, signal);
    for (const [symbol, one] of progress) one.reset(record.known(symbol), clock.now());
    const hasSlept = watchForSleep(clock, (why) => this.#current.abort(new Error(why)));
    let connection: Connection | null = null;
    const failing = Promise.withResolvers<never>();
    const batch = createRowBatch(record.take, clock, failing.reject);
    const catchUp = createCatchUp({
      ...common,
      record: {
        take(bars) {
          if (hasSlept()) return;
          batch.flush();
          record.take(bars);
        },
      },
      onAnswer: (answered, missed) => {
        // An answer of another host does not show that the vendor answers.
        if (symbols.every(isApart) || !answered.every(isApart)) this.#errors.clear();
        this.#answered(answered);
        const begunAt = connection?.begunAt() ?? null;
        if (begunAt !== null && missed.length > 0 && clock.now() - begunAt > SILENT_MS && this.#areSilent(missed))
          connection?.restart(`The stream of ${name} left out ${missed.join(', ').slice(0, 60)}.`);
      },
    });
    const sink: FeedSink = {
      bar: (bar) => {
        const one = progress.get(bar.symbol);
        if (one === undefined || hasSlept()) return;
        const { counts, asks } = one.offer(bar, clock.now());
        batch.add(counts);
        if (asks) catchUp.request([bar.symbol]);
      },
      status(action) {
        try {
          record.recordActions([action]);
        } catch (error) {
          // The vendor's socket must not get it: nobody there can handle a full disk.
          failing.reject(error);
        }
      },
    };
    if (feed.live === undefined) catchUp.request(symbols);
    else
      connection = createConnection({
        ...{ ...retry, live: feed.live.bind(feed), connectionMs: feed.offers.connectionMs, symbols, sink },
        onBegin: () => catchUp.request(symbols),
      });
    const stop = watchForSilence({ clock, name, all: [...progress.values()], catchUp, connection, hasSlept });
    try {
      return await Promise.race([
        catchUp.run(signal),
        ...(connection === null ? [] : [connection.run(signal)]),
        followActions({ ...retry, feed, record, symbols }, signal),
        this.#backfill(common, catchUp, signal),
        this.#askWhetherServed(retry, signal),
        failing.promise,
      ]);
    } finally {
      stop();
      batch.drop();
    }
  }

  /** Checks key, clock and symbols before any other request. */
  async #introduce(signal: AbortSignal): Promise<void> {
    const { feed, name, record, onNotice } = this.#deps;
    const check = await feed.check(signal);
    for (const note of check.notes ?? []) onNotice(`${name}: ${note}`);
    const skew = check.clockSkewMs;
    if (Math.abs(skew) > MAX_SKEW_MS)
      onNotice(
        `The clock of ${name} is ${Math.round(Math.abs(skew) / SECOND_MS)} s ${skew > 0 ? 'ahead of' : 'behind'} this computer's; set this one right, or closes come late.`,
      );
    this.#refused.clear();
    for (const one of await feed.listings([...this.#progress.keys()], signal)) {
      if (!('reason' in one)) record.named(one.symbol, one.name);
      if (!('reason' in one)) continue;
      this.#refused.set(one.symbol, one.reason);
      onNotice(`${one.symbol} has no prices: ${one.reason}.`);
    }
  }

  /** Restarts the attempt when the vendor serves a refused symbol, or refuses one without new prices. */
  async #askWhetherServed(retry: RetryDeps, signal: AbortSignal): Promise<never> {
    const { clock, feed } = this.#deps;
    for (;;) {
      await pause(clock, SERVED_EVERY_MS, signal);
      const doubtful = [...this.#progress]
        .filter(([symbol, one]) => this.#refused.has(symbol) || one.isQuiet(clock.now(), SERVED_EVERY_MS))
        .map(([symbol]) => symbol);
      if (doubtful.length === 0) continue;
      const rows = await untilDone(retry, () => feed.listings(doubtful, signal), signal);
      const changed = rows.find((row) => 'reason' in row !== this.#refused.has(row.symbol));
      if (changed !== undefined) this.#current.abort(new Error(`the vendor's answer about ${changed.symbol} changed`));
    }
  }

  async #backfill(
    common: Omit<Parameters<typeof backfill>[0], 'onDone' | 'onProgress' | 'gate'>,
    catchUp: CatchUp,
    signal: AbortSignal,
  ): Promise<never> {
    const { name, onNotice } = this.#deps;
    let noticedAt = Number.NEGATIVE_INFINITY;
    await backfill(
      {
        ...common,
        gate: this.history,
        onDone: (symbols) => catchUp.request(symbols),
        onProgress: (done, all) => {
          const now = common.clock.now();
          if (done < all && now - noticedAt < NOTICE_EVERY_MS) return;
          noticedAt = now;
          onNotice(`${name}: ${done} of ${all} symbols have their history`);
        },
      },
      signal,
    );
    return never();
  }

  #areSilent(symbols: readonly string[]): boolean {
    const now = this.#deps.clock.now();
    return symbols.some((symbol) => now - (this.#progress.get(symbol)?.lastRowAt ?? 0) > SILENT_MS);
  }

  #answered(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#unanswered.delete(symbol);
    if (this.#unanswered.size === 0) this.#release();
  }

  #release(): void {
    for (const done of [...this.#waiting]) done();
  }

  #noteFault(error: unknown): void {
    this.#fault = { at: this.#deps.clock.now(), message: messageOf(error) };
  }

  /** Logs a repeated error once until the vendor answers again. */
  #noteError(error: FeedError): void {
    this.#noteFault(error);
    if (this.#errors.has(error.message)) return;
    this.#errors.add(error.message);
    this.#deps.logger.warn({ feed: this.#deps.name, error: error.message }, 'the feed failed; retrying');
  }
}

const NOTICE_EVERY_MS = 10 * SECOND_MS;
