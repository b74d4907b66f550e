// Service, webhooks: carries the event log to every subscription, at least once. Each subscription has a position in the log; what lies behind
// it becomes rows of the delivery log in the same transaction that moves the position, so a process killed anywhere goes on where it was.

import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { FAILING_LIMIT_MS } from '../../shared/lib/retry-ladder.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { Logger } from '../logger.ts';
import type { WorldClock } from '../market/world-clock.ts';
import type { Attempt, StoredDelivery } from '../store/deliveries.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import { type EventFilter, eventFilter } from '../stream/filter.ts';
import type { Notices } from './notices.ts';
import { createOutcomes } from './outcomes.ts';
import type { Post } from './post.ts';
import { signatureHeaders } from './signature.ts';

/** Requests in flight to one subscription. More would overtake each other for nothing. */
const MOST_FLYING = 4;
const TAKE_ROWS = 50;
/** Events scanned for one subscription before the others have their turn. */
const TAKE_MOST = 500;
/** What is settled stays in the delivery log, and what is undelivered can be recovered, for so long (clock of the retries; CONTRACT 34). */
export const DELIVERY_RETENTION_MS = 7 * DAY_MS;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_ROWS = 1_000;
/** When the store cannot be written: wait so long before the next try. */
const STORE_TIMEOUT_MS = 1_000;

export interface DelivererDeps {
  readonly store: Store;
  /** The wall clock. */
  readonly clock: Clock;
  readonly world: WorldClock;
  /** The clock of the retries. */
  readonly pace: Clock;
  readonly logger: Logger;
  readonly post: Post;
  readonly notices: Notices;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly userAgent: string;
}

export interface Deliverer {
  start(): void;
  /** Gives up what is in flight; it is done again at the next start. */
  stop(): void;
  /** Something may be to be sent: to this subscription, or to any. */
  wake(subscriptionId?: string): void;
  /** The subscription is gone: nothing more goes there. */
  forget(subscriptionId: string): void;
  /** One attempt outside the queue, recorded as a test. Resolves to its id; null when the deliverer stopped meanwhile. */
  test(subscription: StoredSubscription, event: LoggedEvent): Promise<number | null>;
}

interface Lane {
  readonly id: string;
  readonly filter: EventFilter;
  /** Rows in flight. */
  readonly flying: Map<number, AbortController>;
}

