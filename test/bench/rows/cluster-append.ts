// Bench: durable writes by one node of a cluster, against a bare INSERT.
// A write goes from the service over the thread with the connection, until it is durable.
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Journal } from '../../../service/cluster/journal.ts';
import { startJournalThread } from '../../../service/cluster/journal-thread.ts';
import { compare, interleave } from '../measure.ts';
import type { Context, Row } from '../row.ts';
import { connectTo, type Database, openDatabase, openNode } from '../support/cluster.ts';
import { createTransitions } from '../support/forced-transition.ts';

const BATCH = 100;

interface Appending {
  /** The body of an entry: the rows of the store that one event changes. */
  readonly body: string;
  /** Appends so many entries. @returns entries a second */
  append(body: string, count: number): number;
  /** Runs so many statements of `rows` rows, a transaction each. @returns statements a second */
  insert(rows: number, count: number): Promise<number>;
}

async function openAppending(context: Context): Promise<Appending> {
  const database = await openDatabase(context);
  const body = await bodyOfEvent(context, database);
  const thread = startJournalThread({ url: database.url, node: 'bench', binding: 'bench' }, () => undefined);
  context.defer(() => thread.close());
  await thread.open();
  const client = await connectTo(context, database.url);
  await client.query('CREATE TABLE bare_journal (LIKE barograph.journal INCLUDING ALL)');
  return { body, append: appender(thread.journal), insert: inserter(client, body) };
}

/** What a real node writes for one forced transition. */
async function bodyOfEvent(context: Context, database: Database): Promise<string> {
  const cluster = await database.create();
  const node = await openNode(context, cluster, 3);
  createTransitions(node.service)();
  const client = await connectTo(context, cluster);
  const { rows } = await client.query<{ body: string }>(
    `SELECT body FROM barograph.journal WHERE body LIKE '%evt_%' ORDER BY position DESC LIMIT 1`,
  );
  await node.close();
  const [row] = rows;
  if (row === undefined) throw new Error('a forced transition wrote nothing into the journal');
  return row.body;
}

const perSecond = (count: number, begun: number): number => (1000 * count) / (performance.now() - begun);

function appender(journal: Journal): Appending['append'] {
  let [after, previous] = [0, ''];
  return (body, count) => {
    const begun = performance.now();
    for (let entry = 0; entry < count; entry += 1) {
      const id = randomUUID();
      const result = journal.append({ id, after, previous, epoch: null, body, worldTime: null });
      if (result !== 'appended') throw new Error(`an entry was not appended: ${result}`);
      [after, previous] = [after + 1, id];
    }
    return perSecond(count, begun);
  };
}

const INSERT = `
  INSERT INTO bare_journal (position, epoch, entry, previous, body)
  SELECT position, 0, entry, '', body FROM unnest($1::bigint[], $2::text[], $3::text[]) AS rows (position, entry, body)`;

function inserter(client: pg.Client, body: string): Appending['insert'] {
  let last = 0;
  return async (rows, count) => {
    const bodies = Array.from({ length: rows }, () => body);
    const begun = performance.now();
    for (let statement = 0; statement < count; statement += 1) {
      const positions = bodies.map((_, row) => last + row + 1);
      last += rows;
      await client.query(INSERT, [positions, positions.map(() => randomUUID()), bodies]);
    }
    return perSecond(count, begun);
  };
}

const WHAT =
  'entries a second of the journal of a cluster: from the service, over the thread with the connection, to durable';

const singly: Row = {
  name: 'cluster-append-singly',
  what: `${WHAT}; one event each`,
  floor: 'a bare INSERT of the same rows with the same index over one connection of pg, one a transaction, same server',
  goal: { atLeast: 0.55 },
  async run(context) {
    const appending = await openAppending(context);
    const count = 400;
    const pair = await interleave({
      product: () => appending.append(appending.body, count),
      floor: () => appending.insert(1, count),
      budget: 25_000,
      collect: false,
    });
    const notes = [`${appending.body.length} bytes an event`];
    return compare(pair, { product: 'journal', floor: 'INSERT', unit: 'entries/s', notes });
  },
};

const batch: Row = {
  name: 'cluster-append-batch',
  what: `${WHAT}; ${BATCH} events in one transaction`,
  floor: `a bare INSERT of ${BATCH} rows in one statement, same bytes, same index, same server`,
  goal: { atLeast: 0.7 },
  async run(context) {
    const appending = await openAppending(context);
    const changes = JSON.parse(appending.body) as unknown[];
    const body = JSON.stringify(Array.from({ length: BATCH }, () => changes).flat());
    const count = 60;
    const pair = await interleave({
      product: () => appending.append(body, count),
      floor: () => appending.insert(BATCH, count),
      budget: 25_000,
      collect: false,
    });
    const notes = [`${Math.round(body.length / 1024)} KB a transaction`];
    return compare(pair, { product: 'journal', floor: 'INSERT', unit: 'transactions/s', notes });
  },
};

export const CLUSTER_APPEND: readonly Row[] = [singly, batch];
