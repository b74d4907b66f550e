// Faults: a real cluster: PostgreSQL, and a process and a network of its own for each node.
// The network of a node can be cut.
import { setTimeout as pause } from 'node:timers/promises';
import { type Postgres, type PostgresProcess, startPostgres } from '../harness/postgres.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

export const CLUSTER_KEY = 'svc_test_clusterkillcluster1';
const READY_MS = 120_000;

export interface ClusterHost {
  readonly index: number;
  readonly network: TcpProxy;
  /** Where it listens, also after a restart; empty before its first start. */
  url(): string;
  /** Its next connections go to this socket. */
  moveTo(socket: string): void;
  /** It has answered since its last start. */
  isReady(): boolean;
  /** Resolves when it answers. @throws when it does not start */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGSTOP or SIGCONT. */
  signal(which: 'SIGSTOP' | 'SIGCONT'): void;
  /** What all its processes printed, at most the end. */
  printed(): string;
}

export interface RealCluster {
  readonly postgres: Postgres;
  readonly database: PostgresProcess;
  readonly hosts: readonly ClusterHost[];
  remove(): Promise<void>;
}

/** Flags of the service; several values repeat a flag. */
export type NodeFlags = Readonly<Record<string, string | number | readonly string[]>>;

/** A sandbox in which the leader forces `rate` events a second. */
export const sandboxFlags = (rate: number): NodeFlags => ({
  ...{ env: 'sandbox', seed: 7, symbols: 3, clock: '2026-03-04T15:00:00Z,x60', key: CLUSTER_KEY },
  ...(rate > 0 ? { rate } : {}),
});

/**
 * @param nodes how many; none is started
 * @param flags of each start of a node, beside those of the cluster
 */
export async function openCluster(nodes: number, flags: () => NodeFlags): Promise<RealCluster> {
  const postgres = await startPostgres();
  const database = postgres.process;
  if (database === null) throw new Error('this PostgreSQL cannot be stopped');
  const address = new URL(await postgres.createDatabase());
  const hosts = await Promise.all(
    Array.from({ length: nodes }, (_, index) => openHost(index, database, address.pathname, flags)),
  );
  return {
    postgres,
    database,
    hosts,
    async remove() {
      for (const host of hosts) await host.kill();
      for (const { network } of hosts) await network.close();
      await postgres.remove();
    },
  };
}

async function openHost(
  index: number,
  { socket }: PostgresProcess,
  name: string,
  given: () => NodeFlags,
): Promise<ClusterHost> {
  const target = { path: socket };
  const network = await startTcpProxy(target);
  let running: RunningProcess | null = null;
  let url = '';
  let isReady = false;
  let before = '';
  process.once('exit', () => void running?.kill());
  return {
    index,
    network,
    url: () => url,
    moveTo(next) {
      target.path = next;
    },
    isReady: () => running !== null && isReady,
    async start() {
      const flags: NodeFlags = {
        ...given(),
        port: url === '' ? 0 : new URL(url).port,
        cluster: `postgres://postgres@127.0.0.1:${network.port}${name}`,
      };
      const started = start(process.execPath, [...nodeScript('service'), ...argumentsOf(flags)]);
      running = started;
      isReady = false;
      void started.exit.then(() => {
        before = `${before}${started.printed()}`.slice(-20_000);
        if (running === started) running = null;
      });
      [, url = url] = await started.line(/^ready (http:\/\/127\.0\.0\.1:\d+)/, READY_MS);
      isReady = true;
    },
    async kill() {
      const killed = running;
      running = null;
      await killed?.kill();
    },
    signal(which) {
      if (running !== null) process.kill(running.pid, which);
    },
    printed: () => before + (running?.printed() ?? ''),
  };
}

export const argumentsOf = (flags: NodeFlags): string[] =>
  Object.entries(flags).flatMap(([flag, value]) => [value].flat().flatMap((one) => [`--${flag}`, String(one)]));

/** Repeats it until it succeeds. @throws the last error when the time (ms) is over */
export async function patiently<Value>(attempt: () => Promise<Value>, within = 120_000): Promise<Value> {
  for (const deadline = performance.now() + within; ; await pause(100)) {
    try {
      return await attempt();
    } catch (problem) {
      if (performance.now() > deadline) throw problem;
    }
  }
}
