// Service, webhooks, test: the subscription API and its deliveries.
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { EVENT_NAMES, EventEnvelopeSchema } from '../../shared/wire/events.ts';
import { assemble } from '../assemble.ts';
import type { Service } from '../service.ts';
import { IN_MEMORY } from '../store/store.ts';

const KEY = 'svc_test_webhooksroom00001';
const OTHER_KEY = 'svc_test_webhooksroom00002';

interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let service: Service;
let base = '';
const arrivals: Arrival[] = [];
let status = 204;

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    arrivals.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(status).end(status === 204 ? undefined : 'no');
  });
});

/** A frozen world of a few symbols: only a test's triggers cause events. */
async function started(): Promise<Service> {
  const one = assemble(
    {
      world: { kind: 'sandbox', seed: 7, symbols: 3 },
      time: { start: Date.parse('2026-03-02T14:00:00Z'), speed: 0 },
      file: IN_MEMORY,
    },
    {
      clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      randomBytes,
      publicUrl: () => 'http://127.0.0.1:1',
      checkReplies: true,
      webhooks: { resolve: async (name) => (name.startsWith('inside') ? ['10.0.0.1'] : ['93.184.216.34']) },
    },
  );
  one.admitKey(KEY);
  one.admitKey(OTHER_KEY);
  await one.start();
  return one;
}

