// Main, core: fetches what is missing, and fetches it again, later and later, while something still is. What no reading brings is an outage.

import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import type { Backfill } from '../backfill/backfill.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import type { Guard } from '../guard.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { Supervisor } from './supervisor.ts';
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
  /** False: the service lists no events, so completeness cannot be proven. */
  provable(): boolean;
  /** Nothing comes of a reading that is under way. */
  stop(): void;
}

export interface CatchUpOptions {
  readonly guard: Guard;
  readonly random: () => number;
  readonly logger: Logger;
  readonly profile: string;
  readonly ledger: Pick<Ledger, 'hasPending'>;
  readonly backfill: Pick<Backfill, 'run'>;
  readonly watermark: Pick<Watermark, 'reached' | 'broken' | 'lose'>;
  /** Asked late: it is made after this, and probes by it. */
  readonly supervisor: () => Pick<Supervisor, 'phase' | 'wake'>;
  /** Called before back-fill looks at the cursor: what the stream brought is written first. */
  readonly settle: () => void;
  readonly onFailed: (problem: ServiceProblem) => void;
  /** What is listed does not join up with what is known. */
  readonly onUnjoined: () => void;
  /** It can be proven now, or cannot any more. */
  readonly onProvable: () => void;
}

const RETRY = { base: 1_000, cap: 30_000 };
/** Least wait before another reading, ms. */
const SOONEST = 200;
/** After so many readings in a row that leave a hole open, all is read anew; after so many, it is an outage. */
const REREAD_AFTER = 3;
const OUTAGE_AFTER = 6;

export function createCatchUp(options: CatchUpOptions): CatchUp {
  const { guard, random, logger, profile, ledger, backfill, watermark, supervisor } = options;
  const { clock, go } = guard;
  let provable = true;
  let failures = 0;
  let isStopped = false;
  let cancelRetry: Cancel = () => undefined;

  const run: CatchUp['run'] = async (source) => {
    cancelRetry();
    options.settle();
    const since = clock.now();
    const caughtUp = await backfill.run(source);
    if (isStopped) return ok({ hasNewEvents: false, oldest: null });
    if (!caughtUp.ok) {
      watermark.broken();
      options.onFailed(caughtUp.error);
      logger.warn({ profile, problem: caughtUp.error }, 'back-fill failed');
      if (supervisor().phase().name !== 'open' || caughtUp.error.kind === 'not_stored')
        watermark.lose(caughtUp.error.message);
      // A key that was revoked is found out by connecting anew: the stream then stops and asks.
      if (caughtUp.error.kind === 'unauthorized' && failures === 0) supervisor().wake();
      again(caughtUp.error.retryAfter ?? 0);
      return caughtUp;
    }
    if (ledger.hasPending()) {
      if (failures === REREAD_AFTER) guard.run(options.onUnjoined);
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
    if (provable !== caughtUp.value.provable) {
      provable = caughtUp.value.provable;
      options.onProvable();
    }
    return ok({ hasNewEvents: caughtUp.value.added > 0, oldest: caughtUp.value.oldest });
  };
  /** While the stream is closed, its own attempts do it too. */
  const again = (floor: number): void => {
    cancelRetry();
    if (supervisor().phase().name === 'stopped') return;
    cancelRetry = clock.after(Math.max(SOONEST, backoffDelay(failures, RETRY, random, floor)), () =>
      go(run('backfill')),
    );
    failures += 1;
  };
  return {
    run,
    again,
    cancelRetry: () => cancelRetry(),
    provable: () => provable,
    stop() {
      isStopped = true;
      cancelRetry();
    },
  };
}
