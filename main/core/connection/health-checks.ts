// Main, core: sets the indicators that prove a connection: stream, bytes, round trips, freshness.

import type { ServiceProblem } from '../../../client/problem.ts';
import type { HealthIndicator, IndicatorName } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { EventBus } from '../events.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Lag } from './lag.ts';
import type { Phase } from './machine.ts';
import { type ConnectionStore, isStreaming, withIndicator } from './state.ts';

export interface HealthChecks {
  /** The stream entered this phase. */
  phase(phase: Phase): void;
  /** Checks whether bytes come: an open stream may be dead. */
  checkBytes(): void;
  /** A round trip returned after `took` ms, or failed. */
  roundTrip(outcome: Result<{ readonly took: number }, ServiceProblem>): void;
  fresh(indicator: Pick<HealthIndicator, 'state' | 'detail'>): void;
}

export interface HealthChecksDeps {
  readonly clock: Clock;
  readonly store: ConnectionStore;
  readonly heartbeat: Pick<Heartbeat, 'limit' | 'interval' | 'lastByteAt'>;
  readonly lag: Pick<Lag, 'isBehind'>;
  readonly events: Pick<EventBus, 'signal'>;
}

export function createHealthChecks({ clock, store, heartbeat, lag, events }: HealthChecksDeps): HealthChecks {
  const setIndicator = (name: IndicatorName, state: HealthIndicator['state'], detail: string): void => {
    const before = store.current().indicators;
    const indicators = withIndicator(before, name, { state, detail }, clock.now());
    if (indicators === before) return;
    store.set({ indicators });
    events.signal('connectionChanged');
  };
  const setStreamDown = (message: string): void => {
    setIndicator('open', 'down', message);
    setIndicator('bytes', 'down', 'no stream');
  };
  return {
    phase(phase) {
      switch (phase.name) {
        case 'open':
          setIndicator('open', 'ok', 'stream open');
          break;
        case 'connecting':
          setStreamDown(phase.attempt === 0 ? 'connecting' : `attempt ${phase.attempt + 1}`);
          break;
        case 'waiting':
          setStreamDown('closed');
          break;
        case 'stopped':
          setStreamDown('stopped');
          break;
        case 'idle':
      }
    },
    checkBytes() {
      const lastByteAt = heartbeat.lastByteAt();
      if (!isStreaming(store.current()) || lastByteAt === null) return;
      const interval = heartbeat.interval();
      const isFlowing = clock.now() - lastByteAt < heartbeat.limit();
      if (isFlowing && lag.isBehind()) setIndicator('bytes', 'degraded', 'behind, so polled too');
      else
        setIndicator(
          'bytes',
          isFlowing ? 'ok' : 'degraded',
          interval === null ? 'heartbeat not learnt' : `heartbeat ${Math.round(interval / 1000)} s`,
        );
    },
    roundTrip(outcome) {
      if (outcome.ok) setIndicator('verified', 'ok', `${Math.round(outcome.value.took)} ms`);
      else setIndicator('verified', 'down', shortCause(outcome.error));
    },
    fresh: ({ state, detail }) => setIndicator('fresh', state, detail),
  };
}

/** A short label for an indicator; the cause of the outage is the full sentence. */
function shortCause({ kind, status }: ServiceProblem): string {
  if (kind === 'network') return 'no answer';
  if (kind === 'timeout') return 'timed out';
  return status === null ? kind.replace('_', ' ') : `answered ${status}`;
}
