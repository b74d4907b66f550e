// Faults: the world of a simulated cluster: time, journal, network, processes and listeners.
import SQLite from 'better-sqlite3';
import type { JournalEntry } from '../../service/cluster/journal.ts';
import { openReplica } from '../../service/store/store.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { createHistory, type History, type HistoryEvent } from './cluster-history.ts';
import { createReceiver, createStreamClient, type Receiver, type StreamClient } from './cluster-simulation-clients.ts';
import { createJournalModel, type JournalModel, type StoredEntry } from './cluster-simulation-journal.ts';
import type { ClusterMutant } from './cluster-simulation-mutants.ts';
import { connectJournal } from './cluster-simulation-network.ts';
import { type SimulatedNode, startNode, WORLD_START } from './cluster-simulation-node.ts';
import { type Chance, createChance } from './core-simulation-random.ts';

export const NODES = 3;
const CLIENTS = 2;
/** Numbers of the processes in the history; nodes begin at 0. */
export const PROCESSES = { triggers: 40, clients: 10, receiver: 20, readers: 30, journal: 90 } as const;

/** A place where a process of the cluster runs, again and again. */
export interface Host {
  readonly index: number;
  /** null: it is not running. */
  node: SimulatedNode | null;
  /** Grows with every process and every connection to the database. */
  session: number;
  isFrozen: boolean;
  isCut: boolean;
  /** A notification has arrived. */
  isNotified: boolean;
  /** Its clock against that of the world, ms. */
  skew: number;
  /** In the middle of its turn. */
  isBusy: boolean;
}

interface Job {
  readonly at: number;
  readonly order: number;
  readonly host: Host;
  readonly session: SimulatedNode | null;
  readonly run: () => void;
}

interface Tally {
  acknowledged: number;
  unknown: number;
  /** Not answered yet. */
  inFlight: number;
}

export interface World {
  readonly chance: Chance;
  readonly mutant: ClusterMutant | null;
  readonly history: History;
  readonly model: JournalModel;
  readonly hosts: readonly Host[];
  readonly clients: readonly StreamClient[];
  readonly receiver: Receiver;
  readonly counts: { kills: number; freezes: number; restores: number; triggers: number };
  /** What ended a node that nothing should end. */
  readonly broken: string[];
  /** What a node claimed, and could not know. */
  readonly claims: Set<string>;
  /** Additions to the shared number. */
  tally: Tally;
  now(): number;
  pass(ms: number): void;
  /** Runs what is due. */
  runTimers(): void;
  /** Called by a node that waits. */
  meanwhile: () => void;
  isResting(): boolean;
  beginRest(): void;
  start(host: Host): void;
  kill(host: Host): void;
  reconnect(host: Host): void;
  takeSnapshot(node: SimulatedNode): void;
  backUp(): void;
  restore(): void;
  executeLate(): void;
  /** A replica of everything in the journal, by the code of the followers. */
  dumpOfJournal(): string;
  end(): void;
}

interface Snapshot {
  readonly position: number;
  readonly entry: string;
  readonly file: Buffer;
}

let template: Buffer | null = null;
/** An empty store with one subscription. */
function emptyStore(): Buffer {
  if (template !== null) return template;
  const database = openReplica(null);
  database
    .prepare(
      `INSERT INTO subscriptions (id, owner, url, events, target, status, created_at, secret, position)
       VALUES ('sub_1', 'key_a', 'http://127.0.0.1:9/', '["model.version"]', 'target', 'active', ?, 'secret', 0)`,
    )
    .run(WORLD_START);
  template = database.serialize();
  database.close();
  return template;
}

