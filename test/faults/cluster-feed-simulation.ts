// Faults: one life of a cluster that follows a vendor of prices: nodes are killed and cut off, the vendor fails.
// Nodes, feed, tape, detector and log are real; journal, vendor and clock are models. The same seed is the same life.
// The property: the log has the events of a service that nothing disturbed, each once, on every node.

import { isLast, JournalUnavailable } from '../../service/cluster/journal.ts';
import type { JournalThread, JournalThreadOptions } from '../../service/cluster/journal-thread.ts';
import type { JournalMessage } from '../../service/cluster/messages.ts';
import { type ClusterNode, joinCluster } from '../../service/cluster/node.ts';
import { createLogFeed } from '../../service/log/log-feed.ts';
import { createLogWriter } from '../../service/log/log-writer.ts';
import { type OpenFeed, openFeed } from '../../service/market/feeds/open-feed.ts';
import type { FeedVendor } from '../../service/market/feeds/price-feed.ts';
import { REAL_TIME } from '../../service/market/world-clock.ts';
import { directOutbound } from '../../service/network/outbound.ts';
import { createEventIds } from '../../service/signals/event-id.ts';
import { createSignals, type Signals } from '../../service/signals/signals.ts';
import { StateDetector } from '../../service/signals/state-detector.ts';
import { inOneTurn } from '../../service/steps.ts';
import { type Clock, every } from '../../shared/lib/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/lib/time.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { FakePriceFeed, faultsOf, listingOf } from '../harness/fake-price-feed.ts';
import { bandEngine, eventText, runFeed } from '../harness/feed-run.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';
import { createJournalModel, type JournalModel } from './cluster-simulation-journal.ts';
import { type Chance, createChance } from './core-simulation-random.ts';

/** Clusters without one safeguard; the simulation must find each. */
export const FEED_MUTANTS = {
  'prices-before-progress': 'that a leader writes how far it is before it writes newer prices',
  'leader-without-feed': 'that a leader which started during the life begins to record',
} as const;
export type FeedMutant = keyof typeof FEED_MUTANTS;
export const FEED_MUTANT_NAMES = Object.keys(FEED_MUTANTS) as FeedMutant[];

export interface FeedLife {
  readonly findings: readonly string[];
  readonly events: number;
  readonly kills: number;
  readonly cuts: number;
  readonly leaders: number;
}

const NODES = 3;
const SYMBOLS = ['ADA', 'BTC', 'ETH', 'SOL', 'XRP'];
const START = Date.parse('2026-03-02T22:20:00Z');
/** Faults begin and end here; the life ends 20 minutes later. */
const FIRST_FAULT = START + 12 * MINUTE_MS;
const FAULTS_END = START + 65 * MINUTE_MS;
const END = FAULTS_END + 20 * MINUTE_MS;
const POLL_MS = 350;
const READ_ENTRIES = 200;
/** As the database, which ends the connection of a silent leader. */
const GIVEN_UP_MS = 3 * SECOND_MS;

interface Process {
  readonly name: string;
  readonly session: number;
  isAlive: boolean;
  isCut: boolean;
  running: { readonly node: ClusterNode; readonly feed: OpenFeed; readonly signals: Signals } | null;
}

interface Life {
  readonly clock: ManualClock;
  readonly chance: Chance;
  readonly model: JournalModel;
  readonly vendor: FeedVendor;
  readonly firstLevel: FakePriceFeed['firstLevel'];
  readonly mutant: FeedMutant | null;
  readonly diverged: string[];
  processes: Process[];
  /** Name of the node of each session. */
  readonly nodes: Map<number, string>;
  /** The leader's newest. */
  heartbeat: Extract<JournalMessage, { kind: 'heartbeat' }> | null;
}

