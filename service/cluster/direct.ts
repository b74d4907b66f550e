// Service, cluster: refuses a connection pooler that does not keep sessions, and so loses locks.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { messageOf } from '../../shared/lib/result.ts';
import { connect } from './connection.ts';

/** Thrown when this node must not run on this database. */
export class NodeRefusal extends Error {}

/** Consecutive statements; a pooler that rotates its sessions runs each in another session. */
const SESSION_PROBES = 3;

/**
 * A pooler in transaction mode shares one session between connections, or changes the session of a connection
 * with every statement, so locks are lost. A pooler in statement mode refuses transactions.
 * @throws NodeRefusal
 */
export async function assertDirect(url: string): Promise<void> {
  let clients: Client[] = [];
  try {
    const first = await connect(url, 'start');
    clients = [first];
    const session = randomUUID();
    await first.query("SELECT set_config('barograph.session', $1, false)", [session]);
    const backends = new Set<number | undefined>();
    for (let probe = 0; probe < SESSION_PROBES; probe++) {
      const { rows } = await first.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      backends.add(rows[0]?.pid);
    }
    const second = await connect(url, 'start');
    clients.push(second);
    await second.query('BEGIN');
    const asked = "SELECT current_setting('barograph.session', true) AS session";
    const seen = await second.query<{ session: string | null }>(asked);
    const own = await first.query<{ session: string | null }>(asked);
    if (seen.rows[0]?.session === session || own.rows[0]?.session !== session || backends.size > 1)
      throw new NodeRefusal(poolerRefusal('transaction'));
  } catch (error) {
    if (error instanceof NodeRefusal) throw error;
    // PgBouncer's message; its code is the general one of protocol errors.
    if (/statement pooling/.test(messageOf(error))) throw new NodeRefusal(poolerRefusal('statement'));
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // 28: authorization, 3D: no such database.
    if (/^(28|3D)/.test(code))
      throw new NodeRefusal(`The database of --cluster refuses this node: ${messageOf(error)}.`);
    throw error;
  } finally {
    await Promise.all(clients.map((one) => one.end().catch(() => undefined)));
  }
}

const poolerRefusal = (mode: 'transaction' | 'statement'): string =>
  `The address of --cluster is a pooler in ${mode} mode, which keeps no locks. Give the address of PostgreSQL itself, or of a pooler in session mode.`;
