// Service, cluster: divides the lanes of webhook deliveries among the nodes that send them.
// A lane is an advisory lock on a connection of the node, so it is free as soon as its node ends, without
// leases or clocks. A frozen node keeps its connection, so the other nodes terminate it.
// Runs in the thread with the connections (journal-worker.ts).
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { connect } from './connection.ts';
import { LANES } from './lane.ts';
import { LANE_LOCKS, LOCKS, PRESENCE_LOCK } from './schema.ts';
import { endSilent } from './silence.ts';

const EVERY_MS = 1_000;
const RECONNECT_MS = 250;

export interface LanesDeps {
  readonly url: string;
  /** Called with all lanes of this node, before it releases a lane and after it takes one. */
  readonly hold: (lanes: readonly number[]) => void;
  readonly signal: AbortSignal;
}

/** Keeps the share of this node until the signal aborts. */
export async function shareLanes({ url, hold, signal }: LanesDeps): Promise<void> {
  while (!signal.aborted) {
    let client: Client | null = null;
    try {
      client = await connect(url, 'hooks');
      await client.query('SELECT pg_advisory_lock_shared($1, $2)', [LOCKS, PRESENCE_LOCK]);
      const held = new Set<number>();
      while (!signal.aborted) {
        await endSilent(client, PRESENCE_LOCK);
        await settle(client, held, hold);
        await pause(EVERY_MS, undefined, { signal });
      }
    } catch {
      // The end of the connection released every lock.
    } finally {
      hold([]);
      await client?.end().catch(() => undefined);
    }
    await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Releases lanes above the share of this node, or takes free lanes up to it. */
async function settle(client: Client, held: Set<number>, hold: LanesDeps['hold']): Promise<void> {
  const share = Math.ceil(LANES / (await nodes(client)));
  const excess = [...held].slice(share);
  if (excess.length > 0) {
    for (const lane of excess) held.delete(lane);
    hold([...held]);
    for (const lane of excess) await client.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, LANE_LOCKS + lane]);
    return;
  }
  const before = held.size;
  for (let lane = 0; lane < LANES && held.size < share; lane++) {
    if (held.has(lane)) continue;
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
      LOCKS,
      LANE_LOCKS + lane,
    ]);
    if (rows[0]?.taken === true) held.add(lane);
  }
  if (held.size > before) hold([...held]);
}

async function nodes(client: Client): Promise<number> {
  const { rows } = await client.query<{ nodes: string }>(
    `SELECT count(*) AS nodes FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [LOCKS, PRESENCE_LOCK],
  );
  return Math.max(1, Number(rows[0]?.nodes));
}
