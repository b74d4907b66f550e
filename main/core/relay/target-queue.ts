// Main, core: one target of the relay: sends its pending events one at a time and in order.

import type { Target } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { retryWait } from '../../../shared/lib/retry-ladder.ts';
import { BREADTH_ENDED, LOCAL_EVENTS } from '../../../shared/settings/core-events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow, EntryStore } from '../ledger/entries.ts';
import type { CoreContext } from '../module.ts';
import type { ActivityLog } from './activity.ts';
import type { RelayDeps } from './deps.ts';
import { type ForwardQueue, type PendingForward, RETENTION, type StoredTarget } from './forward-queue.ts';
import { SELF_TEST_EVENT } from './self-delivery.ts';
import type { Receipt, RelayServer } from './server.ts';
import { signedHeaders, TRAIL_HEADER } from './signature.ts';
import { type RelayStore, retryDelay } from './store.ts';
import { passes } from './target.ts';

interface TargetFeed {
  /**
   * @throws when the ledger cannot be read or the relay's file not written; a later call reads the same
   * events again
   */
  enqueue(): void;
  /** The ledger in memory was written back to its file; `isRenumbered`: under other ids. */
  ledgerWritten(isRenumbered: boolean): void;
}

interface TargetFeedDeps {
  readonly context: CoreContext;
  readonly store: Pick<RelayStore, 'queue'>;
  readonly ledger: Pick<RelayDeps['ledger'], 'count' | 'unwritten'> & { readonly entries: Pick<EntryStore, 'after'> };
}

/** Entries read from the ledger at once. */
const CHUNK = 200;

function createTargetFeed(target: StoredTarget, { context, store, ledger }: TargetFeedDeps): TargetFeed {
  const { guard, world } = context;
  let { position } = target;
  /** The stored position in the ledger's file while the ledger is in memory; null: it is not in memory. */
  let inFile: number | null = null;

  /** An event older than the retention of forwards may have been forwarded before. */
  const isOld = ({ occurred_s }: EntryRow): boolean =>
    world.isKnown() && world.now() - occurred_s * 1000 > RETENTION * Math.max(1, world.view().speed);
  const next = (): readonly EntryRow[] => ledger.entries.after(position, CHUNK);
  return {
    enqueue() {
      if (inFile === null && ledger.unwritten() !== null) {
        inFile = position;
        // The ledger in memory began without the rows of its file.
        if (position > ledger.count()) position = 0;
      }
      for (let entries = next(); entries.length > 0; entries = next()) {
        const matches = entries.filter((entry) => isMatch(target, entry) && !isOld(entry));
        const end = entries.at(-1)?.ledger_id ?? position;
        const events = matches.map(({ event_id, body }) => ({ eventId: event_id, body }));
        store.queue.enqueue(target.id, inFile ?? end, events, guard.clock.now());
        // After the write: events that could not be written are read again.
        position = end;
      }
    },
    ledgerWritten(isRenumbered) {
      // The queue knows the ids of events that were forwarded from memory.
      if (isRenumbered && inFile !== null) position = inFile > ledger.count() ? 0 : inFile;
      inFile = null;
    },
  };
}

/** Never forwarded: signed by this relay, they would pass for events of the service. */
const NOT_OF_THE_SERVICE: ReadonlySet<string> = new Set([SELF_TEST_EVENT, ...LOCAL_EVENTS, BREADTH_ENDED]);

/** Excludes events from before the target was added: back-fill brings old events too. */
function isMatch({ filter, since }: StoredTarget, entry: EntryRow): boolean {
  if (entry.occurred_s < since || NOT_OF_THE_SERVICE.has(entry.event)) return false;
  const { event, symbol, transition, attributes } = entry;
  if ((transition === null && attributes === null) || entry.assumptions?.includes('unreadable') === true) return false;
  return passes(filter, { event, symbol, state: transition?.to_state ?? null });
}

/** Longest pause for a target that does not answer, ms: a program that was restarted answers soon. */
const LONGEST_PAUSE = 60_000;

interface ForwardOutcomes {
  /** Takes the outcome of the last request. Until it is written, the event counts as unsent. */
  add(forward: PendingForward, receipt: Receipt): void;
  /** @returns whether the last outcome is written; until then nothing may be sent */
  write(): boolean;
  /** The pause that is left at `now`, ms; 0 or less: none. New events wait too. */
  pause(now: number): number;
  /** Instant at which the pause ends, ms; 0 without a pause. */
  pausedUntil(): number;
}

function createForwardOutcomes(
  target: string,
  queue: Pick<ForwardQueue, 'rest' | 'retry' | 'settle'>,
  { guard, ports }: Pick<CoreContext, 'guard' | 'ports'>,
): ForwardOutcomes {
  /** Attempts in a row without an answer. */
  let unanswered = 0;
  let pausedUntil = 0;
  let pending: { readonly forward: PendingForward; readonly receipt: Receipt } | null = null;

  const record = (forward: PendingForward, { status, error }: Receipt): void => {
    const attempt = { at: guard.clock.now(), status, error };
    if (error !== null && status === null) {
      unanswered += 1;
      pausedUntil = attempt.at + Math.min(retryWait(unanswered, ports.random) ?? LONGEST_PAUSE, LONGEST_PAUSE);
      queue.rest(target, forward.id, pausedUntil, attempt);
      return;
    }
    unanswered = 0;
    pausedUntil = 0;
    const wait = error === null ? null : retryWait(forward.attempts + 1, ports.random);
    if (wait !== null) queue.retry(forward.id, attempt.at + wait, attempt);
    else queue.settle(forward.id, error === null ? 'delivered' : 'failed', attempt);
  };

  return {
    add(forward, receipt) {
      pending = { forward, receipt };
    },
    write() {
      try {
        if (pending !== null) record(pending.forward, pending.receipt);
        pending = null;
        return true;
      } catch (error) {
        ports.logger.warn(
          { problem: messageOf(error) },
          'the outcome of a forward could not be written; it is tried again',
        );
        return false;
      }
    },
    pause(now) {
      const left = pausedUntil - now;
      // A clock that was set back must not make a short pause a long one.
      return left > LONGEST_PAUSE ? 0 : left;
    },
    pausedUntil: () => pausedUntil,
  };
}

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
