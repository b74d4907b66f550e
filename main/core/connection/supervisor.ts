// Main, core: keeps the event stream open. Decides by status what an end means, waits with jitter, notices a stream that is open and dead,
// and says at every turn how things stand. It never gives up by itself except where only the user can help.

import { problem, type ServiceProblem } from '../../../client/problem.ts';
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { err, messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';
import type { Connection, ConnectionHooks, StreamMessage } from '../sources/event-stream.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { ConnectionStore, Phase } from './state.ts';

export interface Supervisor {
  start(): void;
  stop(): void;
  /** Whatever is open may be dead: connect anew at once. A stop that needs the user is left alone. */
  wake(): void;
  /** The user asks: connect anew at once, whatever was. */
  retry(): void;
}

export interface SupervisorOptions {
  readonly random: () => number;
  readonly store: ConnectionStore;
  readonly heartbeat: Heartbeat;
  /** Asks the service who it is. `fatal`: a message for the user, when it must not be listened to. */
  readonly check: () => Promise<Result<{ readonly fatal: string | null }, ServiceProblem>>;
  readonly guard: Guard;
  readonly open: (hooks: ConnectionHooks) => Connection;
  /** The stream is open silently for very long and no heartbeat is known: does the service still answer, and did it say anything meanwhile? */
  readonly probe: () => Promise<Result<{ readonly hasNewEvents: boolean }, ServiceProblem>>;
  readonly onPhase: (phase: Phase) => void;
  readonly onMessage: (message: StreamMessage) => void;
}

const RETRY: BackoffOptions = { base: 1_000, cap: 30_000 };
/** The service may ask for a longer wait, but not for an outage, ms. */
const MAX_REQUESTED_DELAY = 60_000;
/** A stream that lived this long was a good one: the next wait starts from the bottom, ms. */
const GOOD_LIFE = 10_000;
/** How often an open stream is looked at, ms. */
const WATCH = 1_000;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { random, store, heartbeat } = options;
  const { clock } = options.guard;
  let attempt = 0;
  /** How long the service asks to wait before connecting again, ms. */
  let requestedDelay = 0;
  /** Grows with every connection begun or ended, so that what belongs to an earlier one is ignored. */
  let generation = 0;
  let connection: Connection | null = null;
  let cancelTimer: Cancel = () => undefined;

  const enter = (phase: Phase): void => {
    store.set({ phase });
    options.onPhase(phase);
  };
  const drop = (): void => {
    generation += 1;
    cancelTimer();
    connection?.close();
    connection = null;
  };
  const halt = (message: string): void => {
    drop();
    enter({ name: 'stopped', message });
  };
  /** As long as the service asks for, and a little more: all of its readers lost their stream at the same moment. */
  const leastDelay = (): number => (requestedDelay === 0 ? 0 : requestedDelay + Math.floor(random() * RETRY.base));
  const wait = (cause: ServiceProblem): void => {
    const delay = backoffDelay(attempt, RETRY, random, Math.max(leastDelay(), cause.retryAfter ?? 0));
    attempt += 1;
    cancelTimer = clock.after(delay, connect);
    enter({ name: 'waiting', attempt, at: clock.now() + delay, cause });
  };
  const ended = (cause: ServiceProblem): void => {
    const { phase } = store.current();
    if (phase.name === 'open' && clock.now() - phase.since >= GOOD_LIFE) attempt = 0;
    drop();
    const message = stopMessage(cause);
    if (message === null) wait(cause);
    else enter({ name: 'stopped', message });
  };

  /** Looks once a second whether the open stream still gives a sign of life. */
  const watch = (): void => {
    let isProbing = false;
    cancelTimer = every(clock, WATCH, () => {
      // A clock that was set back says nothing of the silence: it is measured anew.
      const silence = clock.now() - (heartbeat.lastByteAt() ?? 0);
      if (silence < 0) heartbeat.alive(clock.now());
      if (silence < heartbeat.limit() || isProbing) return;
      if (heartbeat.interval() !== null) return stalled(silence);
      isProbing = true;
      const mine = generation;
      options.guard.go(
        options.probe().then((probed) => {
          isProbing = false;
          if (mine !== generation) return;
          if (probed.ok && !probed.value.hasNewEvents) heartbeat.alive(clock.now());
          else stalled(silence);
        }),
      );
    });
  };
  const stalled = (silence: number): void => {
    heartbeat.stalled();
    drop();
    attempt = 0;
    const cause = problem('timeout', `The stream was open, but nothing came for ${Math.round(silence / 1000)} s.`);
    enter({ name: 'waiting', attempt: 0, at: clock.now(), cause });
    connect();
  };

  const connect = (): void => {
    drop();
    const mine = generation;
    enter({ name: 'connecting', attempt });
    const checked = options.check().catch((error: unknown) => err(problem('not_stored', messageOf(error))));
    const evaluate = (seen: Awaited<typeof checked>): void => {
      if (mine !== generation) return;
      if (seen.ok && seen.value.fatal === null) listen();
      else if (seen.ok) halt(seen.value.fatal ?? '');
      else ended(seen.error);
    };
    const listen = (): void => {
      heartbeat.restart();
      // What belongs to an earlier connection is dropped, and nothing is thrown into the parser.
      const ifAlive = (job: () => void): void => {
        if (mine === generation) options.guard.run(job);
      };
      connection = options.open({
        onOpen: () =>
          ifAlive(() => {
            heartbeat.alive(clock.now());
            enter({ name: 'open', since: clock.now() });
            watch();
          }),
        onBytes: () => ifAlive(() => heartbeat.alive(clock.now())),
        onComment: () => ifAlive(() => heartbeat.comment(clock.now())),
        onRetry: (ms) =>
          ifAlive(() => {
            requestedDelay = Math.min(ms, MAX_REQUESTED_DELAY);
          }),
        onMessage: (message) => ifAlive(() => options.onMessage(message)),
        onEnd: (cause) => ifAlive(() => ended(cause ?? problem('network', 'The service closed the stream.'))),
      });
    };
    options.guard.go(checked.then(evaluate));
  };

  return {
    start: connect,
    stop() {
      drop();
      store.set({ phase: { name: 'idle' } });
    },
    wake() {
      const { name } = store.current().phase;
      if (name === 'idle' || name === 'stopped') return;
      attempt = 0;
      connect();
    },
    retry() {
      attempt = 0;
      connect();
    },
  };
}

/** Words for the user where trying again by itself would be wrong; null where it is right. */
function stopMessage(cause: ServiceProblem): string | null {
  switch (cause.kind) {
    case 'unauthorized':
      return `The service does not accept the key (401). ${cause.message} Check the key of this profile, then try again.`;
    case 'forbidden':
      return cause.code === 'no_stream'
        ? 'The service says that there is no stream here (204). Check the address of this profile, then try again.'
        : `The key may not read the stream (403). ${cause.message} Check the plan of this key, then try again.`;
    case 'redirected':
    case 'not_sent':
      return `${cause.message} Check the address of this profile, then try again.`;
    default:
      return null;
  }
}
