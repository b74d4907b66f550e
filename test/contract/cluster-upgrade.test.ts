// Contract: two versions of the tables of several nodes, over one real PostgreSQL.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../service/cluster/schema.ts';
import { notRun } from '../harness/not-run.ts';
import { type Postgres, startPostgres, whyNoPostgres } from '../harness/postgres.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { startService, TEST_KEY } from '../harness/service.ts';

const why = whyNoPostgres();
describe.skipIf(why)(`versions of the tables${notRun(why)}`, () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres.remove());

  async function connected<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  test('nodes that start at once migrate once', async () => {
    const url = await postgres.createDatabase();
    const answers = await Promise.all(Array.from({ length: 8 }, () => connected(url, (client) => migrate(client))));
    expect(answers).toEqual(Array(8).fill(null));
    const { rows } = await connected(url, (client) => client.query('SELECT version, oldest FROM barograph.version'));
    expect(rows).toEqual([{ version: 3, oldest: 1 }]);
  });

  test('a newer version adds to the tables while a node runs, and the node goes on; an older node is refused only where the database says so', {
    tags: ['long'],
    timeout: 120_000,
  }, async () => {
    const url = await postgres.createDatabase();
    const node = await startService({ environment: 'sandbox', key: TEST_KEY, symbols: 4, cluster: url });
    try {
      const newer = ['', '', '', 'ALTER TABLE barograph.journal ADD COLUMN later text'];
      expect(await connected(url, (client) => migrate(client, newer))).toBeNull();
      expect(await node.trigger('signal.created', 'SPY')).toHaveLength(1);
      const { rows } = await connected(url, (client) => client.query('SELECT version FROM barograph.version'));
      expect(rows).toEqual([{ version: 4 }]);
      const older = await startService({ environment: 'sandbox', key: TEST_KEY, symbols: 4, cluster: url });
      expect(await older.trigger('signal.created', 'SPY')).toHaveLength(1);
      await older.process.kill();
      await connected(url, (client) => client.query('UPDATE barograph.version SET oldest = 4'));
      const refused = start(process.execPath, [...nodeScript('service'), '--cluster', url, '--port', '0']);
      expect((await refused.exit).code).toBe(2);
      expect(refused.printed()).toMatch(
        /^The database of --cluster needs nodes that know version 4 of its tables, and this one knows 3\. Update this node\.$/m,
      );
    } finally {
      await node.process.kill();
    }
  });
});
