// Contract: a node of a cluster behind PgBouncer, over one real PostgreSQL.
// Skipped where PgBouncer is not installed.
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram, whyNotRoot } from '../harness/not-run.ts';
import { type Postgres, startPostgres, whyNoPostgresProcess } from '../harness/postgres.ts';
import { nodeScript, start } from '../harness/processes.ts';
import { startService, TEST_KEY } from '../harness/service.ts';

// It refuses to run as root, and changes to another user only from there.
const POOLER = '/usr/sbin/pgbouncer';
const why = whyNotRoot ?? whyNoProgram(POOLER) ?? whyNoPostgresProcess();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  return address.port;
}

describe.skipIf(why)(`behind a pooler${notRun(why)}`, { tags: ['long'] }, () => {
  let postgres: Postgres;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    postgres = await startPostgres();
    folder = temporaryFolder();
    chmodSync(folder.path, 0o755);
  }, 120_000);
  afterAll(async () => {
    await postgres.remove();
    folder.remove();
  });

  /** Starts a pooler before a new database. @returns its address of the database */
  async function pooled(mode: 'session' | 'transaction' | 'statement', more = '') {
    const database = new URL(await postgres.createDatabase()).pathname.slice(1);
    const port = await freePort();
    const file = join(folder.path, `${database}.ini`);
    const socket = dirname(postgres.process?.socket ?? '');
    writeFileSync(
      file,
      `[databases]\n* = host=${socket} port=5432 user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\n${more}\n`,
    );
    const pooler = start(POOLER, ['-u', 'nobody', file]);
    await eventually(() => expect(pooler.printed()).toMatch(/process up/));
    return { url: `postgres://postgres@127.0.0.1:${port}/${database}`, end: () => pooler.kill() };
  }

  /** Opens so many sessions of the pooler, which then wait for others. */
  async function warm(url: string, sessions: number): Promise<void> {
    const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    await Promise.all(clients.map((client) => client.query('BEGIN')));
    await Promise.all(clients.map((client) => client.query('COMMIT')));
    await Promise.all(clients.map((client) => client.end()));
  }

  test.each([
    ['transaction', '', 0],
    ['transaction', 'server_round_robin = 1', 4],
    ['statement', '', 0],
  ] as const)('in %s mode (%s) a node is refused in one sentence', async (mode, more, sessions) => {
    const pooler = await pooled(mode, more);
    try {
      if (sessions > 0) await warm(pooler.url, sessions);
      const node = start(process.execPath, [...nodeScript('service'), '--cluster', pooler.url, '--port', '0']);
      expect((await node.exit).code).toBe(2);
      expect(node.printed()).toMatch(
        new RegExp(`^The address of --cluster is a pooler in ${mode} mode, which keeps no locks\\. .*$`, 'm'),
      );
    } finally {
      await pooler.end();
    }
  });

  test('in session mode a node starts and announces', async () => {
    const pooler = await pooled('session');
    try {
      const node = await startService({ environment: 'sandbox', key: TEST_KEY, symbols: 4, cluster: pooler.url });
      expect(await node.trigger('signal.created', 'SPY')).toHaveLength(1);
      await node.process.kill();
    } finally {
      await pooler.end();
    }
  }, 60_000);
});
