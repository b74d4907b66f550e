// Service, webhooks: the entry point: subscriptions and deliveries for the routes.
import type { Clock } from '../../shared/lib/clock.ts';
import type {
  Delivery,
  ReplayBody,
  ReplayReply,
  SubscribeReply,
  Subscription,
} from '../../shared/wire/subscriptions.ts';
import { type ClusterPort, SINGLE_NODE } from '../cluster-port.ts';
import type { ServiceHost } from '../host.ts';
import type { LogFeed } from '../log/log-feed.ts';
import type { WorldClock } from '../market/world-clock.ts';
import { Refusal } from '../refusal.ts';
import type { DeliveryStatus, StoredDelivery } from '../store/deliveries.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { StoredSubscription } from '../store/subscriptions.ts';
import { eventFilter } from '../stream/filter.ts';
import { DELIVERY_RETENTION_MS, Deliverer } from './deliverer.ts';
import { createNotices, type OwnerNotifier } from './notices.ts';
import { createOutcomes } from './outcomes.ts';
import { createPost, type Post } from './post.ts';
import { deliveryNumber, deliveryRecord, subscriptionRecord } from './records.ts';
import { replayRange } from './replay-range.ts';
import { createResolve } from './resolve.ts';
import { createSender } from './sender.ts';
import { SECRET_BYTES } from './signature.ts';
import { createSubscribe, type SubscribeHandler } from './subscribe.ts';
import type { Resolver } from './target.ts';

export interface Webhooks {
  /** Continues with the pending deliveries. */
  start(): void;
  /** Begins no more deliveries; resolves when those in flight are written down, or at `stop`. */
  drain(): Promise<void>;
  /** Nothing is sent or written after this; the next start repeats deliveries in flight. */
  stop(): void;
  /** Another node changed subscriptions or their deliveries. */
  wake(): void;
  /** How long the oldest delivery to an active subscription has been due, ms of the clock of the retries. */
  oldestDueMs(): number;
  readonly subscribe: SubscribeHandler;
  /** Newest first. */
  list(owner: string, below: { createdAt: number; id: string } | null, limit: number): StoredSubscription[];
  /** @throws Refusal not_found, like all methods below */
  find(owner: string, id: string): Subscription;
  remove(owner: string, id: string): void;
  /**
   * Activates it; undelivered events that occurred at or after `since` (world ms; at most and by default 7
   * days back) are sent now. For an active subscription, retries its pending deliveries since then at once.
   */
  resume(owner: string, id: string, since: number | null): Subscription;
  /** Adds a second secret, shown only here. A repeat before the promotion replaces it. */
  rotate(owner: string, id: string): SubscribeReply;
  /** The second secret replaces the first. @throws Refusal invalid_request without a second one */
  promote(owner: string, id: string): Subscription;
  /** Sends the newest matching event once more, outside the queue, and returns the answer. */
  test(owner: string, id: string): Promise<Delivery>;
  /** Newest first, below the delivery with this number. */
  deliveries(
    owner: string,
    id: string,
    status: DeliveryStatus | null,
    below: number | null,
    limit: number,
  ): StoredDelivery[];
  deliveryRecord(row: StoredDelivery): Delivery;
  /** Sends the event of a delivery once more: the same id, the same bytes. */
  replay(owner: string, id: string, delivery: string): Delivery;
  /** Sends the events of a range once more. */
  replayRange(owner: string, id: string, range: ReplayBody): ReplayReply;
}

/** Options of the host; each has a default. */
export interface WebhookOptions {
  /** Allows http to this computer. Default: no. */
  readonly allowLoopback?: boolean;
  /** Default: paused subscriptions are reported in the log only. */
  readonly notifyOwner?: OwnerNotifier;
  /** Default: the name servers of this computer. */
  readonly resolve?: Resolver;
  /** Default: HTTP. */
  readonly post?: Post;
}

export interface WebhooksDeps {
  readonly store: Store;
  readonly feed: LogFeed;
  readonly world: WorldClock;
  readonly host: ServiceHost;
  readonly covers: (symbol: string) => boolean;
  readonly userAgent: string;
  readonly options: WebhookOptions;
  /** Default: one machine. */
  readonly cluster?: ClusterPort;
}

