// Service, market feeds: keeps the live connection to a vendor open.
// Reconnects after an end, and replaces the connection before the vendor's time limit: the old one ends when
// the new one brings its first row.
import type { Clock } from '../../../shared/lib/clock.ts';
import { pause } from '../../../shared/lib/pause.ts';
import { never } from '../../../shared/lib/until-aborted.ts';
import { FeedError, type FeedSink, type PriceFeed } from './price-feed.ts';
import { createRetrying, type RetryDeps } from './retrying.ts';

/** Share of a connection's maximum life after which it is replaced, and the jitter of it. */
const RENEWED_AFTER = 0.9;
const RENEWAL_SPREAD = 0.05;

interface ConnectionDeps extends RetryDeps {
  readonly clock: Clock;
  readonly live: NonNullable<PriceFeed['live']>;
  /** Maximum life of a connection, ms; null: no limit. */
  readonly connectionMs: number | null;
  readonly symbols: readonly string[];
  readonly sink: FeedSink;
  /** Called when a connection begins. */
  readonly onBegin: () => void;
}

export interface Connection {
  /** Wall ms at which the current connection began; null: no connection. */
  begunAt(): number | null;
  /** Ends the current connection and begins a new one after the usual wait. */
  restart(why: string): void;
  /** Resets the back-off. Call it once every symbol with an open session has sent a row. */
  succeeded(): void;
  /** @throws FeedError that is fatal, or the signal's reason */
  run(signal: AbortSignal): Promise<never>;
}

export function createConnection(deps: ConnectionDeps): Connection {
  const { clock, live, connectionMs: life, symbols, sink, random, onBegin } = deps;
  const retrying = createRetrying(deps);
  let current: AbortController | null = null;
  let begunAt: number | null = null;
  /** @returns the error that ended the connection */
  const connect = (signal: AbortSignal, onFirst: () => void): Promise<unknown> => {
    let isFirst = true;
    const bar: FeedSink['bar'] = (one) => {
      if (signal.aborted) return;
      if (isFirst) onFirst();
      isFirst = false;
      sink.bar(one);
    };
    return live(symbols, { bar, status: (action) => sink.status(action) }, signal).catch((error: unknown) => error);
  };
  return {
    begunAt: () => begunAt,
    restart: (why) => current?.abort(new FeedError('retry', why)),
    succeeded: retrying.succeeded,
    async run(signal) {
      let previous: AbortController | null = null;
      for (;;) {
        const own = new AbortController();
        const replaced = previous;
        const ended = connect(AbortSignal.any([signal, own.signal]), () => replaced?.abort(REPLACED));
        current = own;
        begunAt = clock.now();
        onBegin();
        const timer = new AbortController();
        const due =
          life === null
            ? never()
            : pause(clock, life * (RENEWED_AFTER + random() * RENEWAL_SPREAD), AbortSignal.any([signal, timer.signal]))
                .then(() => DUE)
                .catch(never);
        const outcome = await Promise.race([ended, due]);
        timer.abort();
        if (outcome === DUE) {
          previous = own;
          continue;
        }
        own.abort(REPLACED);
        begunAt = null;
        await retrying.after(outcome, signal);
      }
    },
  };
}

const REPLACED = new FeedError('retry', 'Another connection took over.');
const DUE = Symbol('due');
