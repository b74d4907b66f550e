// Main, core: sets the indicators that prove a connection: by what becomes of the stream, by its bytes, by round trips, and by how new the signals are.

import type { ServiceProblem } from '../../../client/problem.ts';
import type { HealthIndicator } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { createHealthIndicators, type HealthIndicators } from '../state/health-indicators.ts';
import type { Lag } from './lag.ts';
import type { Phase, Supervisor } from './supervisor.ts';

export interface HealthChecks {
  /** The stream came into this phase. */
  phase(phase: Phase): void;
  /** Looks whether bytes come; an open stream may be dead. */
  checkBytes(): void;
  /** A round trip came back, after `took` ms, or did not. */
  roundTrip(outcome: Result<{ readonly took: number }, ServiceProblem>): void;
  fresh(indicator: Pick<HealthIndicator, 'state' | 'detail'>): void;
  all: HealthIndicators['all'];
}

export interface HealthChecksOptions {
  readonly clock: Clock;
  /** Asked late: it is made after this. */
  readonly supervisor: () => Pick<Supervisor, 'phase' | 'vitals'>;
  readonly lag: Pick<Lag, 'isBehind'>;
  readonly onChanged: () => void;
}

export function createHealthChecks({ clock, supervisor, lag, onChanged }: HealthChecksOptions): HealthChecks {
  const indicators = createHealthIndicators(clock);
  const setIndicator = (...args: Parameters<HealthIndicators['set']>): void => {
    if (indicators.set(...args)) onChanged();
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
      if (supervisor().phase().name !== 'open') return;
      const { limit, heartbeat, lastByteAt } = supervisor().vitals();
      if (lastByteAt === null) return;
      const isFlowing = clock.now() - lastByteAt < limit;
      if (isFlowing && lag.isBehind()) setIndicator('bytes', 'degraded', 'behind, so polled too');
      else
        setIndicator(
          'bytes',
          isFlowing ? 'ok' : 'degraded',
          heartbeat === null ? 'heartbeat not learnt' : `heartbeat ${Math.round(heartbeat / 1000)} s`,
        );
    },
    roundTrip(outcome) {
      if (outcome.ok) setIndicator('verified', 'ok', `${Math.round(outcome.value.took)} ms`);
      else setIndicator('verified', 'down', shortCause(outcome.error));
    },
    fresh: ({ state, detail }) => setIndicator('fresh', state, detail),
    all: indicators.all,
  };
}

/** Two words for an indicator; the cause of the outage has the whole sentence. */
function shortCause({ kind, status }: ServiceProblem): string {
  if (kind === 'network') return 'no answer';
  if (kind === 'timeout') return 'timed out';
  return status === null ? kind.replace('_', ' ') : `answered ${status}`;
}
