// Main, core: fetches what is missing, and fetches it again, later and later, while something still is. What no reading brings is an outage.

import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Anchor } from '../sources/anchor.ts';
import type { Backfill } from '../sources/backfill.ts';
import type { Inbox } from '../sources/inbox.ts';
import type { HealthChecks } from './health-checks.ts';
import { type ConnectionStore, isStreaming } from './state.ts';
import type { Watermark } from './watermark.ts';

export interface CatchUp {
  /** Reads to the end of the log. `news`: it brought some; `oldest`: world time of the oldest of these, ms. */
  run(
    source: ArrivalSource,
  ): Promise<Result<{ readonly hasNewEvents: boolean; readonly oldest: number | null }, ServiceProblem>>;
  /** Once more, later. @param floor least wait, ms */
  again(floor: number): void;
  /** Not once more, until it is asked for. */
  cancelRetry(): void;
  /** Nothing comes of a reading that is under way. */
  stop(): void;
}

export interface CatchUpDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'hasPending'>;
  readonly backfill: Pick<Backfill, 'run'>;
  readonly anchor: Pick<Anchor, 'doubt'>;
  readonly watermark: Pick<Watermark, 'reached' | 'broken' | 'lose'>;
  readonly healthChecks: Pick<HealthChecks, 'roundTrip'>;
  readonly store: ConnectionStore;
  /** Its batch is written before back-fill reads the cursor. */
  readonly inbox: Pick<Inbox, 'flush'>;
}

const RETRY = { base: 1_000, cap: 30_000 };
/** Least wait before another reading, ms. */
const SOONEST = 200;
/** After so many readings in a row that leave a hole open, all is read anew; after so many, it is an outage. */
const REREAD_AFTER = 3;
const OUTAGE_AFTER = 6;

/** @param reconnect the key may have been revoked: a new connection finds out, and then stops and asks the user */
export function createCatchUp(deps: CatchUpDeps, reconnect: () => void): CatchUp {
  const { context, ledger, backfill, watermark, store } = deps;
  const { guard, events, profile, ports } = context;
  const { clock, go } = guard;
  let failures = 0;
  let isStopped = false;
  let cancelRetry: Cancel = () => undefined;

  const run: CatchUp['run'] = async (source) => {
    cancelRetry();
    deps.inbox.flush();
    const since = clock.now();
    const caughtUp = await backfill.run(source);
    if (isStopped) return ok({ hasNewEvents: false, oldest: null });
    if (!caughtUp.ok) {
      watermark.broken();
      deps.healthChecks.roundTrip(err(caughtUp.error));
      ports.logger.warn({ profile: profile.name, problem: caughtUp.error }, 'back-fill failed');
      if (!isStreaming(store.current()) || caughtUp.error.kind === 'not_stored') watermark.lose(caughtUp.error.message);
      if (caughtUp.error.kind === 'unauthorized' && failures === 0) reconnect();
      again(caughtUp.error.retryAfter ?? 0);
      return caughtUp;
    }
    if (ledger.hasPending()) {
      if (failures === REREAD_AFTER) guard.run(deps.anchor.doubt);
      // A hole that no reading closes is no connection, however well bytes flow.
      if (failures >= OUTAGE_AFTER)
        watermark.lose('What the service lists does not join up with what is known here. It is read again and again.');
      again(0);
      return ok({ hasNewEvents: caughtUp.value.added > 0, oldest: caughtUp.value.oldest });
    }
    try {
      watermark.reached(since, caughtUp.value.added);
    } catch (error) {
      watermark.lose(ledgerErrorMessage(error));
      again(0);
      return err(problem('not_stored', messageOf(error)));
    }
    failures = 0;
    const { provable } = caughtUp.value;
    if (provable !== store.current().provable) {
      store.set({ provable });
      events.signal('connectionChanged');
    }
    return ok({ hasNewEvents: caughtUp.value.added > 0, oldest: caughtUp.value.oldest });
  };
  /** While the stream is closed, its own attempts do it too. */
  const again = (floor: number): void => {
    cancelRetry();
    if (store.current().phase.name === 'stopped') return;
    cancelRetry = clock.after(Math.max(SOONEST, backoffDelay(failures, RETRY, ports.random, floor)), () =>
      go(run('backfill')),
    );
    failures += 1;
  };
  return {
    run,
    again,
    cancelRetry: () => cancelRetry(),
    stop() {
      isStopped = true;
      cancelRetry();
    },
  };
}
