// Main, core: lights the lamps that prove sight: by what becomes of the stream, by its bytes, by round trips, and by how new the signals are.

import type { ServiceProblem } from '../../../client/problem.ts';
import type { Lamp } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { createLamps, type Lamps } from '../state/lamps.ts';
import type { Lag } from './lag.ts';
import type { Phase, Supervisor } from './supervisor.ts';

export interface Lights {
  /** The stream came into this phase. */
  phase(phase: Phase): void;
  /** Looks whether bytes come; an open stream may be dead. */
  lookAtBytes(): void;
  /** A round trip came back, after `took` ms, or did not. */
  roundTrip(outcome: Result<{ readonly took: number }, ServiceProblem>): void;
  fresh(lamp: Pick<Lamp, 'state' | 'detail'>): void;
  all: Lamps['all'];
}

export interface LightsOptions {
  readonly clock: Clock;
  /** Asked late: it is made after this. */
  readonly supervisor: () => Pick<Supervisor, 'phase' | 'vitals'>;
  readonly lag: Pick<Lag, 'isBehind'>;
  readonly onChanged: () => void;
}

export function createLights({ clock, supervisor, lag, onChanged }: LightsOptions): Lights {
  const lamps = createLamps(clock);
  const light = (...args: Parameters<Lamps['set']>): void => {
    if (lamps.set(...args)) onChanged();
  };
  const dark = (words: string): void => {
    light('open', 'out', words);
    light('bytes', 'out', 'no stream');
  };
  return {
    phase(phase) {
      switch (phase.name) {
        case 'open':
          light('open', 'lit', 'stream open');
          break;
        case 'connecting':
          dark(phase.attempt === 0 ? 'connecting' : `attempt ${phase.attempt + 1}`);
          break;
        case 'waiting':
          dark('closed');
          break;
        case 'stopped':
          dark('stopped');
          break;
        case 'idle':
      }
    },
    lookAtBytes() {
      if (supervisor().phase().name !== 'open') return;
      const { limit, heartbeat, lastByteAt } = supervisor().vitals();
      if (lastByteAt === null) return;
      const isFlowing = clock.now() - lastByteAt < limit;
      if (isFlowing && lag.isBehind()) light('bytes', 'partial', 'behind, so polled too');
      else
        light(
          'bytes',
          isFlowing ? 'lit' : 'partial',
          heartbeat === null ? 'heartbeat not learnt' : `heartbeat ${Math.round(heartbeat / 1000)} s`,
        );
    },
    roundTrip(outcome) {
      if (outcome.ok) light('verified', 'lit', `${Math.round(outcome.value.took)} ms`);
      else light('verified', 'out', shortCause(outcome.error));
    },
    fresh: ({ state, detail }) => light('fresh', state, detail),
    all: lamps.all,
  };
}

/** Two words for a lamp; the whole sentence stands in the cause of blindness. */
function shortCause({ kind, status }: ServiceProblem): string {
  if (kind === 'network') return 'no answer';
  if (kind === 'timeout') return 'timed out';
  return status === null ? kind.replace('_', ' ') : `answered ${status}`;
}
