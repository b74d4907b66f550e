// Main, core: sets the health indicators of the connection: stream, bytes, round trips, freshness.

import type { ServiceProblem } from '../../../client/problem.ts';
import type { HealthIndicator, IndicatorName } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Lag } from './lag.ts';
import type { Phase } from './machine.ts';
import { type ConnectionStore, isStreaming, withIndicator } from './state.ts';

export interface HealthChecks {
  /** The stream entered this phase. */
  phase(phase: Phase): void;
  /** Checks whether bytes arrive: an open stream may be dead. */
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
  const setIndicator = (name: IndicatorName, state: HealthIndicator['state'], detail: Message): void => {
    const before = store.current().indicators;
    const indicators = withIndicator(before, name, { state, detail }, clock.now());
    if (indicators === before) return;
    store.set({ indicators });
    events.signal('connectionChanged');
  };
  const setStreamDown = (detail: Message): void => {
    setIndicator('open', 'down', detail);
    setIndicator('bytes', 'down', message('health.no_stream'));
  };
  return {
    phase(phase) {
      switch (phase.name) {
        case 'open':
          setIndicator('open', 'ok', message('health.stream_open'));
          break;
        case 'connecting':
          setStreamDown(
            phase.attempt === 0
              ? message('health.connecting')
              : message('health.attempt', { attempt: phase.attempt + 1 }),
          );
          break;
        case 'waiting':
          setStreamDown(message('health.closed'));
          break;
        case 'refused':
          setStreamDown(message('health.refused'));
          break;
        case 'idle':
      }
    },
    checkBytes() {
      const lastByteAt = heartbeat.lastByteAt();
      if (!isStreaming(store.current()) || lastByteAt === null) return;
      const interval = heartbeat.interval();
      const isFlowing = clock.now() - lastByteAt < heartbeat.limit();
      if (isFlowing && lag.isBehind()) setIndicator('bytes', 'degraded', message('health.behind'));
      else
        setIndicator(
          'bytes',
          isFlowing ? 'ok' : 'degraded',
          interval === null
            ? message('health.heartbeat_unknown')
            : message('health.heartbeat', { seconds: Math.round(interval / 1000) }),
        );
    },
    roundTrip(outcome) {
      if (outcome.ok)
        setIndicator('verified', 'ok', message('health.round_trip', { ms: Math.round(outcome.value.took) }));
      else setIndicator('verified', 'down', shortCause(outcome.error));
    },
    fresh: ({ state, detail }) => setIndicator('fresh', state, detail),
  };
}

/** A short label for an indicator; the cause of the outage is the full sentence. */
function shortCause({ kind, status }: ServiceProblem): Message {
  if (kind === 'network') return message('health.no_answer');
  if (kind === 'timeout') return message('health.timed_out');
  return status === null ? message('health.problem', { kind }) : message('health.answered', { status });
}