beforeAll(async () => {
  service = await started();
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(() => {
  arrivals.length = 0;
  status = 204;
});

interface Call {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, { body, key = KEY, headers = {} }: Call = {}) {
  const answer = await service.app.inject({
    method,
    url,
    headers: { 'x-api-key': key, ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: answer.statusCode, json: answer.json() };
}

const subscribe = (body: Record<string, unknown>, more: Call = {}) =>
  call('POST', '/signals/subscribe', { ...more, body });
let paths = 0;
const freshUrl = (): string => `${base}/fresh/${++paths}`;
const trigger = (event: string, symbol = 'SPY') => call('POST', '/sandbox/trigger', { body: { event, symbol } });
const arrivedAt = (url: string): Arrival[] => arrivals.filter(({ path }) => url.endsWith(path));

test('the first answer is 201 with a secret of 32 bytes, a repeat in any spelling is 200 without', async () => {
  const url = freshUrl();
  const first = await subscribe({ url });
  expect(first.status).toBe(201);
  expect(first.json).toMatchObject({
    url,
    events: EVENT_NAMES,
    symbols: null,
    status: 'active',
    created_at: '2026-03-02T14:00:00.000Z',
  });
  expect(Buffer.from(first.json.signing_secret, 'base64')).toHaveLength(32);
  const repeat = await subscribe({ url, events: [...EVENT_NAMES].reverse(), symbols: null });
  expect(repeat.status).toBe(200);
  expect(repeat.json.id).toBe(first.json.id);
  expect(repeat.json).not.toHaveProperty('signing_secret');
  const another = await subscribe({ url, symbols: ['spy'] });
  expect(another).toMatchObject({ status: 201, json: { symbols: ['SPY'] } });
  expect((await subscribe({ url, symbols: ['SPY', 'SPY'] })).status).toBe(200);
});

test('an Idempotency-Key gets the identical answer again, and refuses another body', async () => {
  const url = freshUrl();
  const headers = { 'idempotency-key': `key-${paths}` };
  const first = await subscribe({ url }, { headers });
  expect(await subscribe({ url }, { headers })).toEqual(first);
  expect(await subscribe({ url: freshUrl() }, { headers })).toMatchObject({
    status: 400,
    json: { code: 'invalid_request' },
  });
  expect((await subscribe({ url }, { headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(400);
  const both = await Promise.all(
    [1, 2].map(() => subscribe({ url: `${url}/both` }, { headers: { 'idempotency-key': 'both' } })),
  );
  expect(both[0]).toEqual(both[1]);
  // Idempotency keys are separate for each owner.
  expect((await subscribe({ url }, { headers, key: OTHER_KEY })).json.id).not.toBe(first.json.id);
});

test.each([
  [{}, 'url'],
  [{ url: 'not an address' }, 'url'],
  [{ url: 'ftp://example.com/' }, 'url'],
  [{ url: 'http://example.com/' }, 'url'],
  [{ url: 'https://10.0.0.1/' }, 'url'],
  [{ url: 'https://inside.example.com/' }, 'url'],
  [{ url: 'https://example.com/', events: [] }, 'events'],
  [{ url: 'https://example.com/', events: ['signal.created'] }, 'events'],
  [{ url: 'https://example.com/', symbols: ['not a symbol'] }, 'symbols'],
  [{ url: 'https://example.com/', symbols: 'SPY' }, 'symbols'],
])('%j is refused, naming %s', async (body, field) => {
  const { status: code, json } = await subscribe(body);
  expect({ code, kind: json.code }).toEqual({ code: 400, kind: 'invalid_request' });
  expect(json.message).toContain(field);
  expect(json.message).not.toContain('Something failed');
});

test('an address longer than 2048 characters is refused', async () => {
  expect((await subscribe({ url: `https://example.com/${'x'.repeat(2048)}` })).status).toBe(400);
});

test('a symbol that can have no events is 404 symbol_not_covered', async () => {
  expect(await subscribe({ url: 'https://example.com/', symbols: ['NOPE'] })).toMatchObject({
    status: 404,
    json: { code: 'symbol_not_covered' },
  });
});

test('an event arrives with the bytes of the log, and both kinds of signature verify', async () => {
  const url = freshUrl();
  const { json: made } = await subscribe({ url, events: ['signal.high_risk'] });
  const { json: triggered } = await trigger('signal.high_risk');
  const event = triggered.data.at(-1);
  await expect.poll(() => arrivedAt(url)).toHaveLength(1);
  const [{ headers, body }] = arrivedAt(url) as [Arrival];
  expect(body).toBe(JSON.stringify(event));
  expect(EventEnvelopeSchema.parse(JSON.parse(body))).toEqual(event);
  expect(headers['x-service-signature']).toBe(createHmac('sha256', made.signing_secret).update(body).digest('hex'));
  expect(headers['webhook-id']).toBe(event.event_id);
  expect(new Webhook(made.signing_secret).verify(body, headers as Record<string, string>)).toEqual(event);
  // The request has arrived, but its receipt may not be written yet.
  await expect
    .poll(async () => (await call('GET', `/signals/subscriptions/${made.id}/deliveries`)).json)
    .toMatchObject({
      has_more: false,
      data: [
        {
          event_id: event.event_id,
          status: 'delivered',
          request: { url, body },
          attempts: [{ number: 1, status: 204, error: null }],
        },
      ],
    });
});

test('a rotation: the new secret is shown once, both sign until its promotion, then only the new one does', async () => {
  const url = freshUrl();
  const { json: made } = await subscribe({ url, events: ['briefing.published'] });
  const path = `/signals/subscriptions/${made.id}`;
  expect((await call('POST', `${path}/promote-secret`)).status).toBe(400);
  const { json: rotated } = await call('POST', `${path}/rotate-secret`);
  expect(rotated).toMatchObject({ id: made.id, rotating: true });
  expect(rotated.signing_secret).not.toBe(made.signing_secret);
  expect((await call('GET', path)).json).not.toHaveProperty('signing_secret');

  await trigger('briefing.published');
  await expect.poll(() => arrivedAt(url)).toHaveLength(1);
  const [during] = arrivedAt(url) as [Arrival];
  const holds = ({ body, headers }: Arrival, secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const plain = (body: string, secret: string): string => createHmac('sha256', secret).update(body).digest('hex');
  expect([holds(during, made.signing_secret), holds(during, rotated.signing_secret)]).toEqual([true, true]);
  expect(during.headers['x-service-signature']).toBe(plain(during.body, made.signing_secret));

  expect((await call('POST', `${path}/promote-secret`)).json).toMatchObject({ rotating: false });
  await trigger('briefing.published');
  await expect.poll(() => arrivedAt(url)).toHaveLength(2);
  const after = arrivedAt(url)[1] as Arrival;
  expect([holds(after, made.signing_secret), holds(after, rotated.signing_secret)]).toEqual([false, true]);
  expect(after.headers['x-service-signature']).toBe(plain(after.body, rotated.signing_secret));
});

test('a test returns the answer, changes nothing, and is in the log; a replay sends the same event again', async () => {
  const url = freshUrl();
  const { json: made } = await subscribe({ url, events: ['signal.elevated'] });
  const path = `/signals/subscriptions/${made.id}`;
  status = 500;
  const { json: failed } = await call('POST', `${path}/test`);
  expect(failed).toMatchObject({
    kind: 'test',
    status: 'failed',
    attempts: [{ status: 500, error: 'answered 500', response: 'no' }],
  });
  expect((await call('GET', path)).json).toMatchObject({ failing_since: null });
  status = 204;
  expect((await call('POST', `${path}/test`)).json).toMatchObject({ kind: 'test', status: 'delivered' });
  const again = await call('POST', `${path}/deliveries/${failed.id}/replay`);
  expect(again).toMatchObject({ status: 200, json: { kind: 'replay', event_id: failed.event_id } });
  await expect
    .poll(() => arrivedAt(url).map(({ body }) => body))
    .toEqual(Array.from({ length: 3 }, () => failed.request.body));
});

test('lists are paged to their end, and the log can be filtered by status', async () => {
  const { json: made } = await subscribe({ url: freshUrl(), events: ['model.version'] }, { key: OTHER_KEY });
  for (let count = 0; count < 3; count++) await subscribe({ url: freshUrl() }, { key: OTHER_KEY });
  const path = `/signals/subscriptions/${made.id}`;
  for (let count = 0; count < 3; count++) await call('POST', `${path}/test`, { key: OTHER_KEY });

  const all = async (list: string): Promise<string[]> => {
    const ids: string[] = [];
    let after: string | null = null;
    do {
      const { json } = await call('GET', `${list}${after === null ? '' : `&after=${encodeURIComponent(after)}`}`, {
        key: OTHER_KEY,
      });
      ids.push(...json.data.map(({ id }: { id: string }) => id));
      after = json.next_cursor;
    } while (after !== null);
    return ids;
  };
  const subscriptions = await all('/signals/subscriptions?limit=2');
  expect(new Set(subscriptions).size).toBe(subscriptions.length);
  expect(subscriptions).toEqual(await all('/signals/subscriptions?limit=100'));
  expect(subscriptions).toContain(made.id);
  expect(await all(`${path}/deliveries?limit=1&status=delivered`)).toHaveLength(3);
  expect(await all(`${path}/deliveries?limit=2&status=failed`)).toHaveLength(0);
  expect((await call('GET', `${path}/deliveries?status=lost`, { key: OTHER_KEY })).status).toBe(400);
});

test('a caller sees only its own subscriptions', async () => {
  const { json: made } = await subscribe({ url: freshUrl() });
  const path = `/signals/subscriptions/${made.id}`;
  const deeds = ['resume', 'rotate-secret', 'promote-secret', 'test', 'deliveries/dlv_1/replay'].map(
    (deed) => ['POST', `${path}/${deed}`] as const,
  );
  for (const [method, url] of [['GET', path], ['DELETE', path], ['GET', `${path}/deliveries`], ...deeds] as const) {
    expect(await call(method, url, { key: OTHER_KEY })).toMatchObject({ status: 404, json: { code: 'not_found' } });
  }
  expect((await call('POST', `${path}/deliveries/dlv_999999/replay`)).status).toBe(404);
  expect((await call('POST', `${path}/deliveries/nonsense/replay`)).status).toBe(404);
  expect(await call('DELETE', path)).toEqual({ status: 200, json: { id: made.id, deleted: true } });
  expect((await call('GET', path)).status).toBe(404);
});

test('a resume from an invalid or future instant is refused', async () => {
  const { json: made } = await subscribe({ url: freshUrl() });
  const path = `/signals/subscriptions/${made.id}/resume`;
  for (const since of ['yesterday', '2026-03-02T14:00:01Z', 7])
    expect((await call('POST', path, { body: { since } })).status).toBe(400);
  for (const body of [{}, { since: '2026-03-01' }]) expect((await call('POST', path, { body })).status).toBe(200);
});
