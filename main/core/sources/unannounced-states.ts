// Main, core: records a High Risk that the service lists, and that none of its events announced.
// A service may lose an event, or list its transitions late or never: the list of signals is one more source.
import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Followers } from '../events.ts';
import { baselineAt } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { Receive } from '../receive.ts';
import { listedState } from './state-event.ts';

export interface UnannouncedStatesDeps {
  readonly context: Pick<CoreContext, 'world' | 'guard'>;
  /** Whether the service can prove that nothing was missed. */
  readonly isProvable: () => boolean;
  readonly ledger: Pick<Ledger, 'entries' | 'metadata' | 'unwritten'>;
  readonly watch: Pick<Watch, 'isWatched'>;
  readonly receive: Receive;
}

/** Longest wait for a log that cannot be read, ms. */
const LONGEST_WAIT = 10 * 60_000;

export function createUnannouncedStates(deps: UnannouncedStatesDeps): {
  readonly on: Required<Pick<Followers, 'signalsPolled' | 'caughtUp'>>;
} {
  const { context, isProvable, ledger, watch, receive } = deps;
  const { world } = context;
  const { clock } = context.guard;
  /** When a poll first found the High Risk of a symbol unannounced, ms by this computer's clock. */
  const firstSeen = new Map<string, number>();
  /** When the lists of the service were last read to their end. */
  let readAt = Number.NEGATIVE_INFINITY;

  /** By its own time, which a service may date ahead of its clock, or, where a clock was set back, by its arrival. */
  const isAnnounced = (symbol: string): boolean =>
    ledger.entries.signalBefore(symbol, Math.floor((world.now() + DAY_MS) / 1000))?.to_state === 2 ||
    ledger.entries.lastArrived(symbol) === 2;
  /** The event may be on its way: the lists are compared regularly, and are read to their end first if they can be. */
  const isOverdue = (since: number | undefined): boolean => {
    if (since === undefined) return false;
    return readAt > since || clock.now() - since >= LONGEST_WAIT;
  };
  return {
    on: {
      caughtUp() {
        readAt = clock.now();
      },
      signalsPolled({ outcome, rows }) {
        // A log with contiguous numbers proves what was announced.
        if (isProvable()) return;
        // The first reading of the log, and a ledger in memory, may lack it.
        if (!outcome.ok || ledger.unwritten() !== null || baselineAt(ledger.metadata) !== null) return;
        const unannounced = rows.flatMap(({ symbol, signal, stale }) =>
          signal?.state === 2 && !stale && watch.isWatched(symbol) && !isAnnounced(symbol) ? [signal] : [],
        );
        for (const symbol of firstSeen.keys())
          if (!unannounced.some((signal) => signal.symbol === symbol)) firstSeen.delete(symbol);
        const overdue = unannounced.filter(({ symbol }) => isOverdue(firstSeen.get(symbol)));
        for (const { symbol } of unannounced) if (!firstSeen.has(symbol)) firstSeen.set(symbol, clock.now());
        if (overdue.length > 0)
          receive(
            'poll',
            overdue.map((signal) => listedState(signal, world.now())),
          );
      },
    },
  };
}
