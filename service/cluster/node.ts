// Service, cluster: one node: its replica, its role, and what its service asks of other nodes.
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { createGzip, gunzipSync } from 'node:zlib';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { ClusterPort } from '../cluster-port.ts';
import type { Logger } from '../logger.ts';
import type { SharedFeed } from '../market/feeds/open-feed.ts';
import { addTapeTables } from '../market/tape/tape-database.ts';
import type { WorldTime } from '../market/world-clock.ts';
import type { NodeReadings } from '../metrics/readings.ts';
import type { LeaderRequest } from '../routes/leader-requests.ts';
import type { Service } from '../service.ts';
import { withCopy } from '../store/database-copy.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { openReplica } from '../store/store.ts';
import { type ClusterClock, createClusterClock } from './cluster-clock.ts';
import { type Contact, createContact } from './contact.ts';
import { createForwarding, type Forwarding } from './forwarding.ts';
import { JournalUnavailable } from './journal.ts';
import { type JournalThread, startJournalThread } from './journal-thread.ts';
import { laneOf } from './lane.ts';
import { type JournalMessage, threadTime } from './messages.ts';
import { type AppliedEntry, openReplicatedStore, type ReplicatedStore, worldTimeOf } from './replicated-store.ts';
import { createSharedFeed, type FollowedPrices, followPrices } from './shared-feed.ts';

/** engine: may lead. api: answers clients. hooks: sends webhooks. */
export type Role = 'engine' | 'api' | 'hooks';

export interface ClusterConfig {
  /** postgres://; may contain a password, so no log has it. */
  readonly url: string;
  readonly roles: readonly Role[];
}

export interface NodeDeps {
  readonly config: ClusterConfig;
  readonly binding: string;
  readonly time: WorldTime;
  /** The wall clock of this computer. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Buffer;
  /** Called once, when the replica cannot continue. The service must be rebuilt on a new node object. */
  readonly lost: (why: string) => void;
  /** Default: a thread with connections to PostgreSQL. */
  readonly startJournal?: typeof startJournalThread;
}

/** The parts of a service that follow other nodes. */
export type FollowingService = Pick<Service, 'signals' | 'feed' | 'webhooks' | 'limits' | 'perform'>;

export interface ClusterNode {
  readonly store: ReplicatedStore;
  /** The prices of a feed, which the nodes share. */
  readonly feed: SharedFeed;
  readonly world: ClusterClock;
  readonly cluster: ClusterPort;
  /**
   * Attaches the service over this store; from now on it follows the writes of other nodes.
   * @param prices absent: every node reads them for itself
   */
  attach(service: FollowingService, prices?: FollowedPrices): void;
  /** The attached service has started: this node may lead and send webhooks. */
  contend(): void;
  readings(): NodeReadings;
  /** Ends the connections; other nodes take over leadership and lanes. */
  leave(): Promise<void>;
}

/** A node that is more than this many entries behind is not ready for clients. */
const MAX_BEHIND = 200;
const SNAPSHOT_ENTRIES = 5_000;
/** Interval at which nodes exchange call counts, ms. */
const CALLS_INTERVAL_MS = 250;

/** Resolves when the replica is complete; in a new cluster, once a leader exists. */
export async function joinCluster(deps: NodeDeps): Promise<ClusterNode> {
  const node = new Node(deps);
  try {
    await node.join();
    return node;
  } catch (error) {
    await node.leave();
    throw error;
  }
}

class Node implements ClusterNode {
  readonly cluster: ClusterPort;
  readonly feed: SharedFeed;
  readonly #deps: NodeDeps;
  readonly #id: string;
  readonly #thread: JournalThread;
  readonly #forwarding: Forwarding;
  readonly #contact: Contact = createContact(threadTime);
  #store: ReplicatedStore | null = null;
  #world: ClusterClock | null = null;
  #service: FollowingService | null = null;
  #prices: FollowedPrices | null = null;
  /** The term of this node while it leads. */
  #term: number | null = null;
  #epoch = 0;
  #logId = '';
  /** Newest position of the journal that this node knows. */
  #latestPosition = 0;
  #snapshotAt = 0;
  #isConnected = false;
  #isContending = false;
  #lanes: ReadonlySet<number> = new Set();
  #isLost = false;
  #begun = Promise.withResolvers<void>();
  /** Resolves when the replica has every entry of the journal from the time of joining. */
  #joined = Promise.withResolvers<void>();
  #joinsAt = 0;
  #stopCalls: Cancel = () => undefined;

