// Main, core: one target of the relay: sends its pending events one at a time and in order.
import type { Target } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { retryWait } from '../../../shared/lib/retry-ladder.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow, EntryStore } from '../ledger/entries.ts';
import type { CoreContext } from '../module.ts';
import type { ActivityLog } from './activity.ts';
import type { RelayDeps } from './deps.ts';
import type { PendingForward, StoredTarget } from './forward-queue.ts';
import { SELF_TEST_EVENT } from './self-delivery.ts';
import type { Receipt, RelayServer } from './server.ts';
import { signedHeaders, TRAIL_HEADER } from './sign.ts';
import type { RelayStore } from './store.ts';
import { passes } from './target.ts';

export interface TargetQueue {
  /** Enqueues the new events of the ledger, and sends what is due. */
  wake(): void;
  /** Sends nothing more; ignores the answer of a running request. */
  stop(): void;
  view(): Target;
}

export interface ForwarderDeps {
  readonly context: CoreContext;
  readonly store: Pick<RelayStore, 'name' | 'queue' | 'trail'>;
  readonly server: Pick<RelayServer, 'post'>;
  readonly ledger: Pick<RelayDeps['ledger'], 'count'> & { readonly entries: Pick<EntryStore, 'after'> };
  readonly activity: Pick<ActivityLog, 'sent'>;
}

/** Entries read from the ledger at once. */
const CHUNK = 200;
/** Longest pause for a target that does not answer, ms: a program that was restarted answers soon. */
const LONGEST_REST = 60_000;
/** Wait after an outcome that could not be written, ms. */
const WRITE_AGAIN = 5_000;

export function createTargetQueue(target: StoredTarget, deps: ForwarderDeps): TargetQueue {
  const { store, server, activity } = deps;
  const { queue } = store;
  const { entries: log } = deps.ledger;
  const { guard, ports } = deps.context;
  const { clock } = guard;
  let { position } = target;
  let isStopped = false;
  let isSending = false;
  /** Attempts in a row without an answer. */
  let unanswered = 0;
  /** Nothing is sent before this instant, ms; 0: no pause. New events wait too. */
  let restUntil = 0;
  let cancel: Cancel = () => undefined;
  /** Writes the outcome of the last request; null: it is written. Until then the event looks unsent. */
  let unrecorded: (() => void) | null = null;

  const enqueue = (): void => {
    for (let entries = log.after(position, CHUNK); entries.length > 0; entries = log.after(position, CHUNK)) {
      const matches = entries.filter((entry) => isMatch(target, entry));
      const end = entries.at(-1)?.ledger_id ?? position;
      const events = matches.map(({ event_id, body }) => ({ eventId: event_id, body }));
      queue.enqueue(target.id, end, events, clock.now());
      // After the write: events that could not be written are read again.
      position = end;
    }
  };
  const record = (forward: PendingForward, { status, error }: Receipt): void => {
    const attempt = { at: clock.now(), status, error };
    if (error !== null && status === null) {
      unanswered += 1;
      restUntil = attempt.at + Math.min(retryWait(unanswered, ports.random) ?? LONGEST_REST, LONGEST_REST);
      queue.rest(target.id, forward.id, restUntil, attempt);
      return;
    }
    unanswered = 0;
    restUntil = 0;
    const wait = error === null ? null : retryWait(forward.attempts + 1, ports.random);
    if (wait !== null) queue.retry(forward.id, attempt.at + wait, attempt);
    else queue.settle(forward.id, error === null ? 'delivered' : 'failed', attempt);
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
    unrecorded = () => record(forward, receipt);
    activity.sent({ url: target.url, eventId, ...receipt });
  };
  /** Whether the outcome of the last request is written; until then nothing is sent. */
  const isRecorded = (): boolean => {
    try {
      unrecorded?.();
      unrecorded = null;
      return true;
    } catch (error) {
      ports.logger.warn(
        { problem: messageOf(error) },
        'the outcome of a forward could not be written; it is tried again',
      );
      return false;
    }
  };
  /** Sends the first due event; without one, sleeps until the next is due. */
  const run = (): void => {
    if (isStopped || isSending) return;
    cancel();
    if (!isRecorded()) {
      cancel = clock.after(WRITE_AGAIN, run);
      return;
    }
    const now = clock.now();
    const left = restUntil - now;
    // A clock that was set back must not make a short pause a long one.
    const rest = left > LONGEST_REST ? 0 : left;
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
      if (isStopped) return;
      enqueue();
      run();
    },
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
        next_at: nextAt === null ? null : timestamp(Math.max(nextAt, restUntil)),
      };
    },
  };
}

/** Excludes events from before the target was added: back-fill brings old events too. */
function isMatch({ filter, since }: StoredTarget, entry: EntryRow): boolean {
  if (entry.occurred_s < since || entry.event === SELF_TEST_EVENT) return false;
  const { event, symbol, transition, attributes } = entry;
  if ((transition === null && attributes === null) || entry.assumptions?.includes('unreadable') === true) return false;
  return passes(filter, { event, symbol, state: transition?.to_state ?? null });
}