export function createWorld(seed: number, mutant: ClusterMutant | null): World {
  const chance = createChance(seed);
  let time = WORLD_START;
  const history = createHistory(() => time);
  let resting = false;
  let processes = 0;
  let order = 0;
  let tenure = 0;
  let jobs: Job[] = [];
  let late: (() => void)[] = [];
  /** All of this life. A killed one is closed at the end, because it may be in the middle of a turn. */
  const opened: SimulatedNode[] = [];
  let snapshot: Snapshot | null = null;
  let backedUp: { readonly snapshot: Snapshot | null; readonly tally: Tally } | null = null;
  const rates = { delayed: chance.pick([0.05, 0.3, 0.6]), lost: chance.pick([0, 0.05, 0.3]) };
  const unheard = chance.pick([0, 0.2, 0.7]);

  const committed = (entry: StoredEntry, log: string): void => {
    const changes = changesOf(entry);
    if (changes.some(([table]) => table === 'lanes')) tenure += 1;
    history.add({
      type: 'ok',
      process: PROCESSES.journal,
      f: 'commit',
      value: { log, position: entry.position, epoch: entry.claimed, events: eventsOf(entry, log) },
    });
    for (const host of hosts) if (!host.isCut && !chance.chance(unheard)) host.isNotified = true;
  };
  const model = createJournalModel(mutant, committed);
  const hosts: Host[] = Array.from({ length: NODES }, (_, index) => ({
    index,
    node: null,
    session: index,
    isFrozen: false,
    isCut: false,
    isNotified: false,
    skew: (chance.upTo(7) - 3) * 1_000,
    isBusy: false,
  }));
  const receiver = createReceiver(PROCESSES.receiver, history, chance);

  const clockOf = (host: Host, of: () => SimulatedNode | null): Clock => ({
    now: () => time,
    after(ms, run) {
      order += 1;
      const job: Job = { at: time + Math.max(0, ms), order, host, session: of(), run };
      jobs.push(job);
      return () => {
        jobs = jobs.filter((one) => one !== job);
      };
    },
  });

  const world: World = {
    chance,
    mutant,
    history,
    model,
    hosts,
    clients: Array.from({ length: CLIENTS }, (_, index) => createStreamClient(PROCESSES.clients + index, history)),
    receiver,
    counts: { kills: 0, freezes: 0, restores: 0, triggers: 0 },
    broken: [],
    claims: new Set(),
    tally: { acknowledged: 0, unknown: 0, inFlight: 0 },
    now: () => time,
    pass(ms) {
      time += ms;
      for (const { node, session, isCut, isFrozen } of hosts)
        if (!isCut && !isFrozen) node?.hear(model.isLed() && !model.leads(session));
    },
    runTimers() {
      const can = ({ host }: Job): boolean => !host.isBusy && !host.isFrozen;
      const due = jobs.filter((job) => can(job) && job.at <= time).sort((a, b) => a.at - b.at || a.order - b.order);
      for (const job of due) {
        if (!jobs.includes(job) || job.host.isBusy) continue;
        jobs = jobs.filter((one) => one !== job);
        job.host.isBusy = true;
        try {
          job.run();
        } finally {
          job.host.isBusy = false;
        }
      }
    },
    meanwhile: () => undefined,
    isResting: () => resting,
    beginRest() {
      resting = true;
      rates.delayed = 0;
      rates.lost = 0;
      world.executeLate();
      for (const host of hosts) {
        host.isFrozen = false;
        host.skew = 0;
        if (host.isCut) world.reconnect(host);
      }
    },
    start(host) {
      const { logId } = model.head();
      processes += 1;
      host.session = NODES * processes + host.index;
      host.isNotified = false;
      const { session } = host;
      const end = {
        session,
        isChecked: mutant !== 'no-chain',
        isAlive: () => host.session === session || host.node === started,
        isCut: () => host.isCut,
        meanwhile: () => world.meanwhile(),
      };
      let started: SimulatedNode | null = null;
      const journal = connectJournal(model, end, { add: (execute) => void late.push(execute) }, rates, chance);
      started = startNode({
        name: `${host.index}.${processes}`,
        database: new SQLite(snapshot?.file ?? emptyStore()),
        position: snapshot?.position ?? 0,
        entry: snapshot?.entry ?? '',
        journal,
        logId,
        clock: clockOf(host, () => started),
        mutant,
        share: [host.index, NODES],
        post: (request) =>
          receiver.post(request, {
            node: session,
            log: logId,
            isCurrent: started?.store.position() === model.head().position && !host.isCut,
            tenure,
          }),
      });
      host.node = started;
      opened.push(started);
    },
    kill(host) {
      if (host.node === null) return;
      jobs = jobs.filter((job) => job.host !== host);
      model.endSession(host.session);
      receiver.forget(host.session);
      host.node = null;
      host.session = -1;
      host.isFrozen = false;
    },
    reconnect(host) {
      host.isCut = false;
      // The database has noticed by now, and has freed the locks of the connection.
      model.endSession(host.session);
    },
    takeSnapshot({ store, logId }) {
      const taken = { position: store.position(), entry: store.entry(), file: store.database.serialize() };
      // It is compressed first; as an append, it is of the log that its node follows.
      late.push(() => {
        if (logId === model.head().logId || mutant === 'no-snapshot-check') snapshot = taken;
      });
    },
    backUp() {
      model.backUp();
      const { acknowledged, unknown, inFlight } = world.tally;
      // A call that is on its way now is in the backup or not.
      backedUp = { snapshot, tally: { acknowledged, unknown: unknown + inFlight, inFlight: 0 } };
    },
    restore() {
      if (backedUp === null || !model.restore()) return;
      ({ snapshot } = backedUp);
      world.tally = { ...backedUp.tally };
      const { logId, position } = model.head();
      world.counts.restores += 1;
      history.add({ type: 'ok', process: 'nemesis', f: 'restore', value: { log: logId } });
      const events = model.after(0, 100_000).flatMap((entry) => eventsOf(entry, logId));
      history.add({
        type: 'ok',
        process: PROCESSES.journal,
        f: 'commit',
        value: { log: logId, position, epoch: null, events },
      });
    },
    executeLate() {
      const all = late;
      late = [];
      for (const execute of all) execute();
      model.commitLate();
    },
    dumpOfJournal() {
      const database = new SQLite(emptyStore());
      const nobody = {
        session: -2,
        isChecked: true,
        isAlive: () => true,
        isCut: () => false,
        meanwhile: () => undefined,
      };
      const journal = connectJournal(model, nobody, { add: () => undefined }, { delayed: 0, lost: 0 }, chance);
      const node = startNode({
        name: 'reference',
        database,
        position: 0,
        entry: '',
        journal,
        logId: '',
        clock: { now: () => time, after: () => () => undefined },
        mutant: null,
        share: [0, 1],
        post: () => new Promise(() => undefined),
      });
      node.catchUp();
      const dump = dumpOf(node);
      node.store.close();
      return dump;
    },
    end() {
      for (const { store } of opened) store.close();
    },
  };
  return world;
}

type Change = readonly [table: string, row: Readonly<Record<string, string | number | null>> | null];
const changesOf = ({ body }: JournalEntry): readonly Change[] => JSON.parse(body);

const eventsOf = (entry: JournalEntry, log: string): HistoryEvent[] =>
  changesOf(entry).flatMap(([table, row]) =>
    table === 'events' && row !== null ? [{ log, seq: Number(row.seq), id: String(row.event_id) }] : [],
  );

/** Everything in a replica, as text. */
export function dumpOf(node: SimulatedNode): string {
  const database = new SQLite(node.store.database.serialize());
  try {
    const tables = database
      .prepare<[], string>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
      )
      .pluck()
      .all();
    return tables
      .flatMap((table) => {
        const rows = database.prepare(`SELECT * FROM ${table}`).all();
        return rows.map((row) => `${table} ${JSON.stringify(row)}`).sort();
      })
      .join('\n');
  } finally {
    database.close();
  }
}
