// Main, core: makes one attempt to hold the event stream open, with no effect after `close`.
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, messageOf } from '../../../shared/lib/result.ts';
import { EVENT_NAMES } from '../../../shared/wire/events.ts';
import type { Guard } from '../guard.ts';
import { baselineAt } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openStreamConnection, type StreamConnection, type StreamConnectionEvent } from '../sources/event-stream.ts';
import type { MessageBatcher } from '../sources/message-batcher.ts';
import type { CatchUp } from './catch-up.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { StreamEvent } from './machine.ts';
import type { ServiceIdentity } from './service-identity.ts';

export interface Attempt {
  /** Asks the service for its identity. */
  check(): void;
  open(): void;
  /** Checks every second whether bytes come. */
  watch(): void;
  /** Reads the log after a silence of `ms`: is the service alive, and are events missing? */
  probe(ms: number): void;
  /** Connects again after `ms`. */
  wait(ms: number): void;
  close(): void;
}

export interface AttemptDeps {
  readonly guard: Guard;
  readonly client: Pick<Client, 'baseUrl' | 'openStream'>;
  readonly ledger: Pick<Ledger, 'cursor' | 'metadata'>;
  readonly heartbeat: Heartbeat;
  readonly identity: Pick<ServiceIdentity, 'check'>;
  readonly catchUp: Pick<CatchUp, 'run'>;
  /** Takes the stream's messages. */
  readonly batcher: Pick<MessageBatcher, 'take'>;
}

/** Interval of the checks of an open stream, ms. */
const WATCH = 1_000;

export function createAttempt(deps: AttemptDeps, dispatch: (event: StreamEvent) => void): Attempt {
  const { guard, client, ledger, heartbeat } = deps;
  const { clock } = guard;
  let isOver = false;
  let connection: StreamConnection | null = null;
  let cancelTimer: Cancel = () => undefined;

  const dispatchOpen = (event: StreamEvent): void => {
    if (!isOver) dispatch(event);
  };
  const take = (event: StreamConnectionEvent): void => {
    switch (event.kind) {
      case 'opened':
        heartbeat.alive(clock.now());
        dispatch({ kind: 'opened' });
        break;
      case 'bytes':
        heartbeat.alive(clock.now());
        break;
      case 'comment':
        heartbeat.comment(clock.now());
        break;
      case 'delayRequested':
        dispatch(event);
        break;
      case 'message':
        deps.batcher.take(event.message);
        break;
      case 'ended':
        dispatch(event);
    }
  };
  return {
    check() {
      const checked = deps.identity
        .check()
        .catch((error: unknown) => err(problem('not_stored', messageOf(error))))
        .then((seen) =>
          dispatchOpen(seen.ok ? { kind: 'checked', fatal: seen.value.fatal } : { kind: 'ended', cause: seen.error }),
        );
      guard.go(checked);
    },
    open() {
      heartbeat.restart();
      connection = openStreamConnection(
        new URL('stream', client.baseUrl).href,
        // During the first reading of the log, the stream starts at the present: it would notify older
        // events.
        baselineAt(ledger.metadata) === null ? ledger.cursor().eventId : null,
        (headers, signal) => client.openStream({ query: { events: [...EVENT_NAMES] } }, headers, signal),
        // Errors never reach the parser.
        (event) => {
          if (!isOver) guard.run(() => take(event));
        },
      );
    },
    watch() {
      cancelTimer = every(clock, WATCH, () => {
        // A clock that was set back makes the measured silence invalid: the measurement restarts.
        const ms = clock.now() - (heartbeat.lastByteAt() ?? 0);
        if (ms < 0) heartbeat.alive(clock.now());
        if (ms >= heartbeat.limit()) dispatch({ kind: 'silent', ms, isLearnt: heartbeat.interval() !== null });
      });
    },
    probe(ms) {
      guard.go(
        deps.catchUp
          .run('poll')
          .then((probed) => dispatchOpen({ kind: 'probed', isAlive: probed.ok && !probed.value.hasNewEvents, ms })),
      );
    },
    wait(ms) {
      cancelTimer = clock.after(ms, () => dispatch({ kind: 'connect' }));
    },
    close() {
      isOver = true;
      cancelTimer();
      connection?.close();
    },
  };
}
