// Test: the PostgreSQL of the cluster tests can be stopped, killed, frozen, and cut off.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { type Postgres, type PostgresProcess, startPostgres, whyNoPostgresProcess } from './postgres.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const why = whyNoPostgresProcess();

describe.skipIf(why !== null)(`a PostgreSQL of the test's own${why === null ? '' : ` (${why})`}`, () => {
  let postgres: Postgres;
  let server: PostgresProcess;
  const connected = async (address: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: address, query_timeout: 60_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  beforeAll(async () => {
    postgres = await startPostgres();
    if (postgres.process === null) throw new Error('it has no process');
    server = postgres.process;
  });
  afterAll(() => postgres.remove());

  test('keeps what was committed before it was killed', async () => {
    const address = await postgres.createDatabase();
    const client = await connected(address);
    await client.query('CREATE TABLE kept (number int)');
    await client.query('INSERT INTO kept VALUES (1)');
    const isCut = new Promise((resolve) => client.once('end', resolve));
    await server.kill();
    await isCut;
    await expect(connected(address)).rejects.toThrow();
    await server.start();
    const again = await connected(address);
    expect((await again.query('SELECT number FROM kept')).rows).toEqual([{ number: 1 }]);
    await again.end();
    await server.stop();
    await server.start();
    await (await connected(address)).end();
  });

  test('frozen, it answers when it is thawed', async () => {
    const client = await connected(await postgres.createDatabase());
    server.freeze();
    let isAnswered = false;
    const asked = client.query('SELECT 1 AS one').then(({ rows }) => {
      isAnswered = true;
      return rows;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAnswered).toBe(false);
    server.thaw();
    expect(await asked).toEqual([{ one: 1 }]);
    await client.end();
  });

  test('behind a proxy: the answer to a commit is lost, connections are cut, held and healed', async () => {
    const address = new URL(await postgres.createDatabase());
    const direct = await connected(address.href);
    await direct.query('CREATE TABLE kept (number int)');
    const proxy = await startTcpProxy({ path: server.socket });
    const through = `postgres://postgres@127.0.0.1:${proxy.port}${address.pathname}`;
    const first = await connected(through);
    const lost = proxy.loseAnswerTo('INSERT');
    await expect(first.query('INSERT INTO kept VALUES (7)')).rejects.toThrow();
    await lost;
    expect((await direct.query('SELECT number FROM kept')).rows).toEqual([{ number: 7 }]);
    const second = await connected(through);
    proxy.hold();
    let isAnswered = false;
    const asked = second.query('SELECT 1').then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAnswered).toBe(false);
    proxy.heal();
    await asked;
    proxy.cut();
    await expect(connected(through)).rejects.toThrow();
    await eventually(() => expect(proxy.connections()).toBe(0));
    proxy.heal();
    await (await connected(through)).end();
    await direct.end();
    await proxy.close();
  });
});