interface CompletedAttempt {
  readonly lane: Lane;
  readonly delivery: StoredDelivery;
  readonly attempt: Attempt;
  readonly completedAt: number;
}

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { store, clock, pace, logger, notices } = deps;
  const { subscriptions, deliveries } = store;
  const outcomes = createOutcomes(deps);
  const lanes = new Map<string, Lane>();
  const dirty = new Set<string>();
  let allDirty = false;
  const tests = new Set<AbortController>();
  let completedAttempts: CompletedAttempt[] = [];
  let running = false;
  let turnDue: Cancel | null = null;
  let alarm: Cancel = () => undefined;
  let prunedAt = Number.NEGATIVE_INFINITY;

  const laneOf = ({ id, events, symbols }: StoredSubscription): Lane => {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    const lane = {
      id,
      filter: eventFilter({ events: [...events], symbols: symbols === null ? undefined : [...symbols] }),
      flying: new Map(),
    };
    lanes.set(id, lane);
    return lane;
  };

  const schedule = (wait: number): void => {
    if (!running) return;
    turnDue ??= clock.after(wait, () => {
      turnDue = null;
      turn();
    });
  };

  const wake = (subscriptionId?: string): void => {
    if (subscriptionId === undefined) allDirty = true;
    else dirty.add(subscriptionId);
    schedule(0);
  };

  /** Everything that has come in since the last turn is written down in one transaction; then what is due goes out. */
  const turn = (): void => {
    const flushed = completedAttempts;
    try {
      if (allDirty) for (const { id } of subscriptions.active()) dirty.add(id);
      const due = [...dirty];
      store.transaction(() => {
        for (const { lane, delivery, attempt, completedAt } of flushed)
          outcomes.record(lane.id, delivery, attempt, completedAt);
        for (const id of due) take(id);
        outcomes.pauseWhatHasFailedLong();
        prune();
      });
      completedAttempts = completedAttempts.slice(flushed.length);
      for (const { lane, delivery } of flushed) lane.flying.delete(delivery.id);
      allDirty = false;
      dirty.clear();
      for (const id of due) launch(id);
      notices.give();
      setAlarm();
    } catch (error) {
      logger.error(
        { waiting: completedAttempts.length, error: messageOf(error) },
        'deliveries cannot be written down; it is tried again',
      );
      allDirty = true;
      schedule(STORE_TIMEOUT_MS);
    }
  };

  /** Moves the position in the log on, no further than there is capacity to send. */
  const take = (id: string): void => {
    const subscription = subscriptions.find(id);
    if (subscription?.status !== 'active') return;
    const lane = laneOf(subscription);
    const now = pace.now();
    const capacity = MOST_FLYING - lane.flying.size;
    let waiting = deliveries.due(id, now, MOST_FLYING * 2).filter((row) => !lane.flying.has(row.id)).length;
    let { position } = subscription;
    for (let scanned = 0; waiting < capacity && scanned < TAKE_MOST; scanned += TAKE_ROWS) {
      const events = store.log.after(position, TAKE_ROWS, 0);
      for (const { envelope } of events) {
        position = envelope.seq;
        if (Date.parse(envelope.timestamp) < subscription.sentFrom || !lane.filter(envelope)) continue;
        if (deliveries.add(id, envelope, 'event', now) > 0) waiting += 1;
      }
      if (events.length < TAKE_ROWS) break;
    }
    if (position !== subscription.position) subscriptions.setPosition(id, position);
  };

  const prune = (): void => {
    if (clock.now() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = clock.now();
    deliveries.prune(pace.now() - DELIVERY_RETENTION_MS, PRUNE_ROWS);
  };

  const launch = (id: string): void => {
    const subscription = subscriptions.find(id);
    if (subscription?.status !== 'active') return;
    const lane = laneOf(subscription);
    const capacity = MOST_FLYING - lane.flying.size;
    const rows = deliveries.due(id, pace.now(), MOST_FLYING * 2).filter((row) => !lane.flying.has(row.id));
    for (const row of rows.slice(0, capacity)) {
      if (row.body !== null) fly(lane, subscription, row, row.body);
      else {
        // The log keeps the event no longer: that is nobody's failure, and nothing can be sent.
        deliveries.settle(row.id, 'failed', pace.now());
        wake(id);
      }
    }
    // There may be more of the log to scan, although nothing of it was asked for so far.
    if (rows.length < capacity && subscription.position < store.log.lastSeq()) wake(id);
  };

  const fly = (lane: Lane, subscription: StoredSubscription, delivery: StoredDelivery, body: string): void => {
    const abort = new AbortController();
    const at = pace.now();
    lane.flying.set(delivery.id, abort);
    void deps.post(requestOf(subscription, delivery.eventId, body, abort.signal)).then((receipt) => {
      if (!running || lanes.get(lane.id) !== lane) return;
      completedAttempts.push({ lane, delivery, attempt: { at, ...receipt }, completedAt: pace.now() });
      dirty.add(lane.id);
      schedule(0);
    });
  };

  const requestOf = (
    { url, secret, nextSecret }: StoredSubscription,
    eventId: string,
    body: string,
    signal: AbortSignal,
  ) => ({
    url,
    body,
    signal,
    headers: {
      ...signatureHeaders({ eventId, body, at: clock.now(), secret, nextSecret }),
      'user-agent': deps.userAgent,
    },
  });

  /** The next instant at which something is due by itself. */
  const setAlarm = (): void => {
    alarm();
    const now = pace.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { id, failingSince } of subscriptions.active()) {
      next = Math.min(next, deliveries.nextDue(id, now) ?? next);
      const limit = failingSince === null ? next : failingSince + FAILING_LIMIT_MS;
      if (limit > now) next = Math.min(next, limit);
    }
    if (Number.isFinite(next)) alarm = pace.after(next - now, () => wake());
  };

  return {
    start() {
      running = true;
      wake();
    },
    stop() {
      running = false;
      turnDue?.();
      turnDue = null;
      alarm();
      for (const { flying } of lanes.values()) for (const abort of flying.values()) abort.abort();
      for (const abort of tests) abort.abort();
      lanes.clear();
    },
    wake,
    forget(id) {
      const lane = lanes.get(id);
      lanes.delete(id);
      for (const abort of lane?.flying.values() ?? []) abort.abort();
    },
    async test(subscription, { envelope, json }) {
      const abort = new AbortController();
      tests.add(abort);
      const at = pace.now();
      const receipt = await deps.post(requestOf(subscription, envelope.event_id, json, abort.signal));
      tests.delete(abort);
      if (!running || subscriptions.find(subscription.id) === null) return null;
      return store.transaction(() => {
        const id = deliveries.add(subscription.id, envelope, 'test', at);
        deliveries.recordAttempt(id, { at, ...receipt });
        deliveries.settle(id, receipt.error === null ? 'delivered' : 'failed', pace.now());
        if (receipt.error === null) subscriptions.setFailingSince(subscription.id, null);
        return id;
      });
    },
  };
}
