// Contract: the conformance kit ends against a service that accepts and never answers.
// It uses the clock that it is given.
import { expect, test } from 'vitest';
import type { FetchLike } from '../../client/request.ts';
import type { Finding } from '../../conformance/check.ts';
import { CHECKS, runKit } from '../../conformance/kit.ts';
import { createRecorder } from '../../conformance/recorder.ts';
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts';

const KEY = 'svc_test_conformance00001';
const MINUTE = 60_000;

/** Runs the checks, and lets time pass until they have ended. @returns findings, and how long it took, ms */
async function run(fetch: FetchLike, only: readonly string[] | null, limit: number, clock = createManualClock()) {
  const began = clock.now();
  let report: Awaited<ReturnType<typeof runKit>> | null = null;
  let failed: unknown = null;
  void runKit({
    service: { base: new URL('http://127.0.0.1:8787'), key: KEY, mayWrite: true, fetch, clock },
    dashboard: null,
    only: only === null ? null : new Set(only),
    onFinding: () => undefined,
  }).then(
    (ended) => (report = ended),
    (error) => (failed = error),
  );
  await clock.until(() => report !== null || failed !== null, limit);
  if (failed !== null) throw failed;
  const found = new Map((report as unknown as { findings: Finding[] }).findings.map((one) => [one.id, one]));
  return { found, took: clock.now() - began };
}
const never: FetchLike = () => new Promise(() => undefined);
const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init });
const afterwards = (clock: ManualClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

test('a service that never answers: every check ends within minutes, and says so or why it was not tried', async () => {
  const { found, took } = await run(never, null, 10 * MINUTE);
  expect(found.size).toBe(CHECKS.length + 1);
  expect([...found.values()].filter(({ status }) => status === 'green' || status === 'extension')).toEqual([
    expect.objectContaining({ id: 'https' }),
    expect.objectContaining({ id: 'key-prefix' }),
  ]);
  const red = [...found.values()].filter(({ status }) => status === 'red');
  expect(red.filter(({ detail }) => !/: no answer within [\d.]+ s/.test(detail))).toEqual([]);
  expect(red.length).toBeGreaterThan(100);
  expect(took).toBeLessThan(5 * MINUTE);
});

test('a silent path is asked once; another one still gets its time', async () => {
  const asked: string[] = [];
  const fetch: FetchLike = (address) => {
    asked.push(new URL(address).pathname);
    return address.includes('/alerts') ? never(address) : Promise.resolve(json({ status: 'ok' }));
  };
  const { found, took } = await run(fetch, ['answers-alerts', 'needs-key-alerts', 'health-open'], MINUTE);
  expect(found.get('answers-alerts')?.detail).toBe('GET /alerts: no answer within 30 s');
  expect(found.get('needs-key-alerts')?.detail).toBe('GET /alerts: no answer within 30 s (not asked again)');
  expect(found.get('health-open')?.status).toBe('green');
  expect(asked.filter((path) => path === '/alerts')).toHaveLength(1);
  expect(took).toBe(30_000);
});

test('a body that never ends has the same deadline as its head', async () => {
  const endless = (): Response =>
    new Response(new ReadableStream({ start: (writer) => writer.enqueue(new TextEncoder().encode('{"data":[')) }), {
      headers: { 'content-type': 'application/json' },
    });
  const fetch: FetchLike = async (address) => (address.includes('/alerts') ? endless() : json({ status: 'ok' }));
  const { found } = await run(fetch, ['answers-alerts'], MINUTE);
  expect(found.get('answers-alerts')).toMatchObject({ status: 'red', detail: 'GET /alerts: no answer within 30 s' });
});

test('a service that is always busy is waited for twice, and then not again', async () => {
  const clock = createManualClock();
  let calls = 0;
  const fetch: FetchLike = async () => {
    calls += 1;
    return json({ code: 'rate_limited', message: 'm' }, { status: 429, headers: { 'retry-after': '60' } });
  };
  const { took } = await run(fetch, ['answers-alerts', 'answers-history', 'answers-factors'], 5 * MINUTE, clock);
  expect(took).toBe(2 * MINUTE);
  expect(calls).toBeGreaterThan(4);
});

test('streams that the burst of a key refuses are opened after the wait that the service asks for, each once', async () => {
  const clock = createManualClock();
  const [opened, refused]: [string[], string[]] = [[], []];
  let placeAt = clock.now() + 1_000;
  const fetch: FetchLike = async (address) => {
    const { pathname, search } = new URL(address);
    if (pathname !== '/stream') return json({ data: [], has_more: false, next_cursor: null });
    const isRefused = clock.now() < placeAt;
    (isRefused ? refused : opened).push(search);
    if (isRefused)
      return json({ code: 'rate_limited', message: 'm' }, { status: 429, headers: { 'retry-after': '1' } });
    // A bucket that regains one call a second.
    placeAt = clock.now() + 1_000;
    return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  };
  const { found } = await run(fetch, ['stream-opens'], 5 * MINUTE, clock);
  expect(found.get('stream-opens')).toMatchObject({ status: 'green' });
  expect(opened).toEqual(['', '?symbols=SPY', '?severity=high_risk', '?regime=none']);
  expect(refused).toEqual(opened);
});

test('a stream that is refused again after the wait is not asked for a third time', async () => {
  const clock = createManualClock();
  let calls = 0;
  const recorder = createRecorder({
    base: new URL('http://127.0.0.1:8787'),
    key: KEY,
    mayWrite: false,
    clock,
    fetch: async () => {
      calls += 1;
      return json({ code: 'rate_limited', message: 'm' }, { status: 429, headers: { 'retry-after': '7' } });
    },
  });
  const opening = recorder.open('/stream', {}, new AbortController().signal);
  await clock.advance(6_999);
  expect(calls).toBe(1);
  await clock.advance(MINUTE);
  expect((await opening).answer.status).toBe(429);
  expect([calls, recorder.waited()]).toEqual([2, 7_000]);
});

test('a record that is being computed is waited for, as often as the service says so', async () => {
  const clock = createManualClock();
  const readyAt = clock.now() + 40_000;
  const recorder = createRecorder({
    base: new URL('http://127.0.0.1:8787'),
    key: KEY,
    mayWrite: false,
    clock,
    fetch: async () =>
      clock.now() < readyAt
        ? json({ code: 'temporarily_unavailable', message: 'm' }, { status: 503, headers: { 'retry-after': '5' } })
        : json({ data: [] }),
  });
  const asked = recorder.sendPatiently('/api/validation/metrics', {}, {});
  await clock.advance(MINUTE);
  expect((await asked).status).toBe(200);
  expect(recorder.waited()).toBe(40_000);
});

test('a check that does not come to an end is red after its time', async () => {
  const clock = createManualClock();
  let page = 0;
  const fetch: FetchLike = async (address) => {
    if (address.includes('/health')) return json({ status: 'ok' });
    await afterwards(clock, 20_000);
    page += 1;
    return json({ data: [{ id: page }], has_more: true, next_cursor: `c${page}` });
  };
  const { found, took } = await run(fetch, ['cursors-alerts'], 5 * MINUTE, clock);
  expect(found.get('cursors-alerts')).toMatchObject({ status: 'red', detail: 'no outcome within 120 s' });
  expect(took).toBeLessThan(3 * MINUTE);
});