export async function liveClusterWithFeed(seed: number, mutant: FeedMutant | null = null): Promise<FeedLife> {
  const calm = await runFeed(seed, { symbols: SYMBOLS, start: START, end: END }, { faults: [] });
  calm.tape.close();
  const chance = createChance(seed);
  const clock = createManualClock(START);
  const faults = chance.chance(0.5) ? faultsOf(seed, FIRST_FAULT, FAULTS_END) : [];
  const feed = new FakePriceFeed({ clock, symbols: SYMBOLS, faults, seed });
  const vendor: FeedVendor = {
    ...{ name: 'fake', perMinute: 1e9, defaultSymbols: SYMBOLS, needsKey: false },
    cure: () => null,
    listing: (symbol) => listingOf(symbol),
    create: () => feed,
  };
  const model = createJournalModel(null, () => undefined);
  const firstLevel = feed.firstLevel.bind(feed);
  const life: Life = {
    clock,
    chance,
    model,
    vendor,
    firstLevel,
    mutant,
    diverged: [],
    processes: [],
    ...{ nodes: new Map(), heartbeat: null },
  };
  const counts = { kills: 0, cuts: 0 };
  for (let index = 0; index < NODES; index += 1) start(life);
  await clock.advance(FIRST_FAULT - clock.now());
  while (clock.now() < FAULTS_END) {
    await clock.advance(
      Math.round(chance.pick([100, 2 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS]) * (0.1 + chance.random())),
    );
    const leader = life.processes.find(({ session }) => model.leads(session));
    const process =
      (chance.chance(0.6) ? leader : undefined) ?? (life.processes[chance.upTo(life.processes.length)] as Process);
    if (chance.chance(0.6)) {
      counts.kills += 1;
      kill(life, process);
      await clock.advance(chance.upTo(20_000));
      start(life);
    } else {
      counts.cuts += 1;
      cut(life, process, Math.round(chance.pick([500, GIVEN_UP_MS + SECOND_MS, MINUTE_MS]) * (0.5 + chance.random())));
    }
  }
  await clock.advance(END - clock.now());
  const findings = findingsOf(life, calm.events);
  for (const process of life.processes) kill(life, process);
  return { findings: findings.found, events: findings.events, ...counts, leaders: model.head().epoch };
}

function findingsOf({ processes, diverged }: Life, calm: readonly string[]): { found: string[]; events: number } {
  const isLater = (text: string): boolean => text >= new Date(START + 10 * MINUTE_MS).toISOString();
  const expected = calm.filter(isLater);
  const found = [...diverged];
  let events = 0;
  for (const { name, running } of processes) {
    if (running === null) {
      found.push(`node ${name} does not run`);
      continue;
    }
    const log = running.node.store.log.after(0, 100_000, 0).map(({ envelope }) => envelope);
    const texts = log.map(textOf).filter(isLater).sort();
    events = texts.length;
    const missing = expected.filter((text) => !texts.includes(text));
    const added = texts.filter((text) => !expected.includes(text));
    found.push(
      ...missing.map((text) => `node ${name} misses ${text}`),
      ...added.map((text) => `node ${name}: ${text}`),
    );
    if (new Set(log.map(({ event_id }) => event_id)).size < log.length)
      found.push(`node ${name}: an id is there twice`);
  }
  return { found, events };
}

const textOf = (envelope: EventEnvelope): string => eventText(envelope);

function start(life: Life): void {
  const session = life.processes.reduce((last, one) => Math.max(last, one.session), life.model.head().epoch * 100) + 1;
  const process: Process = { name: `${session}`, session, isAlive: true, isCut: false, running: null };
  life.processes = [...life.processes.filter(({ isAlive }) => isAlive), process];
  void run(life, process);
}

/** Without a word: its timers and its journal are gone. */
function kill({ model }: Life, process: Process): void {
  process.isAlive = false;
  model.endSession(process.session);
}

function cut({ model, clock }: Life, process: Process, ms: number): void {
  process.isCut = true;
  clock.after(GIVEN_UP_MS, () => {
    if (process.isCut) model.endSession(process.session);
  });
  clock.after(ms, () => {
    process.isCut = false;
  });
}

const silent = (): void => undefined;

