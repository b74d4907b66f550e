// Faults: one node of a real cluster is frozen, or cut off from PostgreSQL, while the others go on.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANES, laneOf } from '../../service/cluster/lane.ts';
import { eventually } from '../harness/eventually.ts';
import { notRun } from '../harness/not-run.ts';
import { whyNoPostgresProcess } from '../harness/postgres.ts';
import {
  CLUSTER_KEY,
  type ClusterHost,
  openCluster,
  patiently,
  type RealCluster,
  sandboxFlags,
} from './cluster-kill-cluster.ts';

const NODES = 3;
const ANSWER_MS = 10_000;

async function ask(host: ClusterHost, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${host.url()}${path}`, {
    headers: { 'x-api-key': CLUSTER_KEY, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** @throws when it is refused */
async function post<Body>(host: ClusterHost, path: string, body: unknown): Promise<Body> {
  const answer = await ask(host, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

async function remove(host: ClusterHost, path: string): Promise<void> {
  const answer = await fetch(`${host.url()}${path}`, { method: 'DELETE', headers: { 'x-api-key': CLUSTER_KEY } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
}

const why = whyNoPostgresProcess();
describe.skipIf(why)(`one node of three${notRun(why)}`, () => {
  let cluster: RealCluster;
  beforeAll(async () => {
    cluster = await openCluster(NODES, () => sandboxFlags(0));
    for (const host of cluster.hosts) await host.start();
  }, 240_000);
  afterAll(() => cluster.remove());

  const host = (index: number): ClusterHost => cluster.hosts[index] as ClusterHost;

  interface Health {
    readonly data_age_seconds: number;
    readonly data_health: string;
  }
  const healthAt = async (index: number): Promise<Health> => {
    const { status, body } = await ask(host(index), '/signal?symbol=SPY');
    expect(status).toBe(200);
    return body as Health;
  };
  /** Everything that a stream sends until it ends. */
  const stream = async (index: number): Promise<string> => {
    const answer = await fetch(`${host(index).url()}/stream`, { headers: { 'x-api-key': CLUSTER_KEY } });
    return answer.text();
  };

  test('that is cut off from PostgreSQL says so, and is not ready while another leads', async () => {
    const { network } = host(2);
    const age = async (index: number): Promise<number> => (await healthAt(index)).data_age_seconds;
    const streamed = stream(2);
    /** In the time of the world, which is sixty times as fast. */
    const minutes = (count: number): number => count * 60;
    const before = await age(2);
    network.hold();
    // It has the prices that it had, also where the others have newer ones.
    await eventually(async () => expect(await age(2)).toBeGreaterThan(before + minutes(15)));
    expect((await healthAt(2)).data_health).toBe('delayed');
    expect((await ask(host(2), '/health/ready')).status).toBe(503);
    const said = await streamed;
    expect(said).toContain('this stream ends after 30 s of it');
    expect(said).toContain('reconnect with Last-Event-ID');
    expect((await ask(host(2), '/stream')).status).toBe(503);
    network.heal();
    await eventually(async () => expect((await ask(host(2), '/health/ready')).status).toBe(200));
    await eventually(async () => expect((await healthAt(2)).data_health).toBe('current'));
    await eventually(async () => expect(Math.abs((await age(2)) - (await age(0)))).toBeLessThan(minutes(3)));
    await eventually(async () => expect((await ask(host(2), '/account/keys', { scope: 'read' })).status).toBe(201));
  }, 240_000);

  describe('and a receiver of webhooks', () => {
    let receiver: Server;
    /** Path and text of each delivery. */
    let received: { path: string; body: string }[];
    beforeAll(async () => {
      received = [];
      receiver = createServer((request, response) => {
        void text(request).then((body) => {
          received.push({ path: request.url ?? '', body });
          response.writeHead(200).end();
        });
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
    });
    afterAll(() => void receiver.close());

    /** Adds subscriptions until each lane has one, and removes those of a lane that has one already. */
    async function subscribeEachLane(): Promise<Map<string, number>> {
      const lanes = new Map<string, number>();
      const { port } = receiver.address() as AddressInfo;
      for (let count = 0; lanes.size < LANES; count++) {
        const target = { url: `http://127.0.0.1:${port}/${count}`, events: ['regime.flip'] };
        const { id } = await post<{ id: string }>(host(0), '/signals/subscribe', target);
        if ([...lanes.values()].includes(laneOf(id))) await remove(host(0), `/signals/subscriptions/${id}`);
        else lanes.set(`/${count}`, laneOf(id));
      }
      return lanes;
    }

    test('that is frozen loses its lanes of webhooks to the others', { timeout: 240_000 }, async () => {
      const lanes = await subscribeEachLane();
      /** Lanes of the deliveries of an event. */
      const reached = (id: string): (number | undefined)[] =>
        received.filter(({ body }) => body.includes(id)).map(({ path }) => lanes.get(path));
      const eachOnce = async (): Promise<void> => {
        const { data } = await patiently(() =>
          post<{ data: { event_id: string }[] }>(host(0), '/sandbox/trigger', { event: 'regime.flip', symbol: 'SPY' }),
        );
        const id = data[0]?.event_id ?? 'none';
        await eventually(() => expect(new Set(reached(id)).size).toBe(LANES));
        expect(reached(id)).toHaveLength(LANES);
      };
      host(2).signal('SIGSTOP');
      await eachOnce();
      host(2).signal('SIGCONT');
      await eachOnce();
    });
  });

  // Last: another node may lead afterwards.
  test('that led and is cut off evaluates no further, and stays ready as the last leader', async () => {
    const timeOf = async (): Promise<number> => Date.parse(((await ask(host(0), '/')).body as { time: string }).time);
    const streamed = stream(0);
    host(0).network.hold();
    await eventually(async () => expect((await healthAt(0)).data_health).toBe('delayed'));
    const stood = await timeOf();
    expect((await healthAt(1)).data_health).toBe('current');
    expect(await streamed).toContain('this stream ends after 30 s of it');
    // It may have evaluated once more while it was found to be cut off.
    expect((await timeOf()) - stood).toBeLessThan(5_000);
    expect((await ask(host(0), '/health/ready')).status).toBe(200);
    host(0).network.heal();
    await eventually(async () => expect((await healthAt(0)).data_health).toBe('current'));
  }, 240_000);
});
