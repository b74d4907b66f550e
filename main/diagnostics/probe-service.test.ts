// Test: the probe of a service: its requests, its result for every answer, and its time limit.
import { expect, test } from 'vitest';
import type { FetchLike } from '../../client/request.ts';
import { createManualClock, type ManualClock } from '../../test/harness/manual-clock.ts';
import { OWN_PEER } from '../../test/harness/peer.ts';
import type { Profile } from '../core/profiles/settings.ts';
import { probeService, SERVICE_LIMIT } from './probe-service.ts';
import type { ServiceInspection } from './service-findings.ts';

const KEY = 'svc_live_plantedplantedplanted0014';
const URL_OF = 'https://risk.example/v1';
const PROFILE: Profile = { name: 'desk', environment: 'production', baseUrl: URL_OF, mode: 'auto', enabled: true };

type Reply = () => Response | Promise<Response>;
interface Rig {
  readonly clock: ManualClock;
  readonly sent: string[];
  readonly fetch: FetchLike;
}

const STREAM = { 'content-type': 'text/event-stream' };
const speaking = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
const never: Reply = () => new Promise(() => undefined);
/** A Date header `behind` ms in the past; it has whole seconds, so 500 is the middle of one. */
const dated = (clock: ManualClock, behind: number): Record<string, string> => ({
  date: new Date(clock.now() - behind).toUTCString(),
});

const rootOf = (time: number): Response =>
  Response.json({
    ...{ service: 's', version: '1', environment: 'production', replay: false, links: {} },
    time: new Date(time).toISOString(),
  });

function rig(replies: Partial<Record<'health' | 'root' | 'events' | 'stream', Reply>> = {}, behind = 0): Rig {
  const clock = createManualClock();
  const sent: string[] = [];
  const sound: Record<string, Reply> = {
    health: () => Response.json({ status: 'ok' }, { headers: dated(clock, behind) }),
    root: () => rootOf(clock.now()),
    events: () => Response.json({ data: [], has_more: false, next_cursor: null }, { headers: dated(clock, behind) }),
    snapshot: () => Response.json({ data: [{ symbol: 'SPY', model_version: 'm-1' }] }),
    stream: () => new Response(speaking(': hello\n\n'), { headers: STREAM }),
  };
  const fetch: FetchLike = async (url, init) => {
    const { pathname, search } = new URL(url);
    sent.push(
      `${pathname}${search} ${[...new Headers(init?.headers).keys()].filter((name) => /key|authorization/.test(name)).join()}`.trim(),
    );
    const name = pathname.replace(/^\/v1\/(api\/proxy\/)?/, '') || 'root';
    return ({ ...sound, ...replies }[name] ?? never)();
  };
  return { clock, sent, fetch };
}

/** The result of a probe, and its duration in ms. */
async function inspect(
  { clock, fetch }: Rig,
  key: string | null = KEY,
  profile = PROFILE,
): Promise<ServiceInspection & { readonly after: number }> {
  const began = clock.now();
  let inspection: ServiceInspection | null = null;
  void probeService({ profile, baseUrl: URL_OF, key, peer: OWN_PEER, fetch, clock }).then((found) => {
    inspection = found;
  });
  await clock.until(() => inspection !== null, 60_000);
  return { ...(inspection as unknown as ServiceInspection), after: clock.now() - began };
}

test('three open requests, two with the key, one stream', async () => {
  const all = rig();
  expect(await inspect(all)).toMatchObject({
    ...{ health: { took: 0 }, events: { took: 0 }, model: 'm-1', stream: { took: 0 } },
  });
  expect(all.sent).toEqual([
    '/v1/health',
    '/v1/',
    '/v1/events?limit=1 x-api-key',
    '/v1/snapshot?limit=1 x-api-key',
    '/v1/stream x-api-key',
    '/v1/',
  ]);
});

test('without a key only open endpoints are probed; behind a dashboard no endpoint needs a key', async () => {
  const without = rig();
  expect(await inspect(without, null)).toMatchObject({ events: null, stream: null });
  expect(without.sent).toEqual(['/v1/health', '/v1/', '/v1/']);
  const proxied = rig();
  expect(await inspect(proxied, null, { ...PROFILE, mode: 'proxy' })).toMatchObject({
    events: { took: 0 },
    stream: { took: 0 },
  });
  expect(proxied.sent).toEqual(
    ['health', '', 'events?limit=1', 'snapshot?limit=1', 'stream', ''].map((path) => `/v1/api/proxy/${path}`),
  );
});