const TEST_LOOKBACK_ROWS = 500;

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, feed, world, host, covers, options } = deps;
  const { clock, randomBytes } = host;
  const { subscriptions, deliveries } = store;
  const rules = { allowLoopback: options.allowLoopback ?? false, resolve: options.resolve ?? createResolve(clock) };
  // A frozen world never reaches a retry, so the wall clock replaces it.
  const pace = world.speed > 0 ? world : clock;
  const { deliverer, notices } = createDelivery(deps, options.post ?? createPost({ ...rules, clock }), pace);
  let seen = feed.end().seq;
  const unfollow = feed.follow({
    advanced({ seq }) {
      if (seq > seen) deliverer.wake();
      seen = seq;
    },
  });
  const { row, delivery, record, recordOf } = createLookup(store);

  return {
    start: () => deliverer.start(),
    drain: () => deliverer.drain(),
    stop() {
      unfollow();
      deliverer.stop();
      notices.stop();
    },
    wake: () => deliverer.wake(),
    oldestDueMs() {
      const now = pace.now();
      const waits = subscriptions.active().map(({ id }) => now - (deliveries.due(id, now, 1)[0]?.dueAt ?? now));
      return waits.reduce((longest, wait) => Math.max(longest, wait), 0);
    },
    subscribe: createSubscribe({ store, clock, world, randomBytes, rules, covers }),
    list: subscriptions.list,
    find: (owner, id) => subscriptionRecord(row(owner, id)),
    remove(owner, id) {
      row(owner, id);
      store.transaction(() => subscriptions.remove(id));
      deliverer.forget(id);
    },
    resume(owner, id, since) {
      row(owner, id);
      if (since !== null && since > world.now())
        throw new Refusal('invalid_request', 'since: must not lie in the future');
      const from = Math.max(since ?? Number.NEGATIVE_INFINITY, world.now() - DELIVERY_RETENTION_MS);
      const created = pace.now() - (world.now() - from);
      store.transaction(() => {
        const { status, sentFrom } = row(owner, id);
        const paused = status === 'paused';
        subscriptions.resume(id, paused ? from : sentFrom);
        if (paused) deliveries.expire(id, created, pace.now());
        deliveries.recover(id, created, pace.now());
      });
      deliverer.wake(id);
      return subscriptionRecord(row(owner, id));
    },
    rotate(owner, id) {
      const next = randomBytes(SECRET_BYTES).toString('base64');
      store.transaction(() => subscriptions.setSecrets(id, row(owner, id).secret, next));
      return { ...subscriptionRecord(row(owner, id)), signing_secret: next };
    },
    promote(owner, id) {
      store.transaction(() => {
        const { nextSecret } = row(owner, id);
        if (nextSecret === null)
          throw new Refusal('invalid_request', 'No rotation is under way. Ask for rotate-secret first.');
        subscriptions.setSecrets(id, nextSecret, null);
      });
      return subscriptionRecord(row(owner, id));
    },
    async test(owner, id) {
      const subscription = row(owner, id);
      const event = newestFor(subscription, store);
      if (event === null)
        throw new Refusal('invalid_request', 'Nothing has happened yet that could be sent as a test.');
      const sent = await deliverer.test(subscription, event);
      if (sent === null) throw new Refusal('temporarily_unavailable', 'The test was given up.', { 'retry-after': '5' });
      return recordOf(sent);
    },
    deliveries: (owner, id, status, below, limit) => deliveries.list(row(owner, id).id, status, below, limit),
    deliveryRecord: record,
    replay(owner, id, name) {
      const { status } = row(owner, id);
      const { seq, eventId, event, body } = delivery(owner, id, name);
      if (status === 'paused') throw new Refusal('invalid_request', 'The subscription is paused. Resume it first.');
      if (body === null) throw new Refusal('invalid_request', 'The event log keeps this event no longer.');
      const envelope = { seq, event_id: eventId, event: event as LoggedEvent['envelope']['event'] };
      const again = store.transaction(() => deliveries.add(id, envelope, 'replay', pace.now()));
      deliverer.wake(id);
      return recordOf(again);
    },
    replayRange(owner, id, range) {
      const replayed = store.transaction(() => replayRange(store, row(owner, id), range, pace.now()));
      deliverer.wake(id);
      return replayed;
    },
  };
}

function createDelivery(deps: WebhooksDeps, post: Post, pace: Clock) {
  const { store, world, host, options, userAgent, cluster = SINGLE_NODE } = deps;
  const { clock, logger, randomBytes, publicUrl } = host;
  const notices = createNotices({
    store,
    isOurs: cluster.delivers,
    clock,
    logger,
    notifyOwner: options.notifyOwner ?? null,
    publicUrl,
    ownerEmail: (account) => store.keys.account(account)?.ownerEmail ?? null,
  });
  const random = (): number => randomBytes(4).readUInt32BE() / 2 ** 32;
  const outcomes = createOutcomes({ store, world, pace, logger, random, isOurs: cluster.delivers });
  const sender = createSender({ post, clock, pace, userAgent });
  return {
    notices,
    deliverer: new Deliverer({ store, host, pace, sender, outcomes, notices, cluster }),
  };
}

/** Looks up subscriptions and deliveries by owner and name. */
function createLookup({ subscriptions, deliveries }: Store) {
  const row = (owner: string, id: string): StoredSubscription => {
    const found = subscriptions.find(id);
    if (found === null || found.owner !== owner)
      throw new Refusal('not_found', 'There is no subscription with this id.');
    return found;
  };
  const record = (found: StoredDelivery): Delivery => {
    const url = subscriptions.find(found.subscriptionId)?.url ?? '';
    return deliveryRecord(found, url, deliveries);
  };
  return {
    row,
    record,
    delivery(owner: string, id: string, name: string): StoredDelivery {
      const number = deliveryNumber(name);
      const found = number === null ? null : deliveries.find(number);
      if (found === null || found.subscriptionId !== row(owner, id).id) {
        throw new Refusal('not_found', 'There is no delivery with this id. Deliveries are kept for 7 days.');
      }
      return found;
    },
    recordOf(id: number): Delivery {
      const found = deliveries.find(id);
      if (found === null) throw new Refusal('not_found', 'The subscription was deleted meanwhile.');
      return record(found);
    },
  };
}

/**
 * A real event, so that every receiver knows it and, having seen its id, ignores it: the newest matching one,
 * else the newest.
 */
function newestFor({ events, symbols }: StoredSubscription, { log }: Store): LoggedEvent | null {
  const newest = log.after(log.lastSeq() - TEST_LOOKBACK_ROWS, TEST_LOOKBACK_ROWS, 0);
  const filter = eventFilter({ events: [...events], symbols: symbols === null ? undefined : [...symbols] });
  return newest.findLast(({ envelope }) => filter(envelope)) ?? newest.at(-1) ?? null;
}
