// Bench: processor time of an event in the database and in each of one, two and four nodes.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { growth, type SizeSample } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { type Database, openDatabase, startNode } from '../support/cluster.ts';
import { processorSeconds } from '../support/running-app.ts';

const NODES = [1, 2, 4];
const SYMBOLS = 3;
const RATE = 100;
const SETTLE_MS = 2_000;
const ROUNDS = 3;
const ROUND_MS = 3_000;

interface Cost {
  readonly database: SizeSample;
  readonly node: SizeSample;
}

/** Processes of PostgreSQL that serve a database or write for all. */
const processesOf = (postmaster: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid === postmaster || parentOf(pid) === postmaster);

function parentOf(pid: number): number | null {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    // It has ended.
    return null;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function positionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: string }>('SELECT position FROM barograph.head');
  return Number(rows[0]?.position);
}

async function costOf(context: Context, database: Database, count: number): Promise<Cost> {
  const url = await database.create();
  const nodes = await Promise.all(
    Array.from({ length: count }, () => startNode(context, url, SYMBOLS, { rate: RATE })),
  );
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await pause(SETTLE_MS);
  const read = async (): Promise<{ database: number; nodes: number; events: number }> => ({
    database: sum(processesOf(database.process.pid()).map(processorSeconds)),
    nodes: sum(nodes.map(({ process: { pid } }) => processorSeconds(pid))),
    events: await positionOf(client),
  });
  const [databases, each]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await read();
    await pause(ROUND_MS);
    const after = await read();
    const events = after.events - before.events;
    databases.push((1e6 * (after.database - before.database)) / events);
    each.push((1e6 * (after.nodes - before.nodes)) / events / count);
  }
  await client.end();
  await Promise.all(nodes.map((node) => node.process.kill()));
  return { database: { size: count, values: databases }, node: { size: count, values: each } };
}

const rowOf = (of: keyof Cost, what: string, atMost: number): Row => ({
  name: `cluster-growth-${of}`,
  what: `processor time of ${what} for an entry of the journal at ${RATE} events a second, with 1, 2 and 4 nodes; exponent`,
  floor: 'itself with one node',
  goal: { atMost },
  async run(context) {
    const database = await openDatabase(context);
    const costs: Cost[] = [];
    for (const count of NODES) costs.push(await costOf(context, database, count));
    return growth(
      costs.map((cost) => cost[of]),
      'nodes',
      'us',
    );
  },
});

/** Linear at most for the database; flat for a node, and a fifth of that is the noise of two cores. */
export const CLUSTER_GROWTH: readonly Row[] = [
  rowOf('database', 'PostgreSQL, all its processes,', 1),
  rowOf('node', 'each node, its idle work included,', 0.2),
];
