// Renderer: keeps the store in step with the core: subscribes, then reads one snapshot.
// Pushes are numbered; on a missing number it reads the snapshot again.
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { NumberedChanges } from '../../shared/channels/state.ts';
import { backoffDelay } from '../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

export interface ConnectDeps {
  readonly window: WindowClient<Channels>;
  readonly ingest: Ingest;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Follows the core until cancelled. Never throws: the store shows an error as a message, and the call is
 * retried.
 */
export function connect({ window, ingest, clock, random }: ConnectDeps): Cancel {
  /** Number of the last applied change; null while a snapshot is awaited. */
  let number: number | null = null;
  /** Pushes received while a snapshot is awaited. */
  let buffered: NumberedChanges[] = [];
  /** Counts snapshot requests, so that the answer to an old one is dropped. */
  let request = 0;
  let attempt = 0;
  let cancelRetry: Cancel = () => undefined;

  const resync = (): void => {
    cancelRetry();
    number = null;
    buffered = [];
    request += 1;
    const mine = request;
    window.call('state.snapshot', {}).then(
      (snapshot) => {
        if (mine !== request) return;
        attempt = 0;
        ingest({ kind: 'snapshot', snapshot, at: clock.now() });
        number = snapshot.number;
        const waited = buffered;
        buffered = [];
        for (const push of waited) follow(push);
      },
      (error) => {
        if (mine !== request) return;
        ingest({ kind: 'problem', message: messageOf(error) });
        // No push is applied now, so the shown state becomes outdated.
        ingest({ kind: 'link', up: false, at: clock.now() });
        cancelRetry = clock.after(backoffDelay(attempt, { base: 500, cap: 10_000 }, random, 250), resync);
        attempt += 1;
      },
    );
  };

  const follow = (push: NumberedChanges): void => {
    if (number === null) buffered.push(push);
    else if (push.number > number && (push.from ?? push.number) <= number + 1) {
      number = push.number;
      ingest({ kind: 'changes', changes: push.changes, at: clock.now() });
    } else if (push.number > number) resync();
  };

  const unsubscribe = window.subscribe('state.changed', follow);
  const unwatch = window.watch((up) => {
    ingest({ kind: 'link', up, at: clock.now() });
    if (up) resync();
    else {
      cancelRetry();
      request += 1;
      number = null;
    }
  });
  return () => {
    unwatch();
    unsubscribe();
    cancelRetry();
    request += 1;
  };
}
