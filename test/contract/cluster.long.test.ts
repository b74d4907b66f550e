// Contract: three nodes over one real PostgreSQL act as one service for every client.
// Each node is a process of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { routes } from '../../shared/wire/routes.ts';
import { LOG_HEADER, RESUME_HEADER } from '../../shared/wire/sse.ts';
import { notRun } from '../harness/not-run.ts';
import { type Postgres, startPostgres, whyNoPostgres, whyNoPostgresProcess } from '../harness/postgres.ts';
import { runScript } from '../harness/processes.ts';
import { type RunningService, startService, TEST_KEY } from '../harness/service.ts';

const NODES = 3;
const MOMENT = '2026-03-02T15:00:00Z';

/** Longer than any fail-over, and than the validation record takes on a busy machine. */
const eventually = <T>(expectation: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(expectation, { timeout: 60_000, interval: 50 });

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any route
  readonly body: any;
}

async function ask(node: RunningService, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json', ...(init.headers as object) };
  const response = await fetch(`${node.url}${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}

/** Queries that some routes need. */
const QUERIES: ReadonlyMap<string, string> = new Map([
  [routes.signal.path, '?symbol=SPY'],
  [routes.history.path, '?symbol=SPY'],
  [routes.regimeHistory.path, '?from=2026-01-01&to=2026-03-02'],
  [routes.factors.path, '?symbol=SPY'],
  [routes.archetypes.path, '?symbol=SPY'],
]);

const post = (node: RunningService, path: string, body: unknown): Promise<Answer> =>
  ask(node, path, { method: 'POST', body: JSON.stringify(body) });

const startNode = (cluster: string): Promise<RunningService> =>
  startService({ environment: 'sandbox', key: TEST_KEY, clock: MOMENT, symbols: 4, dashboardPort: 0, cluster });

interface Reading {
  readonly headers: Headers;
  /** All envelopes so far. */
  readonly events: EventEnvelope[];
  readonly isOpen: () => boolean;
  close(): void;
}

async function openStream(node: RunningService, lastEventId: string | null): Promise<Reading> {
  const abort = new AbortController();
  const headers = { 'x-api-key': TEST_KEY, ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }) };
  const response = await fetch(`${node.url}/stream`, { headers, signal: abort.signal });
  const events: EventEnvelope[] = [];
  let isOpen = true;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(JSON.parse(data) as EventEnvelope);
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  return { headers: response.headers, events, isOpen: () => isOpen, close: () => abort.abort() };
}

const why = whyNoPostgres();
describe.skipIf(why)(`three nodes${notRun(why)}`, () => {
  let postgres: Postgres;
  let cluster: string;
  let nodes: RunningService[] = [];
  const node = (index: number): RunningService => nodes[index % nodes.length] as RunningService;

  beforeAll(async () => {
    postgres = await startPostgres();
    cluster = await postgres.createDatabase();
    nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(cluster)));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(nodes.map((one) => one.process.kill()));
    await postgres.remove();
  });

  /** Resolves when every node has the event. */
  const everywhere = (eventId: string): Promise<void> =>
    eventually(async () => {
      for (const one of nodes) expect((await ask(one, `/events?limit=1&after=${eventId}`)).status).toBe(200);
    });

  test('every GET route answers the same bytes, whichever node took what was written', {
    timeout: 120_000,
  }, async () => {
    const target = { url: 'http://127.0.0.1:9/hook', events: ['signal.high_risk'] };
    const subscribed = await post(node(0), '/signals/subscribe', target);
    expect(subscribed.status).toBe(201);
    const issued = await post(node(1), '/account/keys', { scope: 'read' });
    expect(issued.status).toBe(201);
    for (const [index, state] of (['signal.high_risk', 'signal.normal', 'signal.elevated'] as const).entries())
      await node(index).trigger(state, 'SPY');
    await node(0).trigger('regime.flip', 'SPY');
    await node(1).trigger('model.version', 'SPY');
    const [last = ''] = await node(2).trigger('briefing.published', 'SPY');
    await everywhere(last);
    const id: string = subscribed.body.id;
    const briefings = await ask(node(0), '/api/briefings?limit=5');
    const paths = Object.values(routes)
      .filter(
        ({ method, path }) => method === 'GET' && ![routes.stream.path, routes.proof.path].includes(path as never),
      )
      .map(({ path }) => {
        if (path === routes.briefing.path) return path.replace(':id', briefings.body.data[0].id);
        return path.replace(':id', id).replace(':symbol', 'SPY') + (QUERIES.get(path) ?? '');
      });
    for (const path of paths) {
      // The market may move between two of the calls.
      await eventually(async () => {
        const given = await Promise.all(nodes.map((one) => ask(one, path)));
        for (const { status } of given) expect(status, path).toBe(200);
        // Every call of this test is a use of its key, on one node after the other.
        const answers = given.map(({ text }) => text.replaceAll(/"last_used_at":("[^"]*"|null)/g, ''));
        expect(new Set(answers).size, `${path}: ${answers.map((one) => one.slice(0, 2_000)).join('\n')}`).toBe(1);
      });
    }
  });

  test('a stream goes on at another node, also for an event that this one has not read yet', async () => {
    const first = await openStream(node(0), null);
    expect(first.headers.get(LOG_HEADER)).toMatch(/^[0-9a-f-]{36}\.\d+$/);
    for (const index of [0, 1, 2]) {
      const [eventId = ''] = await node(index).trigger('signal.created', 'SPY');
      const others = await Promise.all([1, 2].map((step) => openStream(node(index + step), eventId)));
      for (const other of others) expect(other.headers.get(RESUME_HEADER)).toBe('resumed');
      const [next = ''] = await node(index + 1).trigger('signal.created', 'SPY');
      await eventually(() => {
        for (const other of others) expect(other.events.map((event) => event.event_id)).toEqual([next]);
      });
      for (const other of others) other.close();
    }
    await eventually(() => expect(first.events.length).toBeGreaterThanOrEqual(6));
    const seqs = first.events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    first.close();
  }, 60_000);

  test('an unknown id is still unknown', async () => {
    const stream = await openStream(node(1), 'evt_00000000000000000000000000');
    expect(stream.headers.get(RESUME_HEADER)).toBe('unknown-id');
    stream.close();
  });

  test('a key that is revoked on one node is refused on the others within a second', async () => {
    const issued = await post(node(0), '/account/keys', { scope: 'read' });
    const headers = { 'x-api-key': issued.body.key };
    await eventually(async () => {
      for (const one of nodes) expect((await ask(one, '/snapshot', { headers })).status).toBe(200);
    });
    const revoked = await ask(node(1), `/account/keys/${issued.body.id}`, { method: 'DELETE' });
    expect(revoked.status).toBeLessThan(300);
    const at = performance.now();
    for (const one of nodes) {
      await eventually(async () => expect((await ask(one, '/snapshot', { headers })).status).toBe(401));
      expect(performance.now() - at).toBeLessThan(1_000);
    }
  });

  test('a key of the command line is good at every node, until the command line revokes it', {}, async () => {
    const issued = await runScript('barograph', 'keys', 'issue', '--cluster', cluster, '--account', 'fund');
    const key = /^key (svc_test_\S+)$/m.exec(issued)?.[1] ?? '';
    const statuses = () =>
      Promise.all(
        nodes.map(async (node) => (await ask(node, '/events?limit=1', { headers: { 'x-api-key': key } })).status),
      );
    await eventually(async () => expect(await statuses()).toEqual([200, 200, 200]));
    const listed = await runScript('barograph', 'keys', 'list', '--cluster', cluster);
    const id = /^(\S+)\t\S+\tfund\t.*live$/m.exec(listed)?.[1] ?? '';
    await runScript('barograph', 'keys', 'revoke', id, '--cluster', cluster);
    await eventually(async () => expect(await statuses()).toEqual([401, 401, 401]));
    const unused = await postgres.createDatabase();
    await expect(runScript('barograph', 'keys', 'list', '--cluster', unused)).rejects.toThrow(
      'The database of --cluster has no service yet. Start a node first.',
    );
  });

  test('calls of a minute count on all nodes', async () => {
    const remaining = async (one: RunningService): Promise<number> =>
      Number((await ask(one, '/signal?symbol=SPY')).headers.get('x-ratelimit-remaining'));
    // Counted by itself alone the second node, which is asked a few times, would have more left than the first. A minute that ends meanwhile begins it again.
    await eventually(async () => {
      let there = Number.NaN;
      for (let call = 0; call < 20; call++) there = await remaining(node(0));
      const isShared = async (): Promise<void> => expect(await remaining(node(1))).toBeLessThan(there);
      await vi.waitFor(isShared, { timeout: 1_500, interval: 300 });
    });
  });

  test('a subscription that one node took is delivered once by the node that has its lane', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['x-event-id'] ?? request.headers['x-webhook-event-id'] ?? ''));
      request.resume();
      response.writeHead(200).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    try {
      const { port } = receiver.address() as AddressInfo;
      for (let index = 0; index < 4; index++)
        expect(
          (
            await post(node(index), '/signals/subscribe', {
              url: `http://127.0.0.1:${port}/${index}`,
              events: ['signal.high_risk'],
            })
          ).status,
        ).toBe(201);
      const before = received.length;
      const made = await node(0).trigger('signal.high_risk', 'SPY');
      expect(made.length).toBeGreaterThan(0);
      await eventually(() => expect(received.length - before).toBe(4));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(received.length - before).toBe(4);
    } finally {
      receiver.close();
    }
  }, 60_000);

  test('a session of the dashboard is known at every node; signed out at one, it is over at all', async () => {
    const dashboards = await Promise.all(
      nodes.map(async ({ process }) => (await process.line(/^dashboard (\S+)$/))[1] ?? ''),
    );
    const [first = ''] = dashboards;
    const json = { 'content-type': 'application/json' };
    const answers = async (session: string): Promise<number[]> => {
      const headers = { authorization: `Bearer ${session}` };
      return Promise.all(dashboards.map(async (url) => (await fetch(`${url}/api/proxy/snapshot`, { headers })).status));
    };
    const made = await fetch(`${first}/link`, {
      method: 'POST',
      headers: { ...json, 'x-api-key': TEST_KEY },
      body: '{}',
    });
    const token = new URL((await made.json()).link).hash.slice('#t='.length);
    const traded = await fetch(`${first}/session`, { method: 'POST', headers: json, body: JSON.stringify({ token }) });
    const { session } = await traded.json();
    await eventually(async () => expect(await answers(session)).toEqual(nodes.map(() => 200)));
    const ended = await fetch(`${dashboards[1]}/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${session}` },
    });
    expect(ended.ok).toBe(true);
    await eventually(async () => expect(await answers(session)).toEqual(nodes.map(() => 401)));
  }, 60_000);

  const whyNoProcess = whyNoPostgresProcess();
  test.skipIf(whyNoProcess)(
    `while PostgreSQL is away, reads and streams go on and writes are 503${notRun(whyNoProcess)}`,
    async () => {
      const stream = await openStream(node(0), null);
      await postgres.process?.stop('immediate');
      for (const one of nodes) {
        const refused = await eventually(async () => {
          const answer = await post(one, '/account/keys', { scope: 'read' });
          expect(answer.status).toBe(503);
          return answer;
        });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect((await ask(one, '/snapshot')).status).toBe(200);
        expect((await ask(one, '/events?limit=5')).status).toBe(200);
      }
      expect(stream.events).toEqual([]);
      await postgres.process?.start();
      const [eventId] = await eventually(() => node(1).trigger('signal.created', 'SPY'));
      await eventually(() => expect(stream.events.at(-1)?.event_id).toBe(eventId));
      expect(stream.isOpen()).toBe(true);
      stream.close();
    },
    120_000,
  );
});