/** As `assemble` and `runNode`, without the parts that no price reaches. */
async function run(life: Life, process: Process): Promise<void> {
  const { vendor, firstLevel, mutant, diverged } = life;
  const clock = clockOf(life, process);
  const logger = {
    ...{ debug: silent, info: silent, warn: silent },
    error: (_: object, text: string) => {
      if (text.startsWith('the leader did not')) diverged.push(`node ${process.name}: ${text}`);
    },
  };
  const node = await joinCluster({
    config: { url: 'postgres://model', roles: ['engine', 'api'] },
    ...{ binding: '', time: REAL_TIME, clock, logger },
    randomBytes: (count) => Buffer.from(process.name.padStart(count, '0')),
    startJournal: (options, receive) => journalOf(life, process, options, receive),
    lost() {
      if (!process.isAlive) return;
      kill(life, process);
      start(life);
    },
  });
  const { store, world, cluster } = node;
  const atomic: typeof node.feed.tape.atomic =
    mutant === 'prices-before-progress' ? (work) => store.transaction(work) : node.feed.tape.atomic;
  const feed = openFeed(
    { feed: 'fake', symbols: [] },
    {
      ...{ vendor, clock, logger, outbound: directOutbound, random: () => 0.5, onNotice: silent, key: () => null },
      tape: { ...node.feed, tape: { ...node.feed.tape, database: store.database, atomic } },
    },
  );
  const records = mutant !== 'leader-without-feed' || process.session <= NODES;
  const newEngine = () => bandEngine((symbol, first) => first.close / firstLevel(symbol, first.date));
  const { market } = feed;
  const detector = new StateDetector({ market, engine: newEngine(), newEngine, ids: createEventIds('test') });
  const logFeed = createLogFeed(store.log, logger);
  const log = { feed: logFeed, writer: createLogWriter(store, logFeed) };
  const signals = createSignals({
    ...{ environment: 'production', host: { clock, logger }, world, market, detector, store, log, cluster },
  });
  node.attach(
    {
      ...{ signals, feed: logFeed, webhooks: { wake: silent }, perform: silent },
      limits: { takeCalls: () => ({ minute: 0, calls: [] }), receiveCalls: silent },
    },
    { lead: records ? feed.lead : silent, follow: feed.follow },
  );
  every(clock, 2 * SECOND_MS, records ? feed.refresh : silent);
  await feed.start();
  if (!process.isAlive) return;
  inOneTurn(signals.startInSteps());
  node.contend();
  process.running = { node, feed, signals };
}

/** Of a process: nothing runs after its end. */
const clockOf = ({ clock }: Life, process: Process): Clock => ({
  now: clock.now,
  after: (ms, work) => clock.after(ms, () => (process.isAlive ? work() : undefined)),
});

function journalOf(
  life: Life,
  process: Process,
  { node }: JournalThreadOptions,
  receive: (message: JournalMessage) => void,
): JournalThread {
  const { model, nodes } = life;
  const { session } = process;
  nodes.set(session, node);
  const reachable = <Value>(ask: () => Value): Value => {
    if (!process.isAlive || process.isCut) throw new JournalUnavailable('no connection');
    return ask();
  };
  let read: number | null = null;
  let isCampaigning = false;
  const poll = (): void => {
    if (process.isCut) return;
    while (read !== null) {
      const entries = model.after(read, READ_ENTRIES);
      if (entries.length > 0) receive({ kind: 'entries', entries });
      read = entries.at(-1)?.position ?? read;
      if (isLast(entries, READ_ENTRIES)) break;
    }
    const leader = [...nodes].find(([one]) => model.leads(one))?.[1] ?? null;
    receive({ kind: 'head', head: model.head(), leader });
    if (life.heartbeat !== null && !model.leads(session)) receive(life.heartbeat);
    // What it received may have ended it; the database gives no lock to a connection that is gone.
    if (!process.isAlive) return;
    const epoch = isCampaigning && !model.leads(session) ? model.lead(session) : null;
    if (epoch !== null) receive({ kind: 'leading', epoch, before: epoch - 1 });
  };
  // At no time of the leader's own: between any two of its writes.
  every(clockOf(life, process), POLL_MS + life.chance.upTo(100), poll);
  return {
    journal: {
      head: () => reachable(model.head),
      after: (position, limit) => reachable(() => model.after(position, limit)),
      append: (entry) => reachable(() => model.append(entry)),
    },
    async open() {
      const head = reachable(model.head);
      return { head: { ...head, hasWorld: head.worldTime > 0 }, binding: '', snapshot: null, clockOffset: 0 };
    },
    send(command) {
      if (command.kind === 'follow') read = command.after;
      if (command.kind === 'campaign') isCampaigning = true;
      if (command.kind !== 'reached' || process.isCut || !model.leads(session)) return;
      life.heartbeat = { ...command, kind: 'heartbeat', epoch: model.head().epoch };
    },
    close: () => Promise.resolve(),
  };
}