  constructor(deps: NodeDeps) {
    const { config, binding, randomBytes, startJournal = startJournalThread } = deps;
    this.#deps = deps;
    this.#id = randomBytes(9).toString('base64url');
    this.#thread = startJournal({ url: config.url, node: this.#id, binding }, (message) => this.#receive(message));
    // Prevents unhandled rejections while nobody awaits them.
    for (const { promise } of [this.#begun, this.#joined]) promise.catch(() => undefined);
    this.#forwarding = createForwarding(this.#id, () => this.store, deps.clock);
    this.cluster = {
      leads: () => this.#term !== null,
      catchUp: () => this.#catchUp(),
      delivers: (subscriptionId) => {
        const lane = laneOf(subscriptionId);
        return this.#lanes.has(lane) && this.store.lanes.holder(lane) === this.#id;
      },
      ask: (body) => this.#forwarding.ask(body),
      logId: () => `${this.#logId}.${this.#epoch}`,
      unevaluatedMs: () => this.#world?.unevaluatedMs() ?? 0,
      cutOffMs: () => this.#contact.cutOffMs(),
      whyNotReady: () => this.#whyNotReady(),
    };
    this.feed = createSharedFeed({
      store: () => this.store,
      leads: () => this.#term !== null,
      save: () => this.#service?.signals.save(),
      now: deps.clock.now,
    });
  }

  get store(): ReplicatedStore {
    if (this.#store === null) throw new Error('this node has no replica yet');
    return this.#store;
  }

  get world(): ClusterClock {
    if (this.#world === null) throw new Error('this node has no world yet');
    return this.#world;
  }

  async join(): Promise<void> {
    const { clock, time } = this.#deps;
    const { head, snapshot, clockOffset } = await this.#thread.open();
    this.#logId = head.logId;
    this.#epoch = head.epoch;
    this.#latestPosition = head.position;
    this.#isConnected = true;
    const shared = { ...clock, now: () => Math.round(clock.now() + clockOffset) };
    this.#world = createClusterClock(time, shared, this.#contact);
    if (head.hasWorld) this.#world.receive(head.worldTime);
    this.#snapshotAt = snapshot?.position ?? 0;
    const database = openReplica(snapshot === null ? null : gunzipSync(snapshot.body));
    addTapeTables(database);
    this.#store = openReplicatedStore({
      database,
      position: snapshot?.position ?? 0,
      entry: snapshot?.entry ?? '',
      journal: this.#thread.journal,
      node: this.#id,
      term: () => this.#term,
      applied: (entry) => this.#applied(entry),
      lost: (why) => this.#lose(why),
    });
    // Does not block like a write: applying an entry may exceed the write timeout.
    this.#joinsAt = head.position;
    this.#thread.send({ kind: 'follow', after: this.#store.position(), entry: this.#store.entry() });
    if (this.#store.position() < head.position) await this.#joined.promise;
    if (this.#hasWorld()) return;
    this.#campaign();
    await this.#begun.promise;
  }

  attach(service: FollowingService, prices: FollowedPrices | null = null): void {
    this.#service = service;
    this.#prices = prices;
    this.#stopCalls = every(this.#deps.clock, CALLS_INTERVAL_MS, () => {
      const { minute, calls } = service.limits.takeCalls();
      if (calls.length > 0) this.#thread.send({ kind: 'calls', minute, calls });
    });
    service.feed.follow({
      advanced: ({ worldTime }) => {
        if (this.#term !== null && Number.isFinite(worldTime))
          this.#thread.send({ kind: 'reached', position: this.store.position(), worldTime });
      },
    });
  }

  contend(): void {
    this.#campaign();
    if (this.#deps.config.roles.includes('hooks')) this.#thread.send({ kind: 'deliver' });
  }

  #campaign(): void {
    if (this.#isContending || !this.#deps.config.roles.includes('engine')) return;
    this.#isContending = true;
    this.#thread.send({ kind: 'campaign' });
  }

  readings(): NodeReadings {
    const position = this.store.position();
    return {
      epoch: this.#epoch,
      leads: this.#term !== null && this.#contact.uncertainMs() === 0,
      position,
      behind: Math.max(0, this.#latestPosition - position),
      isConnected: this.#isConnected && this.#contact.cutOffMs() === 0,
      lanes: this.#lanes.size,
    };
  }

  leave(): Promise<void> {
    this.#isLost = true;
    this.#stopCalls();
    return this.#thread.close();
  }

  #hasWorld(): boolean {
    return this.store.meta('world_time') !== null;
  }

  #whyNotReady(): string | null {
    if (this.#isLost) return 'This node rebuilds its copy of the log. Try another one.';
    if (!this.#deps.config.roles.includes('api')) return 'This node answers no clients. Try another one.';
    // Were the database away for all, the last leader would still answer reads behind a balancer.
    if (this.#term === null && this.#contact.isBehindOther())
      return 'This node is cut off, and another one leads. Try another one.';
    return this.#latestPosition - this.store.position() > MAX_BEHIND
      ? 'This node is behind the others. Try another one.'
      : null;
  }

  #lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    for (const waiting of [this.#begun, this.#joined]) waiting.reject(new JournalUnavailable(why));
    this.#deps.lost(why);
  }

  #catchUp(): void {
    try {
      this.store.catchUp();
    } catch (error) {
      if (error instanceof JournalUnavailable) throw error;
      this.#lose(messageOf(error));
      throw new JournalUnavailable(messageOf(error));
    }
  }

  #receive(message: JournalMessage): void {
    if (this.#isLost) return;
    try {
      this.#act(message);
    } catch (error) {
      // A failed write is retried with the next message; any other error is a fault of this replica.
      const passes = error instanceof JournalUnavailable && (message.kind !== 'leading' || this.#term !== null);
      if (passes) this.#deps.logger.warn({ error: messageOf(error) }, 'the cluster waits');
      else this.#lose(messageOf(error));
    }
  }

  #act(message: JournalMessage): void {
    switch (message.kind) {
      case 'entries':
        this.#contact.answered();
        for (const entry of message.entries) this.store.apply(entry);
        this.#latestPosition = Math.max(this.#latestPosition, this.store.position());
        if (this.store.position() >= this.#joinsAt) this.#joined.resolve();
        this.#snapshotWhenDue();
        break;
      case 'heartbeat':
        this.#heartbeat(message);
        break;
      case 'head':
        this.#contact.answered(message.leader !== null && message.leader !== this.#id);
        this.#isConnected = true;
        this.#latestPosition = Math.max(this.#latestPosition, message.head.position);
        this.#receiveTerm(message.head.epoch, message.leader);
        this.#takeLanes();
        // Retries an answer that failed while the database was unreachable.
        if (this.#term !== null && this.#service !== null) this.#answer(this.#service);
        break;
      case 'leading':
        this.#lead(message);
        break;
      case 'connected':
        this.#isConnected = message.isConnected;
        break;
      case 'lanes':
        this.#hold(message.lanes);
        break;
      case 'lost':
        this.#lose(message.why);
        break;
      case 'calls':
        this.#service?.limits.receiveCalls(message);
        break;
    }
  }

  /** A later term ends the leadership of this node; its unwritten changes are lost. */
  #receiveTerm(epoch: number, leader: string | null): void {
    this.#epoch = Math.max(this.#epoch, epoch);
    if (this.#term !== null && epoch > this.#term && leader !== this.#id) this.#lose('another node leads');
  }

  #heartbeat({ epoch, position, worldTime }: Extract<JournalMessage, { kind: 'heartbeat' }>): void {
    this.#contact.answered();
    this.#epoch = Math.max(this.#epoch, epoch);
    if (this.#term !== null || position > this.store.position()) return;
    this.world.receive(worldTime);
    this.#service?.signals.follow({ states: [], events: [] });
    this.#service?.feed.advance([], Math.max(worldTime, this.#service.feed.end().worldTime));
  }

  #lead({ epoch, before }: Extract<JournalMessage, { kind: 'leading' }>): void {
    this.#epoch = epoch;
    if (this.#term !== null) {
      if (this.#term === before) this.#term = epoch;
      else this.#lose('another node led meanwhile');
      return;
    }
    this.store.catchUp();
    this.#term = epoch;
    this.world.lead();
    this.#forwarding.dismiss();
    this.#begun.resolve();
    if (this.#service === null) return;
    this.#deps.logger.warn({ epoch }, 'this node leads');
    this.#service.signals.lead();
    this.#prices?.lead();
  }

  #hold(lanes: readonly number[]): void {
    this.#lanes = new Set(lanes);
    this.#takeLanes();
  }

  /** Records the lanes of this node; retried until it succeeds. Before that, their deliveries wait. */
  #takeLanes(): void {
    const { lanes } = this.store;
    const untaken = [...this.#lanes].filter((lane) => lanes.holder(lane) !== this.#id);
    if (untaken.length === 0) return;
    this.store.transaction(() => {
      for (const lane of untaken) lanes.take(lane, this.#id);
    });
    this.#service?.webhooks.wake();
  }

  #applied({ changes }: AppliedEntry): void {
    const worldTime = worldTimeOf(changes);
    if (worldTime !== null) {
      this.world.receive(worldTime);
      this.#begun.resolve();
    }
    const service = this.#service;
    if (service === null) return;
    const events = loggedIn(changes);
    const states = new Set(
      changes.flatMap(([table, row]) => (table === 'current_states' && row !== null ? [String(row.symbol)] : [])),
    );
    if (this.#term === null)
      service.signals.follow({
        states: this.store.currentStates.of(states),
        events: events.map(({ envelope }) => envelope),
      });
    if (events.length > 0 || worldTime !== null)
      service.feed.advance(events, Math.max(worldTime ?? Number.NEGATIVE_INFINITY, service.feed.end().worldTime));
    const tables = new Set(changes.map(([table]) => table));
    if (this.#term === null && this.#prices !== null) followPrices(this.#prices, changes);
    if (['subscriptions', 'deliveries', 'lanes'].some((table) => tables.has(table))) service.webhooks.wake();
    if (!tables.has('requests')) return;
    this.#forwarding.answered();
    // Deferred: the caller is still applying the entry.
    if (this.#term !== null) setImmediate(() => this.#answer(service));
  }

  #answer({ perform }: FollowingService): void {
    try {
      this.#forwarding.answer((body) => perform(body as LeaderRequest));
    } catch (error) {
      this.#deps.logger.warn({ error: messageOf(error) }, 'a request of another node could not be answered');
    }
  }

  #snapshotWhenDue(): void {
    const epoch = this.#term;
    if (epoch === null || this.store.position() - this.#snapshotAt < SNAPSHOT_ENTRIES) return;
    this.#snapshotAt = this.store.position();
    void withCopy(this.store.database, async (file) => {
      const [position, entry] = [this.store.position(), this.store.entry()];
      const body = await buffer(createReadStream(file).pipe(createGzip({ level: 1 })));
      this.#thread.send({ kind: 'snapshot', epoch, snapshot: { position, entry, body } });
    }).catch((error: unknown) => {
      if (!this.#isLost) this.#deps.logger.warn({ error: messageOf(error) }, 'a snapshot of the store failed');
    });
  }
}

function loggedIn(changes: AppliedEntry['changes']): LoggedEvent[] {
  return changes.flatMap(([table, row]) =>
    table === 'events' && row !== null
      ? [{ envelope: JSON.parse(String(row.body)) as EventEnvelope, json: String(row.body) }]
      : [],
  );
}
