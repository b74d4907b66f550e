// Main, core: reads the log to its end, and retries with growing delays while events are missing.

import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { backoffDelay } from '../../../shared/lib/backoff.ts';
import { type Cancel, isRecent } from '../../../shared/lib/clock.ts';
import { createProgressMeter, type ShownProgress } from '../../../shared/lib/progress.ts';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { message } from '../../../shared/text/message.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Anchor } from '../sources/anchor.ts';
import type { Backfill } from '../sources/backfill.ts';
import type { LogRead } from '../sources/log-reading.ts';
import type { MessageBatcher } from '../sources/message-batcher.ts';
import { afterReading, type CatchUpEffect, type ReadingOutcome } from './catch-up-machine.ts';
import type { HealthChecks } from './health-checks.ts';
import { createRunner } from './runner.ts';
import { type ConnectionStore, isStreaming } from './state.ts';
import type { Watermark } from './watermark.ts';

export interface CatchUp {
  /**
   * Reads to the end of the log. `hasNewEvents`: it brought events; `oldest`: world time of the oldest, ms.
   */
  run(
    source: ArrivalSource,
  ): Promise<Result<{ readonly hasNewEvents: boolean; readonly oldest: number | null }, ServiceProblem>>;
  /** Schedules a further reading. @param floor shortest wait, ms */
  again(floor: number): void;
  /** Cancels the scheduled reading. */
  cancelRetry(): void;
  /** Resolves when no reading is running. */
  idle(): Promise<void>;
  /** Discards the result of a running reading. */
  stop(): void;
}

export interface CatchUpDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'hasPending'>;
  readonly backfill: Backfill;
  readonly anchor: Pick<Anchor, 'doubt'>;
  readonly watermark: Pick<Watermark, 'reached' | 'broken' | 'lose'>;
  readonly healthChecks: Pick<HealthChecks, 'roundTrip'>;
  readonly store: ConnectionStore;
  /** Its batch is written before back-fill reads the cursor. */
  readonly batcher: Pick<MessageBatcher, 'flush'>;
}

/** A reading is shown after this long, and again after as long, ms. */
const SHOWN_MS = 1_000;
/** Smallest share of the time that is read from which the number of events is estimated. */
const MIN_SHARE = 0.02;
const RETRY = { base: 1_000, cap: 30_000 };
/** Shortest wait before a further reading, ms. */
const SOONEST = 200;

export function createCatchUp(deps: CatchUpDeps): CatchUp {
  const { context, ledger, watermark, store } = deps;
  const { guard, events, profile, ports } = context;
  const { clock, go } = guard;
  let failures = 0;
  let isStopped = false;
  let cancelRetry: Cancel = () => undefined;
  const progress = createReadingProgress(deps);

  const apply = (outcome: ReadingOutcome): void => {
    const [after, effects] = afterReading(failures, outcome);
    failures = after;
    for (const effect of effects) perform(effect);
  };
  const perform = (effect: CatchUpEffect): void => {
    switch (effect.kind) {
      case 'broken':
        watermark.broken();
        break;
      case 'lose':
        watermark.lose(effect.cause);
        break;
      case 'reconnect':
        events.signal('keyRefused');
        break;
      case 'reread':
        guard.run(deps.anchor.doubt);
        break;
      case 'again':
        if (schedule(effect.floor)) failures += 1;
    }
  };
  const read = async (source: ArrivalSource): ReturnType<CatchUp['run']> => {
    const since = clock.now();
    const reading = await deps.backfill(source, progress.of(since));
    progress.end();
    if (isStopped) return ok({ hasNewEvents: false, oldest: null });
    if (!reading.ok) {
      deps.healthChecks.roundTrip(reading);
      // Polling would send a refused key again: it ends until the next attempt of the stream.
      if (reading.error.kind === 'unauthorized' || reading.error.kind === 'forbidden') store.set({ isPolling: false });
      ports.logger.warn({ profile: profile.name, problem: reading.error }, 'back-fill failed');
      apply({ kind: 'failed', problem: reading.error, isStreaming: isStreaming(store.current()) });
      return reading;
    }
    const { added, oldest, provable } = reading.value;
    if (ledger.hasPending()) {
      apply({ kind: 'pending' });
      return ok({ hasNewEvents: added > 0, oldest });
    }
    const stands = context.world.standstill() === null ? null : message('connection.clock_stands');
    const standstill = store.current().standstill ?? stands;
    if (standstill !== null) {
      apply({ kind: 'standstill', message: standstill });
      return ok({ hasNewEvents: added > 0, oldest });
    }
    try {
      watermark.reached(since, added);
    } catch (error) {
      apply({ kind: 'unwritten', message: ledgerErrorMessage(error) });
      return err(problem('not_stored', messageOf(error)));
    }
    apply({ kind: 'complete' });
    if (provable !== store.current().provable) {
      store.set({ provable });
      events.signal('connectionChanged');
    }
    return ok({ hasNewEvents: added > 0, oldest });
  };
  /**
   * Schedules a reading, unless REST refuses too: then the next attempt of the stream starts it.
   * @returns true when a reading is scheduled
   */
  const schedule = (floor: number): boolean => {
    cancelRetry();
    const { phase, isPolling } = store.current();
    if (phase.name === 'refused' && !isPolling) return false;
    cancelRetry = clock.after(Math.max(SOONEST, backoffDelay(failures, RETRY, ports.random, floor)), () =>
      go(run('backfill')),
    );
    return true;
  };
  const runner = createRunner(read);
  const run: CatchUp['run'] = (source) => {
    cancelRetry();
    deps.batcher.flush();
    return runner.run(source);
  };
  return {
    run,
    idle: runner.idle,
    again: (floor) => void schedule(floor),
    cancelRetry: () => cancelRetry(),
    stop() {
      isStopped = true;
      cancelRetry();
    },
  };
}

interface ReadingProgress {
  /** Receives how far a reading is that began at `since`, this computer's time in ms. */
  of(since: number): (read: LogRead) => void;
  end(): void;
}

/** Shows a reading that takes long, with the time left by the times of the events. */
function createReadingProgress({ context, store }: Pick<CatchUpDeps, 'context' | 'store'>): ReadingProgress {
  const { events, world } = context;
  const { clock } = context.guard;
  const show = (backfill: ShownProgress | null): void => {
    if (backfill === store.current().backfill) return;
    store.set({ backfill });
    events.signal('connectionChanged');
  };
  return {
    of(since) {
      const measure = createProgressMeter(clock);
      let shownAt = since;
      return ({ events: done, from, to }) => {
        const share = (to - from) / (world.now() - from);
        const total = share > MIN_SHARE && share <= 1 ? Math.round(done / share) : null;
        const progress = measure({ what: 'backfill', done, total });
        if (isRecent(clock, shownAt, SHOWN_MS)) return;
        shownAt = clock.now();
        show(progress);
      };
    },
    end: () => show(null),
  };
}
