// Main, core: keeps the event stream open: runs the machine's effects and feeds back their results.
import type { CoreContext } from '../module.ts';
import { type AttemptDeps, createAttempt } from './attempt.ts';
import { IDLE, next, type StreamEffect, type StreamEvent, type StreamState } from './machine.ts';
import type { ConnectionStore } from './state.ts';

export interface Supervisor {
  start(): void;
  stop(): void;
  /** Reconnects at once: an open connection may be dead, or a refusal may have ended. */
  wake(): void;
  /** Reconnects at once, in any state, at the user's request. */
  retry(): void;
}

export interface SupervisorDeps extends Omit<AttemptDeps, 'guard'> {
  readonly context: CoreContext;
  readonly store: ConnectionStore;
}

export function createSupervisor({ context, store, ...deps }: SupervisorDeps): Supervisor {
  const { guard, events, ports } = context;
  const { heartbeat } = deps;
  let state: StreamState = IDLE;

  const dispatch = (event: StreamEvent): void => {
    const [after, effects] = next(state, event, { now: guard.clock.now(), random: ports.random });
    state = after;
    store.set({ phase: after.phase });
    for (const effect of effects) run(effect);
  };
  const beginAttempt = () => createAttempt({ ...deps, guard }, dispatch);
  let attempt = beginAttempt();
  const run = (effect: StreamEffect): void => {
    switch (effect.kind) {
      case 'close':
        attempt.close();
        attempt = beginAttempt();
        break;
      case 'enter':
        events.emit('streamPhaseChanged', state.phase);
        break;
      case 'check':
        attempt.check();
        break;
      case 'open':
        attempt.open();
        break;
      case 'watch':
        attempt.watch();
        break;
      case 'probe':
        attempt.probe(effect.ms);
        break;
      case 'keepAlive':
        heartbeat.alive(guard.clock.now());
        break;
      case 'stalled':
        heartbeat.stalled();
        break;
      case 'wait':
        attempt.wait(effect.ms);
        break;
      case 'connect':
        dispatch({ kind: 'connect' });
    }
  };

  return {
    start: () => dispatch({ kind: 'connect' }),
    stop: () => dispatch({ kind: 'stop' }),
    wake: () => dispatch({ kind: 'wake' }),
    retry: () => dispatch({ kind: 'retry' }),
  };
}
