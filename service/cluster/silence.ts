// Service, cluster: ends the connections of nodes that are frozen or cut off.
// Such a node keeps its connections and locks. Runs in the thread with the connections (journal-worker.ts).
import type { Client } from 'pg';
import { LOCKS } from './schema.ts';

/**
 * A connection is silent after this long without a statement, s; a running node is never silent that long.
 */
export const SILENT_S = 3;

/** Measured by the clock of the database. */
const END_SILENT = `
  SELECT pg_terminate_backend(activity.pid) FROM pg_locks JOIN pg_stat_activity AS activity USING (pid)
  WHERE locktype = 'advisory' AND classid = ${LOCKS} AND objid = $1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND clock_timestamp() - activity.state_change > interval '${SILENT_S} seconds'`;

/** Terminates every silent connection that holds this lock, which frees all its locks. */
export async function endSilent(client: Client, lock: number): Promise<void> {
  await client.query(END_SILENT, [lock]);
}
