// Main, core: polls GET /snapshot for the watched rows, as often as the quota allows.
// Symbols without a signal of their own come from GET /regime.

import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Followers } from '../events.ts';
import type { CoreContext } from '../module.ts';
import type { RowTable } from '../rows.ts';
import { createEndedPolling } from './ended-polling.ts';
import { overdueSince, staleSymbols } from './freshness.ts';
import { createRegimePolling, REGIME_CADENCE } from './regime-polling.ts';
import { createSnapshotPolling, type SnapshotPoll, SYMBOLS_PER_CALL, signalReader } from './snapshot-polling.ts';

/**
 * Polling interval of signals, ms. Long in production, because calls count against the quota, and events
 * update rows at once anyway.
 */
export const CADENCE = { sandbox: 2_000, production: 30_000 };

/** Delay of the poll after a transition, which brings no price, ms; one poll for a burst. */
const FOLLOW_UP_DELAY = 1_000;

/** Calls per hour for this many symbols. */
export const pollCost = (symbols: number, cadence: number): number =>
  (Math.ceil(symbols / SYMBOLS_PER_CALL) * 3_600_000) / cadence;

export interface SignalPolling {
  readonly on: Followers;
  start(): void;
  stop(): void;
  /** Polls now. */
  now(): void;
}

export interface SignalPollingDeps {
  readonly context: CoreContext;
  readonly client: Pick<Client, 'page' | 'read'>;
  readonly rows: RowTable;
  readonly vocabulary: Vocabulary;
  /** False while a request would be pointless or wrong. */
  readonly mayAsk: () => boolean;
  /** Factor that slows polling to spare the quota; an integer, at least 1. */
  readonly slowed: () => number;
}

export function createSignalPolling(deps: SignalPollingDeps): SignalPolling {
  const { context, rows, mayAsk, slowed } = deps;
  const { guard, events, profile, world, ports } = context;
  const { clock } = guard;
  const cadence = CADENCE[profile.environment];
  let cancel: Cancel = () => undefined;
  let isPolling = false;
  let isStopped = false;
  /** A poll was due while requests were not allowed. */
  let isPollDue = false;
  const throttle = createThrottle(clock);
  let polledAt = Number.NEGATIVE_INFINITY;
  /** Rows of the last poll that could not be read: the same number is logged once. */
  let loggedCount = 0;
  /** Pages of the last poll: a service that sends all its symbols is polled less often. */
  let pages = 1;
  /** @returns since when all decisions are overdue */
  const updateStale = (): number | null => {
    const { speed } = world.view();
    const freshness = {
      rows: rows.all(),
      worldNow: world.now(),
      speed,
      now: clock.now(),
      cadence: cadence * slowed() * pages,
    };
    rows.setStale(staleSymbols(freshness));
    return overdueSince(freshness);
  };
  const round = createRound({ ...deps, throttle, isStopped: () => isStopped, updateStale });
  const poll = async (): Promise<void> => {
    const polled = await round();
    pages = polled.pages;
    const { outcome, invalidCount } = polled;
    if (isStopped) return;
    if (!outcome.ok) throttle.pauseFor(outcome.error);
    if (invalidCount > 0 && invalidCount !== loggedCount)
      ports.logger.warn({ invalidCount }, 'rows of /snapshot could not be read');
    loggedCount = invalidCount;
    const since = updateStale();
    events.emit('signalsPolled', { outcome, rows: rows.all(), overdueSince: since });
  };
  const isDue = (): boolean => {
    const intervals = slowed() * pages;
    const since = clock.now() - polledAt;
    // A clock that was set back counts as due.
    return intervals <= 1 || since < 0 || since >= (intervals - 0.5) * cadence;
  };
  const ask = (): void => {
    isPollDue = !mayAsk();
    if (isPolling || isStopped || throttle.isActive() || isPollDue) return;
    isPolling = true;
    polledAt = clock.now();
    guard.go(
      poll().finally(() => {
        isPolling = false;
      }),
    );
  };

  const followUp = createFollowUp(clock, ask);

  return {
    on: {
      serviceTrusted() {
        if (isPollDue) ask();
      },
      recorded({ added }) {
        // The interval of a sandbox is short enough.
        if (cadence <= CADENCE.sandbox || isStopped) return;
        if (added.some(({ event: { transition } }) => transition !== null && rows.get(transition.symbol) !== undefined))
          followUp.schedule();
      },
      watchlistsChanged({ hasOtherSymbols }) {
        if (hasOtherSymbols) ask();
      },
    },
    start() {
      cancel = every(clock, cadence, () => {
        if (isDue()) ask();
        if (!throttle.isActive()) return;
        // Rows keep ageing while the service asks not to be polled.
        const since = updateStale();
        events.emit('signalsAged', { rows: rows.all(), overdueSince: since });
      });
      ask();
    },
    stop() {
      isStopped = true;
      cancel();
      followUp.stop();
      throttle.stop();
    },
    now: ask,
  };
}

interface RoundDeps extends Omit<SignalPollingDeps, 'mayAsk' | 'slowed'> {
  readonly throttle: ReturnType<typeof createThrottle>;
  readonly isStopped: () => boolean;
  readonly updateStale: () => void;
}

/** Polls the signals, then the regimes of symbols without one. */
function createRound(deps: RoundDeps): () => Promise<SnapshotPoll> {
  const { context, client, rows, vocabulary, throttle, isStopped, updateStale } = deps;
  const { guard, profile, world } = context;
  const { clock } = guard;
  const cadence = REGIME_CADENCE[profile.environment];
  const regimes = createRegimePolling({
    clock,
    client,
    rows,
    // A replay of months in an hour would show the price of one month beside the chart of another.
    cadence: () => Math.max(CADENCE[profile.environment], cadence / Math.max(1, world.view().speed)),
    isStopped,
  });
  const pollSnapshot = createSnapshotPolling(deps);
  const ended = createEndedPolling({ clock, client, readSignals: signalReader(vocabulary) });

  return async () => {
    const polled = await pollSnapshot();
    // The rest of the round may wait for ten answers.
    updateStale();
    for (const symbol of polled.found) regimes.forget(symbol);
    if (!polled.outcome.ok || isStopped()) return polled;
    const last = await ended.poll(polled.without);
    rows.polled(last, timestamp(clock.now()));
    const gone = new Set(last.map((signal) => signal.symbol));
    const problem = isStopped() ? null : await regimes.poll(polled.without.filter((symbol) => !gone.has(symbol)));
    if (problem !== null) throttle.pauseFor(problem);
    return polled;
  };
}

/** One more poll soon after an event, however many follow it until then. */
function createFollowUp(clock: Clock, ask: () => void) {
  let cancel: Cancel | null = null;
  return {
    schedule(): void {
      cancel ??= clock.after(FOLLOW_UP_DELAY, () => {
        cancel = null;
        ask();
      });
    },
    stop: () => cancel?.(),
  };
}

/** The pause that the service requested. */
function createThrottle(clock: Clock) {
  let cancel: Cancel | null = null;
  return {
    isActive: () => cancel !== null,
    pauseFor({ retryAfter }: ServiceProblem): void {
      if (retryAfter === null) return;
      cancel?.();
      cancel = clock.after(retryAfter, () => {
        cancel = null;
      });
    },
    stop: () => cancel?.(),
  };
}
