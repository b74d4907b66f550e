// Main, core: forwards events of the ledger to local programs, signed with each target's secret.
// The bytes are those that arrived. Pending events are stored before they are sent, and kept until the target
// accepts them: through restarts, sleep, and while the target does not run.
import { randomBytes } from 'node:crypto';
import type { Target } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { retryWait } from '../../../shared/lib/retry-ladder.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { readEvent } from '../compat/read-event.ts';
import type { Guard } from '../guard.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { SELF_TEST_EVENT } from './self-delivery.ts';
import type { RelayServer } from './server.ts';
import { SECRET_BYTES, signedHeaders, TRAIL_HEADER } from './sign.ts';
import type { PendingForward, RelayStore, StoredTarget } from './store.ts';
import { passes } from './target.ts';

export interface Forwarder {
  start(): void;
  stop(): void;
  /** Enqueues the new events of the ledger. */
  wake(): void;
  /** `secret` null: makes one. */
  add(target: Pick<StoredTarget, 'url' | 'filter' | 'allowPublic'> & { readonly secret: string | null }): StoredTarget;
  remove(id: string): void;
  targets(): Target[];
}

export interface ForwarderOptions {
  readonly store: RelayStore;
  readonly server: Pick<RelayServer, 'post'>;
  readonly guard: Guard;
  readonly random: () => number;
  readonly ledger: { after(ledgerId: number, limit: number): EntryRow[]; highest(): number };
  /** World time, ms. */
  readonly world: () => number;
  /** Name of this relay in trails. */
  readonly name: string;
  readonly onSent: (sent: {
    readonly url: string;
    readonly eventId: string;
    readonly status: number | null;
    readonly error: string | null;
  }) => void;
  readonly onChanged: () => void;
}

/** Entries read from the ledger at once. */
const CHUNK = 200;
/**
 * Most by which our estimate of the service's clock is ahead, s: an event right after a target was added must
 * not look older than the target.
 */
const CLOCK_TOLERANCE = 60;
/** Longest pause for a target that does not answer, ms: a program that was restarted answers soon. */
const LONGEST_REST = 60_000;

interface Lane {
  busy: boolean;
  /** Attempts in a row without an answer. */
  unanswered: number;
  /** Nothing is sent before this instant, ms; 0: no pause. New events wait too. */
  restUntil: number;
  cancel: Cancel;
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { store, server, guard, random, ledger, world, name } = options;
  const { clock } = guard;
  const lanes = new Map<string, Lane>();
  let isStopped = true;
  let targets: StoredTarget[] = [];

  const laneOf = (id: string): Lane => {
    const lane = lanes.get(id) ?? { busy: false, unanswered: 0, restUntil: 0, cancel: () => undefined };
    lanes.set(id, lane);
    return lane;
  };
  const isThere = (id: string): boolean => targets.some((target) => target.id === id);

  /** Makes rows of the ledger's entries after a target's position. */
  const enqueue = (target: StoredTarget): void => {
    let { position } = target;
    for (;;) {
      const entries = ledger.after(position, CHUNK);
      const last = entries.at(-1);
      if (last === undefined) break;
      const chosen = entries.flatMap((entry) =>
        isMatch(target, entry) ? [{ eventId: entry.event_id, body: entry.body }] : [],
      );
      position = last.ledger_id;
      store.enqueue(target.id, position, chosen, clock.now());
    }
    targets = targets.map((one) => (one.id === target.id ? { ...one, position } : one));
  };

