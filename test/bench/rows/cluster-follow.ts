// Bench: from a write on the leader to its byte on another node's stream, at 100 events a second.
import { setTimeout as pause } from 'node:timers/promises';
import { compare, interleave, median, quantile } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { startChild, wallNow } from '../support/children.ts';
import { connectTo, NODE_KEY, openDatabase, openNode, startNode } from '../support/cluster.ts';
import { createTransitions } from '../support/forced-transition.ts';
import type { DeliveryReport } from '../support/stream-clients.ts';

const SYMBOLS = 3;
const EVENTS = 300;
const INTERVAL_MS = 10;

interface Path {
  readonly port: number;
  readonly key: string | null;
  /** Writes one event. Resolves to its id. */
  send(): Promise<string>;
}

/** Opens a reader. @returns sends events at an even pace; ms of each, from before its write to the reader's byte */
async function paced(context: Context, { port, key, send }: Path): Promise<() => Promise<number[]>> {
  const reader = startChild('stream-clients.ts', [String(port), '1', ...(key === null ? [] : [key])]);
  context.defer(reader.kill);
  await reader.next('open');
  return async () => {
    const begunAt = new Map<string, number>();
    const begun = performance.now();
    for (let event = 0; event < EVENTS; event += 1) {
      const wait = begun + event * INTERVAL_MS - performance.now();
      if (wait > 0) await pause(wait);
      const at = wallNow();
      begunAt.set(await send(), at);
    }
    const times: number[] = [];
    while (times.length < EVENTS) {
      const { id, at } = await reader.next<DeliveryReport>('received');
      const sent = begunAt.get(id);
      if (sent !== undefined) times.push(at - sent);
    }
    return times;
  };
}

export const clusterFollow: Row = {
  name: 'cluster-follow',
  what: `from a forced transition on the leading node to its byte on a stream of another node, p99 of ${EVENTS} events at 100 a second; ms`,
  floor:
    'INSERT with NOTIFY of the same bytes by one process; LISTEN, SELECT and a socket write by another; same reader',
  goal: { atMost: 1.5 },
  async run(context) {
    const database = await openDatabase(context);
    const leader = await openNode(context, database.url, SYMBOLS);
    const follower = await startNode(context, database.url, SYMBOLS);
    const force = createTransitions(leader.service);
    const service = await paced(context, { port: follower.port, key: NODE_KEY, send: async () => force() });

    const bareUrl = await database.create();
    const bareClient = await connectTo(context, bareUrl);
    const page = await fetch(`${follower.url}/events?limit=1`, { headers: { 'x-api-key': NODE_KEY } });
    const [event] = ((await page.json()) as { data: readonly object[] }).data;
    const body = JSON.stringify(event);
    await bareClient.query('CREATE TABLE events (seq bigserial PRIMARY KEY, id text NOT NULL, body text NOT NULL)');
    const bareNode = startChild('bare-follower.ts', [bareUrl]);
    context.defer(bareNode.kill);
    const { port } = await bareNode.next<{ kind: 'listening'; port: number }>('listening');
    let written = 0;
    const insert = async (): Promise<string> => {
      written += 1;
      const id = `bare_${written}`;
      await bareClient.query(
        `WITH written AS (INSERT INTO events (id, body) VALUES ($1, $2) RETURNING seq)
         SELECT pg_notify('events', seq::text) FROM written`,
        [id, body],
      );
      return id;
    };
    const bare = await paced(context, { port, key: null, send: insert });

    const medians: { service: number[]; bare: number[] } = { service: [], bare: [] };
    const measure = async (side: 'service' | 'bare'): Promise<number> => {
      const times = await (side === 'service' ? service : bare)();
      medians[side].push(median(times));
      return quantile(times, 0.99);
    };
    const pair = await interleave({
      product: () => measure('service'),
      floor: () => measure('bare'),
      rounds: 5,
      budget: 35_000,
    });
    const middle = `median of an event: ${median(medians.service).toFixed(1)} ms against ${median(medians.bare).toFixed(1)} ms`;
    return compare(pair, { product: 'two nodes', floor: 'LISTEN, SELECT, write', unit: 'ms', notes: [middle] });
  },
};
