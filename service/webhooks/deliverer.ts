// Service, webhooks: delivers the event log to every subscription, at least once.
// Each subscription has a position in the log. Events after it become rows of the delivery log in the
// transaction that moves the position, so a process killed at any point continues without a loss.

import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { FAILING_LIMIT_MS } from '../../shared/lib/retry-ladder.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { ServiceHost } from '../host.ts';
import type { Attempt, StoredDelivery } from '../store/deliveries.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import { type EventFilter, eventFilter } from '../stream/filter.ts';
import type { Notices } from './notices.ts';
import type { Outcomes } from './outcomes.ts';
import type { Sender } from './sender.ts';

/** Requests in flight per subscription. More would only reorder deliveries. */
const MAX_FLYING = 4;
const TAKE_ROWS = 50;
/** Events scanned for one subscription before the others have their turn. */
const TAKE_MOST = 500;
/** Retention of settled rows, and how far back undelivered rows can be recovered. */
export const DELIVERY_RETENTION_MS = 7 * DAY_MS;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_ROWS = 1_000;
/** Delay after a failed write to the store. */
const STORE_TIMEOUT_MS = 1_000;

export interface DelivererDeps {
  readonly store: Store;
  readonly host: Pick<ServiceHost, 'clock' | 'logger' | 'metrics'>;
  /** The clock of the retries. */
  readonly pace: Clock;
  readonly sender: Sender;
  readonly outcomes: Outcomes;
  readonly notices: Notices;
  readonly cluster: Pick<ClusterPort, 'leads' | 'delivers'>;
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

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #lanes = new Map<string, Lane>();
  /** Subscriptions that may have something to send. */
  readonly #dirty = new Set<string>();
  #allDirty = false;
  readonly #tests = new Set<AbortController>();
  #completed: CompletedAttempt[] = [];
  #running = false;
  /** Resolves the drain; null while there is none. */
  #drained: (() => void) | null = null;
  #turnDue: Cancel | null = null;
  #alarm: Cancel = () => undefined;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = true;
    this.wake();
  }

  /** Begins no more requests; resolves when those in flight are written down, or at `stop`. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drained = resolve;
      this.#endDrain();
    });
  }

  /** Cancels the requests in flight; the next start repeats them. */
  stop(): void {
    this.#running = false;
    this.#drained?.();
    this.#turnDue?.();
    this.#turnDue = null;
    this.#alarm();
    for (const { flying } of this.#lanes.values()) for (const abort of flying.values()) abort.abort();
    for (const abort of this.#tests) abort.abort();
    this.#lanes.clear();
  }

  /** Signals possible work: for this subscription, or for any. */
  wake(subscriptionId?: string): void {
    if (subscriptionId === undefined) this.#allDirty = true;
    else this.#dirty.add(subscriptionId);
    this.#schedule(0);
  }

  /** Stops deliveries to a deleted subscription. */
  forget(subscriptionId: string): void {
    const lane = this.#lanes.get(subscriptionId);
    this.#lanes.delete(subscriptionId);
    for (const abort of lane?.flying.values() ?? []) abort.abort();
  }

  /**
   * One attempt outside the queue, recorded as a test. Resolves to its id; null when the deliverer stopped
   * meanwhile.
   */
  async test(subscription: StoredSubscription, { envelope, json }: LoggedEvent): Promise<number | null> {
    const { store, pace, sender } = this.#deps;
    const { subscriptions, deliveries } = store;
    const abort = new AbortController();
    this.#tests.add(abort);
    const attempt = await sender(subscription, envelope.event_id, json, abort.signal);
    this.#tests.delete(abort);
    this.#endDrain();
    if (!this.#running || subscriptions.find(subscription.id) === null) return null;
    return store.transaction(() => {
      const id = deliveries.add(subscription.id, envelope, 'test', attempt.at);
      deliveries.recordAttempt(id, attempt);
      deliveries.settle(id, attempt.error === null ? 'delivered' : 'failed', pace.now());
      if (attempt.error === null) subscriptions.setFailingSince(subscription.id, null);
      return id;
    });
  }

  #laneOf({ id, events, symbols }: StoredSubscription): Lane {
    const known = this.#lanes.get(id);
    if (known !== undefined) return known;
    const lane = {
      id,
      filter: eventFilter({ events: [...events], symbols: symbols === null ? undefined : [...symbols] }),
      flying: new Map(),
    };
    this.#lanes.set(id, lane);
    return lane;
  }

  #schedule(wait: number): void {
    if (!this.#running) return;
    this.#turnDue ??= this.#deps.host.clock.after(wait, () => {
      this.#turnDue = null;
      this.#turn();
    });
  }

  /** Writes all new work in one transaction, then sends the due deliveries. */
  #turn(): void {
    const { store, host, notices, outcomes } = this.#deps;
    const flushed = this.#completed;
    try {
      if (this.#allDirty) for (const { id } of store.subscriptions.active()) this.#dirty.add(id);
      const due = [...this.#dirty];
      const recorded = store.transaction(() => {
        const written = flushed.map(({ lane, delivery, attempt, completedAt }) =>
          outcomes.record(lane.id, delivery, attempt, completedAt),
        );
        for (const id of due) this.#take(id);
        outcomes.pauseWhatHasFailedLong();
        this.#prune();
        return written;
      });
      for (const outcome of recorded) if (outcome !== null) host.metrics?.attempted(outcome);
      this.#completed = this.#completed.slice(flushed.length);
      for (const { lane, delivery } of flushed) lane.flying.delete(delivery.id);
      this.#allDirty = false;
      this.#dirty.clear();
      for (const id of due) this.#launch(id);
      this.#endDrain();
      notices.give();
      this.#setAlarm();
    } catch (error) {
      host.logger.error(
        { waiting: this.#completed.length, error: messageOf(error) },
        'deliveries cannot be written down; it is tried again',
      );
      this.#allDirty = true;
      this.#schedule(STORE_TIMEOUT_MS);
    }
  }

  /** Advances the position in the log, at most to the limit of requests. */
  #take(id: string): void {
    const { store, pace, cluster } = this.#deps;
    const { subscriptions, deliveries } = store;
    const subscription = subscriptions.find(id);
    if (subscription?.status !== 'active' || !cluster.delivers(id)) return;
    const lane = this.#laneOf(subscription);
    const now = pace.now();
    const room = MAX_FLYING - lane.flying.size;
    let waiting = deliveries.due(id, now, MAX_FLYING * 2).filter((row) => !lane.flying.has(row.id)).length;
    let { position, sentFrom } = subscription;
    for (let scanned = 0; waiting < room && scanned < TAKE_MOST; scanned += TAKE_ROWS) {
      const events = store.log.after(position, TAKE_ROWS, 0);
      for (const { envelope } of events) {
        position = envelope.seq;
        if (Date.parse(envelope.timestamp) < sentFrom || !lane.filter(envelope)) continue;
        if (deliveries.add(id, envelope, 'event', now) > 0) waiting += 1;
      }
      if (events.length === TAKE_ROWS) continue;
      // The end of the log: what a resume left out is behind, and an event that is announced late has an old date.
      sentFrom = 0;
      break;
    }
    if (position !== subscription.position || sentFrom !== subscription.sentFrom)
      subscriptions.setPosition(id, position, sentFrom);
  }

  #prune(): void {
    const { store, host, pace, cluster } = this.#deps;
    const now = host.clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS || !cluster.leads()) return;
    const deleted = store.deliveries.prune(pace.now() - DELIVERY_RETENTION_MS, PRUNE_ROWS);
    // After a full batch there may be more: the next turn deletes it, so that many deliveries do not pile up.
    if (deleted < PRUNE_ROWS) this.#prunedAt = now;
  }

  #launch(id: string): void {
    if (this.#drained !== null) return;
    const { store, pace, cluster } = this.#deps;
    const { subscriptions, deliveries } = store;
    const subscription = subscriptions.find(id);
    if (subscription?.status !== 'active' || !cluster.delivers(id)) return;
    const lane = this.#laneOf(subscription);
    const room = MAX_FLYING - lane.flying.size;
    const rows = deliveries.due(id, pace.now(), MAX_FLYING * 2).filter((row) => !lane.flying.has(row.id));
    for (const row of rows.slice(0, room)) {
      if (row.body !== null) this.#send(lane, subscription, row, row.body);
      else {
        // The log no longer has the event: nothing can be sent, and no one is at fault.
        store.transaction(() => deliveries.settle(row.id, 'failed', pace.now()));
        this.wake(id);
      }
    }
    // More of the log may match, although none of the scanned part did.
    if (rows.length < room && subscription.position < store.log.lastSeq()) this.wake(id);
  }

  #send(lane: Lane, subscription: StoredSubscription, delivery: StoredDelivery, body: string): void {
    const { pace, sender } = this.#deps;
    const abort = new AbortController();
    lane.flying.set(delivery.id, abort);
    void sender(subscription, delivery.eventId, body, abort.signal).then((attempt) => {
      if (!this.#running || this.#lanes.get(lane.id) !== lane) return;
      this.#completed.push({ lane, delivery, attempt, completedAt: pace.now() });
      this.#dirty.add(lane.id);
      this.#schedule(0);
    });
  }

  /** A row is in flight until it is written down. */
  #endDrain(): void {
    const isFlying = this.#tests.size > 0 || [...this.#lanes.values()].some(({ flying }) => flying.size > 0);
    if (!isFlying || !this.#running) this.#drained?.();
  }

  /** Sets a timer for the next due instant. */
  #setAlarm(): void {
    const { store, pace, cluster } = this.#deps;
    this.#alarm();
    const now = pace.now();
    let next = Number.POSITIVE_INFINITY;
    for (const { id, failingSince } of store.subscriptions.active()) {
      if (!cluster.delivers(id)) continue;
      next = Math.min(next, store.deliveries.nextDue(id, now) ?? next);
      const limit = failingSince === null ? next : failingSince + FAILING_LIMIT_MS;
      if (limit > now) next = Math.min(next, limit);
    }
    if (Number.isFinite(next)) this.#alarm = pace.after(next - now, () => this.wake());
  }
}
