// Bench: the leading node is killed: until another node has written the next event durably.
import type pg from 'pg';
import type { RunningService } from '../../harness/service.ts';
import { median, quantile } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { type Child, startChild } from '../support/children.ts';
import { connectTo, openDatabase, startNode } from '../support/cluster.ts';

const SYMBOLS = 3;
const RATE = 100;
const KILLS = 8;
/** What a user is promised, ms. */
const PROMISED = 1_000;

/** Resolves when an event of a later term than `epoch` is durable. */
function nextEvent(client: pg.Client, epoch: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = async (): Promise<void> => {
    const { rows } = await client.query(
      `SELECT 1 FROM barograph.journal WHERE epoch > $1 AND body LIKE '%evt_%' LIMIT 1`,
      [epoch],
    );
    if (rows.length === 0) return;
    client.off('notification', onNotification);
    resolve();
  };
  const onNotification = (): void => void look().catch(reject);
  client.on('notification', onNotification);
  return promise;
}

async function termOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM barograph.head');
  return Number(rows[0]?.epoch);
}

/** With two nodes it is known which one leads: the one that was started before the other. */
async function nodesByTurns(context: Context, url: string): Promise<() => Promise<number>> {
  const start = (): Promise<RunningService> => startNode(context, url, SYMBOLS, { rate: RATE });
  let [leader, follower] = [await start(), await start()];
  const client = await connectTo(context, url);
  await client.query('LISTEN barograph_journal');
  return async () => {
    const next = nextEvent(client, await termOf(client));
    const begun = performance.now();
    const killed = leader.process.kill();
    await next;
    const ms = performance.now() - begun;
    await killed;
    [leader, follower] = [follower, await start()];
    return ms;
  };
}

/** The same with connections that do nothing but hold and wait for an advisory lock. */
async function locksByTurns(context: Context, url: string): Promise<() => Promise<number>> {
  const start = (): Child => {
    const holder = startChild('bare-lock.ts', [url]);
    context.defer(holder.kill);
    return holder;
  };
  let holder = start();
  await holder.next('held');
  let waiting = start();
  await waiting.next('waits');
  return async () => {
    const held = waiting.next('held');
    const begun = performance.now();
    holder.kill();
    await held;
    const ms = performance.now() - begun;
    [holder, waiting] = [waiting, start()];
    await waiting.next('waits');
    return ms;
  };
}

export const clusterFailover: Row = {
  name: 'cluster-failover',
  what: `SIGKILL of the leading node at ${RATE} events a second, until the next event is durable, p99 of ${KILLS}, over the second that is promised; ms`,
  floor:
    'SIGKILL of a process that holds an advisory lock of the same server, until another has it: reported beside it',
  goal: { atMost: 1 },
  async run(context) {
    const database = await openDatabase(context);
    const killNode = await nodesByTurns(context, database.url);
    const killLock = await locksByTurns(context, await database.create());
    const [nodes, locks]: [number[], number[]] = [[], []];
    for (let kill = 0; kill < KILLS; kill += 1) {
      nodes.push(await killNode());
      locks.push(await killLock());
    }
    return {
      ratio: quantile(nodes, 0.99) / PROMISED,
      spread: [Math.min(...nodes) / PROMISED, Math.max(...nodes) / PROMISED],
      sides: [
        { label: 'node', unit: 'ms', values: nodes },
        { label: 'advisory lock', unit: 'ms', values: locks },
      ],
      notes: [`median ${median(nodes).toFixed(0)} ms against ${median(locks).toFixed(1)} ms`],
    };
  },
};
