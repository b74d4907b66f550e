// Main, core: one target of the relay: sends its pending events one at a time and in order.
import type { Target } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ActivityLog } from './activity.ts';
import { createForwardOutcomes } from './forward-outcomes.ts';
import type { PendingForward, StoredTarget } from './forward-queue.ts';
import { retryDelay } from './retry.ts';
import type { RelayServer } from './server.ts';
import { signedHeaders, TRAIL_HEADER } from './sign.ts';
import type { RelayStore } from './store.ts';
import { createTargetFeed, type TargetFeed, type TargetFeedDeps } from './target-feed.ts';

export interface TargetQueue extends Pick<TargetFeed, 'ledgerWritten'> {
  /**
   * Enqueues the new events of the ledger, and sends due ones. Retries when the relay's file cannot be
   * written.
   */
  wake(): void;
  /** Sends nothing more; ignores the answer of a running request. */
  stop(): void;
  view(): Target;
}

export interface ForwarderDeps extends TargetFeedDeps {
  readonly store: Pick<RelayStore, 'name' | 'queue' | 'trail'>;
  readonly server: Pick<RelayServer, 'post'>;
  readonly activity: Pick<ActivityLog, 'sent'>;
}

export function createTargetQueue(target: StoredTarget, deps: ForwarderDeps): TargetQueue {
  const { store, server, activity } = deps;
  const { queue } = store;
  const { guard, ports } = deps.context;
  const { clock } = guard;
  let isStopped = false;
  let isSending = false;
  /** The ledger may have events that are not enqueued yet. */
  let isBehind = false;
  /** Writes in a row that failed. */
  let failures = 0;
  const feed = createTargetFeed(target, deps);
  const outcomes = createForwardOutcomes(target.id, queue, deps.context);
  let cancel: Cancel = () => undefined;

  const tryEnqueue = (): void => {
    try {
      if (isBehind) feed.enqueue();
      isBehind = false;
    } catch (error) {
      ports.logger.warn(
        { problem: messageOf(error) },
        'an event could not be enqueued for a target; it is tried again',
      );
    }
  };
  const send = async (forward: PendingForward): Promise<void> => {
    const { eventId, body } = forward;
    const trail = [store.trail(eventId), store.name].filter((name) => name !== null).join(', ');
    const receipt = await server.post({
      url: target.url,
      headers: { ...signedHeaders(target.secret, eventId, body, clock.now()), [TRAIL_HEADER]: trail },
      body,
      allowPublic: target.allowPublic,
    });
    if (isStopped) return;
    outcomes.add(forward, receipt);
    activity.sent({ url: target.url, eventId, ...receipt });
  };
  /** Sends the first due event; without one, sleeps until the next is due. */
  const run = (): void => {
    if (isStopped) return;
    cancel();
    tryEnqueue();
    if (isSending) return;
    if (isBehind || !outcomes.write()) {
      cancel = clock.after(retryDelay(failures, ports.random), run);
      failures += 1;
      return;
    }
    failures = 0;
    const now = clock.now();
    const rest = outcomes.pause(now);
    const forward = rest > 0 ? null : queue.due(target.id, now);
    if (forward === null) {
      const nextAt = queue.nextAt(target.id);
      if (nextAt !== null) cancel = clock.after(Math.max(rest, nextAt - now, 0), run);
      return;
    }
    isSending = true;
    guard.go(
      send(forward).finally(() => {
        isSending = false;
        guard.run(run);
      }),
    );
  };

  return {
    wake() {
      isBehind = true;
      run();
    },
    ledgerWritten: feed.ledgerWritten,
    stop() {
      isStopped = true;
      cancel();
    },
    view() {
      const { queue: pending, delivered, givenUp, nextAt, last } = queue.tally(target.id);
      return {
        id: target.id,
        url: target.url,
        filter: target.filter,
        allow_public: target.allowPublic,
        queue: pending,
        delivered,
        given_up: givenUp,
        last: last && { at: timestamp(last.at), event_id: last.eventId, status: last.status, error: last.error },
        next_at: nextAt === null ? null : timestamp(Math.max(nextAt, outcomes.pausedUntil())),
      };
    },
  };
}