  const send = async (target: StoredTarget, forward: PendingForward): Promise<void> => {
    const trail = [store.trail(forward.eventId), name].filter((one) => one !== null).join(', ');
    const receipt = await server.post({
      url: target.url,
      headers: { ...signedHeaders(target.secret, forward.eventId, forward.body, clock.now()), [TRAIL_HEADER]: trail },
      body: forward.body,
      allowPublic: target.allowPublic,
    });
    if (isStopped || !isThere(target.id)) return;
    const at = clock.now();
    const { status, error } = receipt;
    const lane = laneOf(target.id);
    if (error !== null && status === null) {
      lane.unanswered += 1;
      lane.restUntil = at + Math.min(retryWait(lane.unanswered, random) ?? LONGEST_REST, LONGEST_REST);
      store.rest(target.id, forward.id, lane.restUntil, at, error);
    } else {
      lane.unanswered = 0;
      lane.restUntil = 0;
      const wait = error === null ? null : retryWait(forward.attempts + 1, random);
      if (error === null || status === null) store.settle(forward.id, 'delivered', at, status, null);
      else if (wait === null) store.settle(forward.id, 'failed', at, status, error);
      else store.retry(forward.id, at + wait, at, status, error);
    }
    options.onSent({ url: target.url, eventId: forward.eventId, status, error });
    options.onChanged();
  };

  /** Sends due events, one at a time and in order; then sleeps until the next is due. */
  const run = (id: string): void => {
    const lane = laneOf(id);
    const target = targets.find((one) => one.id === id);
    if (isStopped || lane.busy || target === undefined) return;
    lane.cancel();
    const now = clock.now();
    const left = lane.restUntil - now;
    // A clock that was set back must not make a short pause a long one.
    const rest = left > LONGEST_REST ? 0 : left;
    const forward = rest > 0 ? null : store.due(id, now);
    if (forward === null) {
      const { nextAt } = store.tally(id);
      if (nextAt !== null) lane.cancel = clock.after(Math.max(rest, nextAt - now, 0), () => run(id));
      return;
    }
    lane.busy = true;
    guard.go(
      send(target, forward).finally(() => {
        lane.busy = false;
        guard.run(() => run(id));
      }),
    );
  };

  const wake = (): void => {
    if (isStopped) return;
    for (const target of targets) {
      enqueue(target);
      run(target.id);
    }
  };

  return {
    start() {
      isStopped = false;
      store.rewind(ledger.highest());
      targets = store.targets();
      wake();
    },
    stop() {
      isStopped = true;
      for (const lane of lanes.values()) lane.cancel();
    },
    wake,
    add({ url, filter, allowPublic, secret }) {
      const target: StoredTarget = {
        id: `tgt_${randomBytes(9).toString('base64url')}`,
        url,
        filter,
        allowPublic,
        secret: secret ?? randomBytes(SECRET_BYTES).toString('base64'),
        position: ledger.highest(),
        since: Math.floor(world() / 1000) - CLOCK_TOLERANCE,
      };
      store.addTarget(target);
      targets = store.targets();
      options.onChanged();
      return target;
    },
    remove(id) {
      store.removeTarget(id);
      targets = store.targets();
      lanes.get(id)?.cancel();
      lanes.delete(id);
      options.onChanged();
    },
    targets: () =>
      targets.map((target) => {
        const { queue, delivered, givenUp, nextAt, last } = store.tally(target.id);
        return {
          id: target.id,
          url: target.url,
          filter: target.filter,
          allow_public: target.allowPublic,
          queue,
          delivered,
          given_up: givenUp,
          last:
            last === null
              ? null
              : { at: timestamp(last.at), event_id: last.eventId, status: last.status, error: last.error },
          next_at: nextAt === null ? null : timestamp(Math.max(nextAt, laneOf(target.id).restUntil)),
        };
      }),
  };
}

/** Excludes events from before the target was added: back-fill brings old events too. */
function isMatch({ filter, since }: StoredTarget, entry: EntryRow): boolean {
  if (entry.occurred_s < since || entry.event === SELF_TEST_EVENT) return false;
  const event = readEvent(JSON.parse(entry.body), {
    name: entry.event,
    id: entry.event_id,
    receivedAt: entry.received_ms,
  });
  if (!event.ok) return false;
  const { symbol, transition } = event.value;
  return passes(filter, { event: entry.event, symbol, state: transition?.to_state ?? null });
}
