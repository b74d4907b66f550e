// Faults: a node of the simulated cluster: real parts over a simulated journal and clock.
// The real parts are the store, the log, the streams and the webhooks.
import type { Database } from 'better-sqlite3';
import type { FastifyReply } from 'fastify';
import { createClusterClock } from '../../service/cluster/cluster-clock.ts';
import { createContact } from '../../service/cluster/contact.ts';
import type { Journal } from '../../service/cluster/journal.ts';
import { openReplicatedStore, type ReplicatedStore, worldTimeOf } from '../../service/cluster/replicated-store.ts';
import type { ClusterPort } from '../../service/cluster-port.ts';
import { createLogFeed } from '../../service/log/log-feed.ts';
import { createLogWriter } from '../../service/log/log-writer.ts';
import { createWorldClock, REAL_TIME } from '../../service/market/world-clock.ts';
import type { EventDraft } from '../../service/store/event-log.ts';
import type { Store } from '../../service/store/store.ts';
import { createStreams } from '../../service/stream/stream.ts';
import type { DeliveryRequest, Receipt } from '../../service/webhooks/post.ts';
import { createWebhooks } from '../../service/webhooks/webhooks.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { ClusterMutant } from './cluster-simulation-mutants.ts';

export interface NodeDeps {
  /** Unique among all processes of a life. */
  readonly name: string;
  readonly database: Database;
  readonly position: number;
  /** Id of the entry at the position. */
  readonly entry: string;
  readonly journal: Journal;
  readonly logId: string;
  readonly clock: Clock;
  readonly mutant: ClusterMutant | null;
  /** Index of the node, and how many there are: what a mutant divides deliveries by. */
  readonly share: readonly [index: number, count: number];
  readonly post: (request: DeliveryRequest) => Promise<Receipt>;
}

export interface SimulatedNode {
  readonly store: ReplicatedStore;
  /** The log that it follows. */
  readonly logId: string;
  term(): number | null;
  setTerm(term: number | null): void;
  /** @param logId of the journal now */
  isLost(logId: string): boolean;
  /** Reads what others wrote, and shows it. @throws what the journal threw */
  catchUp(): void;
  /** The head of the journal was read. `isLedByOther`: another node leads. */
  hear(isLedByOther: boolean): void;
  /** When it was last read, ms of the world. */
  answeredAt(): number;
  /** What it says of itself: the time of its world, how much it did not evaluate, and why it is not ready. */
  says(): {
    readonly worldTime: number;
    readonly unevaluatedMs: number;
    readonly notReady: boolean;
    /** At the last contact. */
    readonly wasLedByOther: boolean;
  };
  /** The leader's step: what happened since the last one, by the world's clock. @throws what the journal threw */
  evaluate(now: number): void;
  /** Writes an event that no other process would write. @returns its id. @throws what the journal threw */
  trigger(id: string): string;
  /** Adds one to a number that all nodes share. @throws what the journal threw */
  count(): void;
  counted(): number;
  takeLane(): void;
  wakeWebhooks(): void;
  openStream(reply: FastifyReply, lastEventId: string | undefined): void;
  /** Number of the last event that its streams were told of. */
  told(): number;
  /** The whole log. */
  events(): { readonly seq: number; readonly id: string }[];
  stop(): void;
}

/** World ms at which a life begins. */
export const WORLD_START = Date.parse('2026-03-02T14:30:00.000Z');
export const SECOND = 1_000;
export const LANE = 1;
export const SUBSCRIPTION = 'sub_1';

/** About every third second of the world something happens, the same whoever evaluates it. */
export function eventsOfWorld(from: number, to: number): string[] {
  const ids: string[] = [];
  for (let second = Math.floor(from / SECOND) + 1; second * SECOND <= to; second += 1)
    if ((Math.imul(second, 0x9e3779b1) >>> 16) % 3 === 0) ids.push(`evt_${second}`);
  return ids;
}

const draftOf = (event_id: string, at: number): EventDraft => ({
  event_id,
  event: 'model.version',
  timestamp: timestamp(at),
  data: { version: event_id, previous: null, effective_at: timestamp(at) },
});

const silent = () => undefined;
const LOGGER = { debug: silent, info: silent, warn: silent, error: silent };

