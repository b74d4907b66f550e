// Contract: the flags that every node of a database must have, over one real PostgreSQL.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresJournal, type PostgresJournal } from '../../service/cluster/postgres-journal.ts';
import { nodeBinding } from '../../service/cluster/run-node.ts';
import type { ListenDeps } from '../../service/listen.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../harness/postgres.ts';

type Terms = Pick<ListenDeps, 'plans' | 'withholdsPrices'>;
const CONFIG = { world: { kind: 'prices', folder: '/srv/prices' }, time: { start: null, speed: 1 } } as const;
const GIVING: Terms = { plans: { plan: 'desk', enforced: true } };
const WITHHOLDING: Terms = { ...GIVING, withholdsPrices: true };
const FLAGS = '--env production, the real clock, --plan desk';

describe.skipIf(whyNoPostgres() !== null)('the flags of nodes', () => {
  let postgres: Postgres;
  let url: string;
  const opened: PostgresJournal[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres.remove());
  beforeEach(async () => {
    url = await postgres.createDatabase();
  });
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

  /** Joins the database, or throws the sentence that refuses it. */
  async function join(terms: Terms): Promise<void> {
    const journal = createPostgresJournal(url, nodeBinding(CONFIG, terms), () => 0);
    opened.push(journal);
    await journal.open();
  }
  async function sql(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
  /** The tables as a version left them whose nodes did not say whether they withhold prices. */
  const asBefore = (): Promise<void> =>
    sql('ALTER TABLE barograph.head DROP COLUMN withholds_prices; UPDATE barograph.version SET version = 2');

  test.each([
    { first: WITHHOLDING, other: GIVING, of: `${FLAGS}, --no-prices`, not: FLAGS },
    { first: GIVING, other: WITHHOLDING, of: FLAGS, not: `${FLAGS}, --no-prices` },
    { first: GIVING, other: { plans: { ...GIVING.plans, hardCap: true } }, of: FLAGS, not: `${FLAGS}, --hard-cap` },
  ])('another node is refused: $of, not $not', async ({ first, other, of, not }) => {
    await join(first);
    await join(first);
    await expect(join(other)).rejects.toThrow(`belongs to ${of}, not to ${not}. Start this node as the others`);
    await join(first);
  });

  test.each([
    [WITHHOLDING, GIVING],
    [GIVING, WITHHOLDING],
  ])(
    'a database of an older version opens, and the first node of this one says it for all (%#)',
    async (first, other) => {
      await join(GIVING);
      await asBefore();
      // One that is refused for another flag says nothing.
      await expect(join({ ...other, plans: { plan: 'pro' } })).rejects.toThrow('Start this node as the others');
      await join(first);
      await expect(join(other)).rejects.toThrow('Start this node as the others');
    },
  );

  test('what all nodes do can be changed while none runs', async () => {
    await join(GIVING);
    await sql('UPDATE barograph.head SET withholds_prices = NULL');
    await join(WITHHOLDING);
    await expect(join(GIVING)).rejects.toThrow('--no-prices');
  });
});