test.each([
  [0, 0],
  [10_000, 10_000],
  [-10_000, -10_000],
])('a service whose clock is %d ms behind', async (behind, ms) => {
  const { skew } = await inspect(rig({}, behind));
  expect(Math.abs((skew?.ms ?? Number.NaN) - ms)).toBeLessThanOrEqual(1_000);
});

test.each([
  [
    'nobody answers',
    { health: () => Promise.reject(new TypeError('fetch failed')) },
    { health: { problem: { kind: 'network' } }, events: null },
  ],
  ['it is silent', { health: never }, { health: { problem: { kind: 'timeout' } }, events: null, after: SERVICE_LIMIT }],
  [
    'the list is silent',
    { events: never },
    { health: { took: 0 }, events: { problem: { kind: 'timeout' } }, after: SERVICE_LIMIT },
  ],
  ['the stream does not open', { stream: never }, { stream: { problem: { kind: 'timeout' } } }],
  [
    'there is no list',
    { events: () => new Response(null, { status: 404 }) },
    { events: { problem: { kind: 'not_found' } } },
  ],
  [
    'there is no /health',
    { health: () => new Response(null, { status: 404 }) },
    { health: { problem: { status: 404 } }, events: { took: 0 } },
  ],
  [
    '/health has other words',
    { health: () => Response.json({ healthy: true, uptime: 7 }) },
    { health: { took: 0 }, report: { said: 'healthy: true', means: 'healthy' }, events: { took: 0 } },
  ],
  [
    '/health is one word',
    { health: () => new Response('OK') },
    { health: { took: 0 }, report: { said: 'OK', means: 'healthy' }, events: { took: 0 } },
  ],
  [
    '/health says nothing',
    { health: () => new Response(null, { status: 204 }) },
    { health: { took: 0 }, report: { said: null, means: 'alive' }, events: { took: 0 } },
  ],
  [
    '/health is down',
    { health: () => Response.json({ status: 'down' }, { status: 503 }) },
    { health: { problem: { status: 503 } }, report: { said: 'down', means: 'down' }, events: { took: 0 } },
  ],
  [
    '/health is the page of somebody else',
    { health: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }) },
    { health: { problem: { kind: 'unreadable' } }, report: { means: 'page' } },
  ],
  [
    'the key is not known',
    { events: () => new Response(null, { status: 401 }) },
    { events: { problem: { kind: 'unauthorized' } } },
  ],
  ['the stream is a page', { stream: () => new Response('<html>') }, { stream: { problem: { kind: 'unreadable' } } }],
  [
    'the stream is held back',
    { stream: () => new Response(new ReadableStream(), { headers: STREAM }) },
    { stream: { late: 3_000 } },
  ],
  [
    'the stream ends at once',
    { stream: () => new Response(null, { headers: STREAM }) },
    { stream: { problem: { kind: 'network' } } },
  ],
] as const)('%s', async (_, replies, inspection) => {
  const found = await inspect(rig(replies));
  expect(found).toMatchObject(inspection);
  expect(found.after).toBeLessThanOrEqual(SERVICE_LIMIT);
});

test.each([
  ['advances', (now: number) => now, 2_000],
  ['stands', () => 1_000, 0],
])('a clock that %s', async (_, timeOf, passed) => {
  const all = rig({ root: () => rootOf(timeOf(all.clock.now())) });
  expect(await inspect(all)).toMatchObject({ progress: { passed, expected: 2_000 } });
});

test('a key of the other environment is not sent, and an echoed one is hidden', async () => {
  const other = rig();
  expect(await inspect(other, 'svc_test_plantedplantedplanted0014')).toMatchObject({
    health: { problem: { kind: 'not_sent' } },
  });
  expect(other.sent).toEqual([]);
  const loud = rig({ events: () => Response.json({ code: 'unauthorized', message: `${KEY}?` }, { status: 401 }) });
  expect(JSON.stringify(await inspect(loud))).not.toContain('planted');
});
