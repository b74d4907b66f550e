// Main, core: keeps the watched rows current from GET /snapshot, as often as the quota allows.
// Symbols without a signal of their own come from GET /regime.

import type { Client } from '../../../client/client.ts';
import type { ProblemKind, ServiceProblem } from '../../../client/problem.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { ok } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type Signal, SignalSchema } from '../../../shared/wire/records.ts';
import { normalizeSignal, regimeOf } from '../compat/normalize.ts';
import type { CoreEvents, Followers } from '../events.ts';
import type { CoreContext } from '../module.ts';
import { staleSymbols } from './freshness.ts';
import type { RowTable } from './rows.ts';

/**
 * Polling interval of signals, ms. In production a call counts against the quota, and events move rows at
 * once anyway.
 */
export const CADENCE = { sandbox: 2_000, production: 30_000 };
/**
 * Polling interval of regimes, ms: one symbol per call. A regime changes only at a close, and an event
 * announces the change.
 */
export const REGIME_CADENCE = { sandbox: 10_000, production: 3_600_000 };
/** Polling interval of symbols that the service does not cover, ms. */
const UNCOVERED_CADENCE = 3_600_000;
/** Most regimes per poll: each is a call. */
const REGIMES_A_ROUND = 10;
/** These problems tell nothing about coverage: the next poll tries again. */
const LATER: ReadonlySet<ProblemKind> = new Set(['network', 'timeout', 'unavailable', 'rate_limited', 'cancelled']);
/** Symbols per request: as many as a page has rows. */
const CHUNK = 100;

/** Calls per hour for this many symbols. */
export const pollCost = (symbols: number, cadence: number): number =>
  (Math.ceil(symbols / CHUNK) * 3_600_000) / cadence;

export interface Poll {
  readonly on: Followers;
  start(): void;
  stop(): void;
  /** Polls now. */
  now(): void;
}

export interface PollDeps {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly rows: RowTable;
  /** False while a request would be pointless or wrong. */
  readonly mayAsk: () => boolean;
  /** Factor by which polling is slowed to spare the quota; whole, at least 1. */
  readonly slowed: () => number;
}

export function createPoll({ context, client, rows, mayAsk, slowed }: PollDeps): Poll {
  const { guard, events, profile, world } = context;
  const { clock, go } = guard;
  const cadence = CADENCE[profile.environment];
  const regimeCadence = REGIME_CADENCE[profile.environment];
  let cancel: Cancel = () => undefined;
  let isPolling = false;
  let isStopped = false;
  /** The service requested a pause. */
  let isThrottled = false;

  /** Symbols without a signal, and the instant of their next request. */
  const dueAt = new Map<string, number>();

  const heed = ({ retryAfter }: ServiceProblem): void => {
    if (retryAfter === null) return;
    isThrottled = true;
    clock.after(retryAfter, () => {
      isThrottled = false;
    });
  };

  const askRegimes = async (symbols: readonly string[]): Promise<void> => {
    const due = symbols.filter((symbol) => clock.now() >= (dueAt.get(symbol) ?? 0));
    for (const symbol of due.slice(0, REGIMES_A_ROUND)) {
      const answer = await client.read('regime', { params: { symbol } });
      if (isStopped) return;
      if (!answer.ok && LATER.has(answer.error.kind)) return heed(answer.error);
      const receivedAt = timestamp(clock.now());
      const regime = answer.ok ? regimeOf(answer.value.value) : null;
      dueAt.set(symbol, clock.now() + (regime === null ? UNCOVERED_CADENCE : regimeCadence));
      if (regime !== null) rows.regimeOnly(symbol, regime, receivedAt);
      else if (answer.ok || answer.error.kind === 'not_covered' || answer.error.kind === 'not_found')
        rows.notCovered(symbol, receivedAt);
    }
  };

  const finishRound = (outcome: CoreEvents['signalsPolled']['outcome'], invalidCount: number): void => {
    if (invalidCount > 0) context.ports.logger.warn({ invalidCount }, 'rows of /snapshot could not be read');
    // Another profile's core may have written them meanwhile.
    events.signal('settingsChanged');
    rows.setStale(
      staleSymbols({
        rows: rows.all(),
        worldNow: world.now(),
        speed: world.view().speed,
        now: clock.now(),
        cadence: cadence * slowed(),
      }),
    );
    events.emit('signalsPolled', { outcome, rows: rows.all() });
  };
  const round = async (): Promise<void> => {
    const symbols = [...rows.symbols()];
    const without: string[] = [];
    let took = 0;
    let invalidCount = 0;
    for (let from = 0; from < symbols.length; from += CHUNK) {
      const requested = symbols.slice(from, from + CHUNK);
      const answer = await client.page('snapshot', { query: { limit: CHUNK, symbols: requested } });
      if (isStopped) return;
      if (!answer.ok) {
        heed(answer.error);
        return finishRound(answer, invalidCount);
      }
      took = answer.value.took;
      const signals: Signal[] = [];
      for (const row of answer.value.rows) {
        const signal = SignalSchema.safeParse(normalizeSignal(row));
        if (signal.success) signals.push(signal.data);
        else invalidCount += 1;
      }
      rows.polled(signals, timestamp(clock.now()));
      for (const { symbol } of signals) dueAt.delete(symbol);
      const covered = new Set(signals.map((signal) => signal.symbol));
      if (invalidCount === 0) without.push(...requested.filter((symbol) => !covered.has(symbol)));
    }
    await askRegimes(without);
    if (isStopped) return;
    finishRound(ok({ took }), invalidCount);
  };
  let polledAt = Number.NEGATIVE_INFINITY;
  const isDue = (): boolean => {
    const paces = slowed();
    const since = clock.now() - polledAt;
    // A clock that was set back counts as due.
    return paces <= 1 || since < 0 || since >= (paces - 0.5) * cadence;
  };
  const ask = (): void => {
    if (isPolling || isStopped || isThrottled || !mayAsk()) return;
    isPolling = true;
    polledAt = clock.now();
    go(
      round().finally(() => {
        isPolling = false;
      }),
    );
  };

  return {
    on: {
      serviceTrusted: ask,
      watchlistsChanged({ hasOtherSymbols }) {
        if (hasOtherSymbols) ask();
      },
    },
    start() {
      cancel = every(clock, cadence, () => {
        if (isDue()) ask();
      });
      ask();
    },
    stop() {
      isStopped = true;
      cancel();
    },
    now: ask,
  };
}
