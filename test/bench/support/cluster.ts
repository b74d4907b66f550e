// Bench: runs a PostgreSQL that writes to the disk, and nodes of a service over it.
// A node is in this process or in one of its own.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { systemClock } from '../../../main/host/system-clock.ts';
import { assemble, type ServiceConfig } from '../../../service/assemble.ts';
import { joinCluster } from '../../../service/cluster/node.ts';
import { nodeBinding } from '../../../service/cluster/run-node.ts';
import type { Service } from '../../../service/service.ts';
import { OPEN_PORT_LIMITS } from '../../../shared/lib/connection-pool.ts';
import { type Postgres, type PostgresProcess, startPostgres } from '../../harness/postgres.ts';
import { type RunningService, type ServiceOptions, startService, TEST_KEY } from '../../harness/service.ts';
import type { Context } from '../row.ts';

const SEED = 7;
export const NODE_KEY = TEST_KEY;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export interface Database {
  readonly name: string;
  readonly process: PostgresProcess;
  /** Address of an empty database. */
  readonly url: string;
  /** Another empty one on the same server. */
  create(): Promise<string>;
}

/** @throws Error on a machine that has no PostgreSQL which a row may stop */
export async function openDatabase(context: Context): Promise<Database> {
  const postgres: Postgres = await startPostgres({ isDurable: true });
  context.defer(() => postgres.remove());
  if (postgres.process === null) throw new Error('this PostgreSQL runs already, and is not for measurements');
  return {
    name: postgres.name,
    process: postgres.process,
    url: await postgres.createDatabase(),
    create: () => postgres.createDatabase(),
  };
}

/** A bare connection, as the floor uses it. */
export async function connectTo(context: Context, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  context.defer(() => client.end());
  return client;
}

/** A node in a process of its own. */
export async function startNode(
  context: Context,
  cluster: string,
  symbols: number,
  options: Pick<ServiceOptions, 'rate' | 'readyMs'> = {},
): Promise<RunningService> {
  const node = await startService({
    environment: 'sandbox',
    seed: SEED,
    key: NODE_KEY,
    symbols,
    cluster,
    ...options,
  });
  context.defer(() => node.process.kill());
  return node;
}

export interface LocalNode {
  readonly service: Service;
  readonly port: number;
  /** Also called at the end of the row. */
  close(): Promise<void>;
}

/** A node in this process. The first of its database leads before this resolves. */
export async function openNode(context: Context, cluster: string, symbols: number): Promise<LocalNode> {
  const config: ServiceConfig = {
    world: { kind: 'sandbox', seed: SEED, symbols },
    time: { start: null, speed: 1 },
    file: ':memory:',
  };
  const deps = { clock: systemClock, logger: quiet, randomBytes };
  const node = await joinCluster({
    ...deps,
    config: { url: cluster, roles: ['engine', 'api', 'hooks'] },
    binding: nodeBinding(config, {}),
    time: config.time,
    lost(why) {
      throw new Error(`the node of the bench was lost: ${why}`);
    },
  });
  // As a node that other computers reach.
  const access = { publicUrl: () => 'http://127.0.0.1', connections: { limits: OPEN_PORT_LIMITS } };
  const service = assemble(config, { ...deps, ...access }, node);
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= service.close().then(() => node.leave());
    return closed;
  };
  context.defer(close);
  await service.app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  service.admitKey(NODE_KEY);
  await service.start();
  return { service, port: (service.app.server.address() as AddressInfo).port, close };
}
