// Main, core: polls the service's log without a stream, and compares an open stream with the log.
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import type { CoreContext } from '../module.ts';
import type { CatchUp } from './catch-up.ts';
import type { HealthChecks } from './health-checks.ts';
import type { Lag } from './lag.ts';
import { type ConnectionStore, isStreaming } from './state.ts';

export interface LogPolling {
  start(): void;
  stop(): void;
  /** Reads the log when no stream brings its events in time. */
  poll(): void;
}

export interface LogPollingDeps {
  readonly context: CoreContext;
  readonly store: ConnectionStore;
  readonly catchUp: Pick<CatchUp, 'run'>;
  readonly lag: Lag;
  readonly healthChecks: Pick<HealthChecks, 'checkBytes'>;
}

/** Polling interval of the log without a stream, ms. */
export const POLL = { sandbox: 5_000, production: 20_000 };
/** Interval of the comparisons with the log, ms: an open stream may omit events. */
const AUDIT = { sandbox: 30_000, production: 300_000 };
/** A stream younger than this may still bring the missing events, ms. */
const YOUNG = 10_000;

export function createLogPolling({ context, store, catchUp, lag, healthChecks }: LogPollingDeps): LogPolling {
  const { clock, go } = context.guard;
  const { environment } = context.profile;
  let cancels: Cancel[] = [];
  const compare = async (source: ArrivalSource): Promise<void> => {
    const opened = store.current().phase;
    const compared = await catchUp.run(source);
    // Conclusive only when the same stream was open throughout, long enough to have brought the events.
    if (!compared.ok || opened.name !== 'open' || store.current().phase !== opened) return;
    if (clock.now() - opened.since < YOUNG) return;
    lag.compared(compared.value.oldest);
    healthChecks.checkBytes();
  };
  const poll = (): void => {
    const { isTrusted, phase, isPolling } = store.current();
    if (!isTrusted) return;
    const isWithoutStream = phase.name === 'waiting' || phase.name === 'connecting';
    if (isWithoutStream || (phase.name === 'refused' && isPolling)) go(catchUp.run('poll'));
    else if (phase.name === 'open' && lag.isBehind()) go(compare('poll'));
  };
  const audit = (): void => {
    if (isStreaming(store.current())) go(compare('backfill'));
  };
  return {
    start() {
      cancels = [every(clock, POLL[environment], poll), every(clock, AUDIT[environment], audit)];
    },
    stop() {
      for (const cancel of cancels) cancel();
    },
    poll,
  };
}
