// Faults: kills and freezes the nodes of a real cluster under load, and checks the history.
// It also stops and cuts off the database of the cluster.
import { setTimeout as pause } from 'node:timers/promises';
import { createHistory, type Operation } from './cluster-history.ts';
import { checkHistory, type Finding } from './cluster-history-checker.ts';
import { type Clients, readLog, startClients } from './cluster-kill-clients.ts';
import { type ClusterHost, openCluster, patiently, type RealCluster, sandboxFlags } from './cluster-kill-cluster.ts';
import { type Chance, createChance } from './core-simulation-random.ts';

export interface KillOptions {
  readonly seed: number;
  readonly kills: number;
  readonly freezes: number;
  /** How often the database is killed, frozen, or cut off from a node. */
  readonly outages: number;
  /** Events a second that the leader forces. */
  readonly rate: number;
  readonly say?: (text: string) => void;
}

export interface KillResult {
  readonly findings: readonly Finding[];
  readonly events: number;
  readonly counts: Clients['counts'];
  readonly seconds: number;
  readonly operations: readonly Operation[];
  /** The end of what the nodes printed. */
  readonly printed: string;
}

const NODES = 3;
/** A leader that is frozen for longer than this is given up. */
const GIVEN_UP_MS = 4_000;
const REST_MS = 180_000;
const QUIET_MS = 3_000;

export interface Torment extends Pick<KillOptions, 'kills' | 'freezes' | 'outages' | 'say'> {
  /** Called before each fault. */
  readonly note: (text: string) => void;
}

type Fault = 'kill' | 'freeze' | 'outage';

export async function killNodes(options: KillOptions): Promise<KillResult> {
  const began = performance.now();
  const chance = createChance(options.seed);
  const history = createHistory(() => performance.now());
  let { rate } = options;
  const cluster = await openCluster(NODES, () => sandboxFlags(rate));
  let clients: Clients | null = null;
  try {
    await Promise.all(cluster.hosts.map((host) => host.start()));
    clients = await startClients({ hosts: cluster.hosts, history, chance });
    const note = (text: string): void => history.add({ type: 'info', process: 'nemesis', f: 'nemesis', value: text });
    await torment(cluster, chance, { ...options, note });
    await clients.rest();
    options.say?.('rest');
    history.add({ type: 'info', process: 'nemesis', f: 'nemesis', value: 'rest' });
    // Nothing is forced any more.
    rate = 0;
    await restartAll(cluster);
    const log = await readAll(cluster, clients, options);
    const reads: Operation[] = log.map((events, index) => ({
      index: history.operations.length + index,
      type: 'ok',
      process: 30 + index,
      f: 'read',
      time: 0,
      value: { log: 'current', events },
    }));
    await clients.stop();
    // A cluster whose database was never restored has one log.
    const told = history.operations.map((one) => withOneLog(one));
    const operations = [...told, ...reads];
    return {
      findings: checkHistory(operations, { isQuiet: true }),
      events: log[0]?.length ?? 0,
      counts: clients.counts,
      seconds: Math.round((performance.now() - began) / 1_000),
      operations,
      printed: cluster.hosts.map((host) => host.printed().slice(-4_000)).join('\n--\n'),
    };
  } finally {
    await clients?.stop();
    await cluster.remove();
  }
}

const withOneLog = (one: Operation): Operation =>
  one.f === 'stream' && one.value.log !== '' ? { ...one, value: { ...one.value, log: 'current' } } : one;

/** All faults in an order of the seed, a moment apart; those of different nodes overlap. */
export async function torment(
  cluster: RealCluster,
  chance: Chance,
  { kills, freezes, outages, note, say = () => undefined }: Torment,
): Promise<void> {
  const left: Fault[] = [
    ...Array.from({ length: kills }, () => 'kill' as const),
    ...Array.from({ length: freezes }, () => 'freeze' as const),
    ...Array.from({ length: outages }, () => 'outage' as const),
  ];
  const total = left.length;
  const busy = new Map<ClusterHost, Promise<void>>();
  while (left.length > 0) {
    await pause(200 + chance.upTo(800));
    const free = cluster.hosts.filter((host) => !busy.has(host));
    const host = free[chance.upTo(free.length)];
    if (host === undefined) {
      await Promise.race(busy.values());
      continue;
    }
    const [fault = 'kill'] = left.splice(chance.upTo(left.length), 1);
    const done = act(fault, host, cluster, chance, note).finally(() => busy.delete(host));
    busy.set(host, done);
    if (left.length % 10 === 0) say(`${total - left.length} of ${total} faults`);
  }
  await Promise.all(busy.values());
}

async function act(
  fault: Fault,
  host: ClusterHost,
  { database }: RealCluster,
  chance: Chance,
  note: (text: string) => void,
): Promise<void> {
  if (fault === 'kill') {
    note(`kill ${host.index}`);
    await host.kill();
    await pause(chance.upTo(500));
    await patiently(() => host.start());
    return;
  }
  if (fault === 'freeze') {
    const ms = chance.pick([500, 1_500, GIVEN_UP_MS + chance.upTo(3_000)]);
    note(`freeze ${host.index} for ${ms} ms`);
    host.signal('SIGSTOP');
    await pause(ms);
    host.signal('SIGCONT');
    return;
  }
  const kind = chance.pick(['cut', 'hold', 'database killed', 'database frozen']);
  note(`${kind} ${host.index}`);
  const ms = 500 + chance.upTo(5_000);
  if (kind === 'cut' || kind === 'hold') {
    host.network[kind]();
    await pause(ms);
    // What a network held for long is lost with its connections.
    host.network.cut();
    host.network.heal();
  } else if (kind === 'database killed') {
    await database.kill();
    await pause(ms / 5);
    await database.start();
  } else {
    database.freeze();
    await pause(ms);
    database.thaw();
  }
}

/** Every node runs. */
export async function restartAll(cluster: RealCluster): Promise<void> {
  for (const host of cluster.hosts) {
    await host.kill();
    await patiently(() => host.start());
  }
}

/** The logs of all nodes, when streams and receiver have all of it. After the time it reads what there is. */
async function readAll({ hosts }: RealCluster, { told }: Clients, { say = () => undefined }: KillOptions) {
  const deadline = performance.now() + REST_MS;
  for (;;) {
    // A log of many pages is read when nothing has been told for a while.
    for (let before = ''; performance.now() < deadline; ) {
      const now = [...told.streamed(), told.delivered.size].join(' ');
      say(`told ${now}`);
      if (now === before) break;
      before = now;
      await pause(QUIET_MS);
    }
    const logs = await Promise.all(hosts.map((host) => patiently(() => readLog(host, 'current'))));
    const [first = []] = logs;
    const last = first.at(-1)?.seq ?? 0;
    say(`logs end at ${logs.map((log) => log.at(-1)?.seq).join(' ')}`);
    const isEqual = logs.every((log) => log.at(-1)?.seq === last);
    const isTold =
      told.streamed().every((seq) => seq >= last) &&
      first.every(({ id, seq }) => seq <= told.after || told.delivered.has(id));
    if ((isEqual && isTold) || performance.now() > deadline) return logs;
  }
}
