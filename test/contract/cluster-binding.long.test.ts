// Contract: the flags that every node of a database must have, over one real PostgreSQL.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresJournal, type PostgresJournal } from '../../service/cluster/postgres-journal.ts';
import { nodeBinding } from '../../service/cluster/run-node.ts';
import type { ListenDeps } from '../../service/listen.ts';
import { notRun } from '../harness/not-run.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../harness/postgres.ts';

type Terms = Pick<ListenDeps, 'plans'>;
const CONFIG = { world: { kind: 'prices', folder: '/srv/prices' }, time: { start: null, speed: 1 } } as const;
const TERMS: Terms = { plans: { plan: 'desk', enforced: true } };
const FLAGS = '--env production, the real clock, --plan desk';

const why = whyNoPostgres();
describe.skipIf(why)(`the flags of nodes${notRun(why)}`, () => {
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
  test('a node with other flags is refused, one with the same is not', async () => {
    await join(TERMS);
    await join(TERMS);
    await expect(join({ plans: { ...TERMS.plans, hardCap: true } })).rejects.toThrow(
      `belongs to ${FLAGS}, not to ${FLAGS}, --hard-cap. Start this node as the others`,
    );
    await join(TERMS);
  });
});
