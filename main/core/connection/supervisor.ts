// Main, core: keeps the event stream open: runs the machine's effects and feeds back their results.

import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';
import type { Connection, ConnectionHooks, StreamMessage } from '../sources/event-stream.ts';
import type { Heartbeat } from './heartbeat.ts';
import { IDLE, next, type Phase, type StreamEffect, type StreamEvent, type StreamState } from './machine.ts';
import type { ConnectionStore } from './state.ts';

export interface Supervisor {
  start(): void;
  stop(): void;
  /** Reconnects at once: an open connection may be dead. Ignored in a stop that needs the user. */
  wake(): void;
  /** Reconnects at once, in any state, at the user's request. */
  retry(): void;
}

export interface SupervisorDeps {
  readonly guard: Guard;
  readonly random: () => number;
  readonly store: ConnectionStore;
  readonly heartbeat: Heartbeat;
  /**
   * Asks the service for its identity. `fatal`: a message for the user, when the service must not be used.
   */
  readonly check: () => Promise<Result<{ readonly fatal: string | null }, ServiceProblem>>;
  readonly open: (hooks: ConnectionHooks) => Connection;
  /**
   * The stream is silent and its heartbeat unknown: does the service answer, and are there events that did
   * not arrive?
   */
  readonly probe: () => Promise<Result<{ readonly hasNewEvents: boolean }, ServiceProblem>>;
  /** Followers of the stream within the connection. */
  readonly follow: { phase(phase: Phase): void; message(message: StreamMessage): void };
}

/** Interval of the checks of an open stream, ms. */
const WATCH = 1_000;

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { random, store, heartbeat, guard } = deps;
  const { clock } = guard;
  let state: StreamState = IDLE;
  /** Grows with every connection begun or ended, so that results of an earlier one are ignored. */
  let generation = 0;
  let connection: Connection | null = null;
  let cancelTimer: Cancel = () => undefined;

  const dispatch = (event: StreamEvent): void => {
    const [after, effects] = next(state, event, { now: clock.now(), random });
    state = after;
    store.set({ phase: after.phase });
    for (const effect of effects) run(effect);
  };
  /** Drops results of an earlier connection; errors never reach the parser. */
  const ifCurrent = (): ((job: () => void) => void) => {
    const mine = generation;
    return (job) => {
      if (mine === generation) guard.run(job);
    };
  };

  const check = (): void => {
    const mine = generation;
    const checked = deps.check().catch((error: unknown) => err(problem('not_stored', messageOf(error))));
    guard.go(
      checked.then((seen) => {
        if (mine !== generation) return;
        dispatch(seen.ok ? { kind: 'checked', fatal: seen.value.fatal } : { kind: 'ended', cause: seen.error });
      }),
    );
  };
  const open = (): void => {
    heartbeat.restart();
    const current = ifCurrent();
    connection = deps.open({
      onOpen: () =>
        current(() => {
          heartbeat.alive(clock.now());
          dispatch({ kind: 'opened' });
        }),
      onBytes: () => current(() => heartbeat.alive(clock.now())),
      onComment: () => current(() => heartbeat.comment(clock.now())),
      onRetry: (ms) => current(() => dispatch({ kind: 'delayRequested', ms })),
      onMessage: (message) => current(() => deps.follow.message(message)),
      onEnd: (cause) =>
        current(() =>
          dispatch({ kind: 'ended', cause: cause ?? problem('network', 'The service closed the stream.') }),
        ),
    });
  };
  const watch = (): void => {
    cancelTimer = every(clock, WATCH, () => {
      // A clock that was set back makes the measured silence invalid: it starts again.
      const ms = clock.now() - (heartbeat.lastByteAt() ?? 0);
      if (ms < 0) heartbeat.alive(clock.now());
      if (ms >= heartbeat.limit()) dispatch({ kind: 'silent', ms, isLearnt: heartbeat.interval() !== null });
    });
  };
  const probe = (ms: number): void => {
    const mine = generation;
    guard.go(
      deps.probe().then((probed) => {
        if (mine === generation) dispatch({ kind: 'probed', isAlive: probed.ok && !probed.value.hasNewEvents, ms });
      }),
    );
  };

  const run = (effect: StreamEffect): void => {
    switch (effect.kind) {
      case 'close':
        generation += 1;
        cancelTimer();
        connection?.close();
        connection = null;
        break;
      case 'enter':
        deps.follow.phase(state.phase);
        break;
      case 'check':
        check();
        break;
      case 'open':
        open();
        break;
      case 'watch':
        watch();
        break;
      case 'probe':
        probe(effect.ms);
        break;
      case 'keepAlive':
        heartbeat.alive(clock.now());
        break;
      case 'stalled':
        heartbeat.stalled();
        break;
      case 'wait':
        cancelTimer = clock.after(effect.ms, () => dispatch({ kind: 'connect' }));
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
