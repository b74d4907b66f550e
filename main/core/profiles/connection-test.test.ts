// Test: the test of an address and a key: order of requests, deadlines, and no echo of the key.
import { expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { createConnectionTests, type Draft, FIRST_BYTE_LIMIT } from './connection-test.ts';
import { DRAFT_LIFE } from './draft-store.ts';

const KEY = 'svc_live_plantedplantedplanted0051';
const REQUEST: Draft = { environment: 'production', url: 'https://api.example.com/v1', mode: 'auto', key: KEY };
type Answer = (path: string, headers: Headers, signal: AbortSignal | null) => Response | Promise<Response>;

const page = (): Response => Response.json({ data: [], has_more: false, next_cursor: null });
const root = (environment: string): Response =>
  Response.json({
    service: 's',
    version: '1',
    environment,
    replay: false,
    time: '2026-03-02T14:30:00.000Z',
    links: {},
  });
/** A service that identifies itself and accepts any key. */
const willing: Answer = (path) => (path === '/v1/' || path === '/v1/api/proxy/' ? root('production') : page());

function rig(answer: Answer) {
  const clock = createManualClock();
  const requests: string[] = [];
  const tests = createConnectionTests(async (url, init) => {
    const headers = new Headers(init?.headers);
    const { pathname } = new URL(url);
    requests.push(`${pathname} ${headers.get('x-api-key') ?? headers.get('authorization') ?? 'no key'}`);
    return answer(pathname, headers, init?.signal ?? null);
  }, clock);
  return {
    clock,
    requests,
    tests,
    run: (request: Partial<Draft> = {}) => tests.run({ ...REQUEST, ...request }, ['production']),
  };
}
/** Advances the clock until the answer. */
async function settled<Value>(clock: ManualClock, pending: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = pending.finally(() => {
    isDone = true;
  });
  await clock.until(() => isDone);
  return done;
}
const outcomes = (checks: readonly { of: string; outcome: string }[]): string[] =>
  checks.map(({ of, outcome }) => `${of} ${outcome}`);

test('the identity comes first, without the key; the suggested name is free', async () => {
  const { requests, run } = rig(willing);
  const result = await run();
  expect(requests).toEqual(['/v1/ no key', `/v1/snapshot ${KEY}`]);
  expect(withTexts(result)).toMatchObject({
    name: 'production-2',
    prefix: 'svc_live_',
    ending: '0051',
    draft: expect.any(String),
  });
  expect(outcomes(result.checks)).toEqual(['service good', 'key good', 'clock unknown']);
  expect(JSON.stringify(result)).not.toContain('planted');
});

test.each([
  [
    'a sandbox key for production',
    { key: 'svc_test_plantedplantedplanted0052' },
    'This is a sandbox key. Nothing was sent.',
  ],
  ['http to another computer', { url: 'http://api.example.com' }, 'Nothing was sent.'],
  ['an address with a password in it', { url: 'https://me:secret@api.example.com' }, 'Nothing was sent.'],
] as const)('%s: nothing is sent', async (_, request, message) => {
  const { requests, run } = rig(willing);
  await expect(run(request)).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

test('a service of the other environment gets no key, and cannot be added', async () => {
  const { requests, run } = rig(() => root('sandbox'));
  const result = await run();
  expect(requests).toEqual(['/v1/ no key']);
  expect(withTexts(result)).toMatchObject({
    draft: null,
    checks: [{ of: 'service', outcome: 'bad', message: expect.stringContaining('No key was sent.') }],
  });
});

test('a service that accepts Bearer alone gets a second request; a refusal of both keeps it out, with its echo hidden', async () => {
  const bearer = rig((path, headers) =>
    path === '/v1/' ? root('production') : headers.has('authorization') ? page() : new Response('{}', { status: 401 }),
  );
  expect(withTexts((await bearer.run()).checks[1]?.message)).toBe('Key accepted as Bearer');
  const refusing = rig((path) =>
    path === '/v1/' ? root('production') : Response.json({ message: `${KEY}?` }, { status: 401 }),
  );
  const result = await refusing.run();
  expect(withTexts(result)).toMatchObject({
    draft: null,
    checks: [{}, { outcome: 'bad', message: expect.stringContaining('[hidden]?') }, {}],
  });
});

test('a service that cannot be reached can still be added: it may be available later', async () => {
  const { run } = rig(() => Promise.reject(new Error('connect ECONNREFUSED')));
  expect(withTexts(await run())).toMatchObject({
    draft: expect.any(String),
    checks: [{ of: 'service', outcome: 'unknown' }],
  });
});

test('a dashboard gets no key', async () => {
  const { requests, run } = rig(willing);
  expect(withTexts(await run({ mode: 'proxy' }))).toMatchObject({
    prefix: null,
    ending: null,
    checks: [{}, { message: expect.stringContaining('dashboard') }, {}],
  });
  expect(requests).toEqual(['/v1/api/proxy/ no key', '/v1/api/proxy/snapshot no key']);
});

test('the one-time link of a dashboard is exchanged for a session, which is kept like a key', async () => {
  const { requests, tests, run } = rig((path, headers, signal) =>
    path === '/v1/session' ? Response.json({ session: 'dsh_traded' }) : willing(path, headers, signal),
  );
  const { draft } = await run({ mode: 'proxy', key: null, url: `${REQUEST.url}/#t=abc` });
  expect(requests).toEqual(['/v1/session no key', '/v1/api/proxy/ no key', '/v1/api/proxy/snapshot Bearer dsh_traded']);
  expect(tests.draft(draft ?? '')).toMatchObject({ url: REQUEST.url, key: 'dsh_traded', mode: 'proxy' });
});

test('a used link is refused with the message of the dashboard; plain http exchanges none', async () => {
  const used = { code: 'unauthorized', message: 'This link was used before.', doc_url: 'https://x.example' };
  const { requests, run } = rig(() => Response.json(used, { status: 401 }));
  await expect(run({ mode: 'proxy', url: `${REQUEST.url}/#t=abc` })).rejects.toMatchObject({
    refusal: { message: { values: { text: expect.stringContaining('used before') } } },
  });
  await expect(run({ mode: 'proxy', url: 'http://desk.example/#t=abc' })).rejects.toThrow();
  expect(requests).toEqual(['/v1/session no key']);
});

test('clocks are compared by the header of the answer', async () => {
  const at =
    (date: string): Answer =>
    (path) =>
      path === '/v1/'
        ? root('production')
        : Response.json({ data: [] }, { headers: { date: new Date(date).toUTCString() } });
  expect(withTexts((await rig(at('2026-03-02T14:30:01Z')).run()).checks[2])).toMatchObject({ outcome: 'good' });
  // A difference of clocks is a warning, not a refusal.
  expect(withTexts((await rig(at('2026-03-02T14:31:00Z')).run()).checks[2])).toMatchObject({
    outcome: 'good',
    message: "Clocks differ by 60 s. Set this computer's clock.",
  });
  expect(withTexts((await rig(at('2026-03-02T14:40:00Z')).run()).checks[2])).toMatchObject({
    outcome: 'unknown',
    message: expect.stringContaining('600 s'),
  });
});

test('a silent stream is waited for twenty seconds', async () => {
  const { clock, tests, run } = rig((path, _, signal) => {
    if (path !== '/v1/stream') return willing(path, new Headers(), null);
    const silent = new ReadableStream({
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
    });
    return new Response(silent, { headers: { 'content-type': 'text/event-stream' } });
  });
  const { draft } = await run();
  const began = clock.now();
  expect(withTexts(await settled(clock, tests.stream(draft ?? '')))).toMatchObject({
    outcome: 'unknown',
    message: expect.stringContaining('within 20 s'),
  });
  expect(clock.now() - began).toBe(FIRST_BYTE_LIMIT);
});

test('an abandoned key is discarded, and so is that of a replaced draft', async () => {
  const { clock, tests, run } = rig(willing);
  const first = (await run()).draft ?? '';
  const second = (await run()).draft ?? '';
  expect(() => tests.draft(first)).toThrow('no longer in memory');
  expect(tests.draft(second).key).toBe(KEY);
  await clock.advance(DRAFT_LIFE);
  expect(() => tests.draft(second)).toThrow('no longer in memory');
});

test('a service that repeats the key when it refuses the stream, in any form: it is hidden', async () => {
  for (const echo of [KEY, encodeURIComponent(`Bearer ${KEY}`), Buffer.from(KEY).toString('base64')]) {
    const { tests, run } = rig((path, ...request) =>
      path === '/v1/stream' ? Response.json({ message: `bad ${echo}!` }, { status: 401 }) : willing(path, ...request),
    );
    const { draft } = await run();
    const check = await tests.stream(draft ?? '');
    expect(withTexts(check)).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('[hidden]') });
    expect(JSON.stringify(check)).not.toContain(echo);
  }
});