export function startNode(deps: NodeDeps): SimulatedNode {
  const { name, database, position, entry, journal, logId, clock, mutant, share, post } = deps;
  let term: number | null = null;
  let isHolder = false;
  /** Another node leads, or another history is in the journal. */
  let isLost = false;
  const replica = openReplicatedStore({
    database,
    position,
    entry,
    journal: mutant === 'no-chain' ? withoutChain(journal, () => replica.entry()) : journal,
    node: name,
    term: () => term,
    applied({ changes }) {
      const reached = worldTimeOf(changes);
      if (reached !== null) world.receive(reached);
      follow();
    },
    lost: () => {
      term = null;
      isLost = true;
    },
  });
  const store = mutate(replica, mutant, share);
  const feed = createLogFeed(store.log, LOGGER);
  const worldTime = (): number => Number(store.meta('world_time') ?? WORLD_START);
  const follow = (): void => {
    const fresh = store.log.after(feed.end().seq, 1_000, 0);
    feed.advance(fresh, worldTime());
  };
  const writer = createLogWriter(store, feed);
  let answeredAt = clock.now();
  let isLedByOther = false;
  const contact = createContact(clock.now);
  const world = createClusterClock(REAL_TIME, clock, mutant === 'deposed-goes-on' ? { uncertainMs: () => 0 } : contact);
  if (store.meta('world_time') !== null) world.receive(worldTime());
  const catchUp = (): void => {
    replica.catchUp();
  };
  const cluster: ClusterPort = {
    leads: () => term !== null,
    catchUp: mutant === 'no-catch-up' ? silent : catchUp,
    delivers: () =>
      mutant === 'deliveries-by-row' || (mutant === 'no-lane-check' && isHolder) || store.lanes.holder(LANE) === name,
    ask: () => Promise.reject(new Error('nobody is asked')),
    logId: () => logId,
    unevaluatedMs: mutant === 'old-is-fresh' ? () => 0 : world.unevaluatedMs,
    cutOffMs: mutant === 'cut-off-is-silent' ? () => 0 : contact.cutOffMs,
    whyNotReady: () => (term === null && mutant !== 'cut-off-is-ready' && contact.isBehindOther() ? 'cut off' : null),
  };
  const streams = createStreams({
    log: store.log,
    feed,
    host: { clock, logger: LOGGER },
    keyIsLive: () => true,
    random: () => 0,
    cluster,
  });
  const webhooks = createWebhooks({
    store,
    feed,
    world: createWorldClock({ start: null, speed: 1, clock }),
    host: { clock, logger: LOGGER, randomBytes: (count) => Buffer.alloc(count), publicUrl: () => 'http://127.0.0.1:1' },
    covers: () => true,
    userAgent: 'Barograph-Webhooks/0',
    options: { allowLoopback: true, post },
    cluster,
  });
  webhooks.start();
  return {
    store: replica,
    logId,
    term: () => term,
    setTerm(next) {
      term = next;
      if (next !== null) world.lead();
    },
    isLost: (now) => isLost || now !== logId,
    catchUp: replica.catchUp,
    hear(isLed) {
      isLedByOther = isLed;
      answeredAt = clock.now();
      contact.answered(isLed);
    },
    answeredAt: () => answeredAt,
    says: () => ({
      worldTime: world.now(),
      unevaluatedMs: cluster.unevaluatedMs(),
      notReady: cluster.whyNotReady() !== null,
      wasLedByOther: isLedByOther,
    }),
    evaluate(now) {
      const last = worldTime();
      if (now <= last) return;
      const drafts = eventsOfWorld(last, now).map((id) => draftOf(id, Number(id.slice(4)) * SECOND));
      writer.commit(drafts, now);
    },
    trigger(id) {
      writer.commit([draftOf(id, worldTime())], worldTime());
      return id;
    },
    count: () => store.transaction(() => store.setMeta('follower:count', String(countOf(store) + 1))),
    counted: () => countOf(store),
    takeLane() {
      if (store.lanes.holder(LANE) === name) return;
      store.transaction(() => store.lanes.take(LANE, name));
      isHolder = true;
      webhooks.wake();
    },
    wakeWebhooks: webhooks.wake,
    openStream: (reply, lastEventId) =>
      streams.open(reply, { keyId: name, query: { events: ['model.version'] }, unknown: [], lastEventId, headers: {} }),
    told: () => feed.end().seq,
    events: () => store.log.after(0, 100_000, 0).map(({ envelope }) => ({ seq: envelope.seq, id: envelope.event_id })),
    stop: webhooks.stop,
  };
}

/** Every entry seems to follow the one that the replica has. */
const withoutChain = (journal: Journal, last: () => string): Journal => ({
  ...journal,
  after(position, limit) {
    let previous = last();
    return journal.after(position, limit).map((entry) => {
      const changed = { ...entry, previous };
      previous = entry.id;
      return changed;
    });
  },
});

const countOf = (store: Store): number => Number(store.meta('follower:count') ?? 0);

function mutate(store: ReplicatedStore, mutant: ClusterMutant | null, [index, count]: NodeDeps['share']): Store {
  if (mutant === 'told-before-durable')
    return {
      ...store,
      transaction(work) {
        let value: { readonly it: ReturnType<typeof work> } | undefined;
        try {
          return store.transaction(() => {
            value = { it: work() };
            return value.it;
          });
        } catch (problem) {
          if (value === undefined) throw problem;
          return value.it;
        }
      },
    };
  if (mutant !== 'deliveries-by-row') return store;
  const { deliveries } = store;
  return {
    ...store,
    deliveries: {
      ...deliveries,
      due: (id, now, limit) => deliveries.due(id, now, limit * count).filter((row) => row.id % count === index),
    },
  };
}
