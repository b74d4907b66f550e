// Contract: the conformance kit finds no fault in our service, and every fault of a broken one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROKEN_EXTENSION, type Finding } from '../../conformance/check.ts';
import { CHECKS, runKit } from '../../conformance/kit.ts';
import type { Timeouts } from '../../conformance/push-run.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { startBroken } from '../harness/broken-service.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { VIOLATIONS } from './sabotages.ts';

const KEY = 'svc_test_conformance00001';
const TIMEOUT_MS = 90_000;
/** Rules that no run can check: they need a day, a month, or people. */
const NEVER_TRIED = [
  'real-time',
  'sdks',
  'webhook-backoff',
  'webhook-pause',
  'key-life',
  'onboarding',
  'hard-cap',
  'quota',
  'burst',
];
/** What is only there when something is wrong. */
const ONLY_WHEN_SEEN = ['error-429', 'error-502', 'retry-after', 'overage', 'high-risk-above-base', 'own-events'];
/** What no server breaks here: an address of another computer, a key of its own, reports (a test of their own). */
const ELSEWHERE = ['https', 'key-prefix', 'own-endpoints', 'own-parameters', 'own-fields', 'own-events'];

let service: RunningProcess;
let url = '';
let dashboard = '';
beforeAll(async () => {
  service = start(process.execPath, [
    ...nodeScript('service'),
    '--symbols',
    '12',
    // Filters by state need rows that differ; on ordinary days a symbol may not change for a week.
    '--scenario',
    'burst',
    '--clock',
    '2026-03-02T14:30:00Z,x1',
    '--port',
    '0',
    '--dashboard-port',
    '0',
    '--dashboard-open',
    '--key',
    KEY,
  ]);
  url = (await service.line(/^ready (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
  // A burst makes High Risk alone: one that was Elevated, for the filter by state.
  await fetch(`${url}/sandbox/trigger`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'signal.elevated', symbol: 'XLE' }),
  });
  dashboard = (await service.line(/^dashboard (http:\S+)$/, TIMEOUT_MS))[1] ?? '';
}, TIMEOUT_MS);
afterAll(() => service?.kill());

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
async function findings(
  base: string,
  only: readonly string[] | null,
  key: string | null = KEY,
  timeouts: Partial<Timeouts> = {},
): Promise<ReadonlyMap<string, Finding>> {
  const report = await runKit({
    service: { base: new URL(base), key, mayWrite: true, fetch: (address, init) => fetch(address, init), clock },
    dashboard: only === null ? new URL(dashboard) : null,
    only: only === null ? null : new Set(only),
    timeouts,
    onFinding: () => undefined,
  });
  return new Map(report.findings.map((one) => [one.id, one]));
}
const withStatus = (found: ReadonlyMap<string, Finding>, status: string): string[] =>
  [...found.values()].flatMap((one) => (one.status === status ? [one.id] : []));

test('our service: all green, and skipped only what no run can try', { timeout: TIMEOUT_MS }, async () => {
  const found = await findings(url, null);
  expect([...found.values()].filter(({ status }) => status === 'red')).toEqual([]);
  expect([...found.values()].filter(({ detail }) => detail.startsWith(BROKEN_EXTENSION))).toEqual([]);
  expect(
    withStatus(found, 'skipped')
      .filter((id) => !ONLY_WHEN_SEEN.includes(id))
      .sort(),
  ).toEqual([...NEVER_TRIED].sort());
  for (const { detail, status } of found.values()) if (status === 'skipped') expect(detail).not.toBe('');
});

test('every check has a name of its own, and is broken by something', () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const broken = new Set(VIOLATIONS.flatMap(({ red }) => red));
  expect([...broken].filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !broken.has(id) && ![...NEVER_TRIED, ...ELSEWHERE].includes(id))).toEqual([]);
});

describe('a service with', () => {
  test.each(VIOLATIONS.map((one) => [one.what, one] as const))(
    '%s',
    { timeout: TIMEOUT_MS },
    async (_, { red, first = [], sabotage, answerLimit }) => {
      const broken = await startBroken(url, sabotage);
      try {
        const found = await findings(broken.url, [...first, ...red], KEY, {
          // A withheld event never arrives; the wait for it is shorter.
          arrive: red.some((id) => /^(event-.*|stream-opens|stream-delivers|webhook-delivered)$/.test(id))
            ? 3_000
            : 15_000,
          retry: 8_000,
          silent: 4_000,
          ...(answerLimit === undefined ? {} : { answer: answerLimit }),
        });
        const wrong = red.map((id) => `${id}: ${found.get(id)?.status} ${found.get(id)?.detail}`);
        expect(wrong.filter((one) => !/^[\w-]+: (red|extension does not hold:) ./.test(one))).toEqual([]);
      } finally {
        await broken.close();
      }
    },
  );
});

test('what a service has beyond the specification is told, and is no failure', { timeout: TIMEOUT_MS }, async () => {
  const broken = await startBroken(url, {
    answer: ({ status, body }, { path }) => {
      if (status !== 200) return;
      if (path === '/openapi.json') {
        body.paths['/moods'] = { get: { parameters: [] } };
        body.paths['/alerts'].get.parameters.push({ name: 'mood', in: 'query' });
      }
      if (path.startsWith('/signal?')) body.mood = 'gloomy';
    },
    frame: (frame) => `${frame}\n\nid: evt_mood_${frame.length}\nevent: mood.changed\ndata: {"event":"mood.changed"}`,
  });
  const found = await findings(broken.url, ['own-endpoints', 'own-parameters', 'own-fields', 'own-events']);
  await broken.close();
  expect(withStatus(found, 'extension')).toHaveLength(4);
  expect(found.get('own-endpoints')?.detail).toMatch(/GET \/events\b.*GET \/moods/);
  expect(found.get('own-endpoints')?.detail).not.toMatch(/GET \/snapshot|POST \/signals\/subscribe(,|$)/);
  expect(found.get('own-parameters')?.detail).toContain('/alerts?mood=');
  expect(found.get('own-fields')?.detail).toMatch(/\/signal: .*mood/);
  expect(found.get('own-events')?.detail).toBe('mood.changed');
});

test('without a key what is open is green, and the rest is said to be closed', { timeout: TIMEOUT_MS }, async () => {
  const found = await findings(url, ['health-open', 'root-open', 'openapi', 'answers-snapshot', 'key-form'], null);
  expect(withStatus(found, 'green')).toEqual(['health-open', 'root-open', 'openapi']);
  expect(found.get('answers-snapshot')).toMatchObject({ status: 'red', detail: expect.stringContaining('401') });
});

test('a key that is taken as a bearer only is presented so', { timeout: TIMEOUT_MS }, async () => {
  const broken = await startBroken(url, { request: ({ headers }) => void delete headers['x-api-key'] });
  const found = await findings(broken.url, ['answers-snapshot', 'key-form', 'stream-delivers', 'webhook-signature']);
  await broken.close();
  expect(withStatus(found, 'green')).toHaveLength(4);
  expect(found.get('key-form')?.detail).toBe('Bearer');
});

test('an age that grows between two requests does not make an answer another one', {
  timeout: TIMEOUT_MS,
}, async () => {
  let age = 0;
  const broken = await startBroken(url, {
    answer: ({ body }, { path }) => {
      if (path.includes('as_of=')) body.data_age_seconds = ++age;
    },
  });
  const found = await findings(broken.url, ['sandbox-deterministic']);
  await broken.close();
  expect(withStatus(found, 'green')).toEqual(['sandbox-deterministic']);
});

describe('a server that answers everything with', () => {
  test.each([
    ['null', 'application/json'],
    ['[]', 'application/json'],
    ['"text"', 'application/json'],
    ['7', 'application/json'],
    [
      '{"data":[null,7,{}],"has_more":"yes","next_cursor":{},"powers":[],"symbols":[null],"provenance":7}',
      'application/json',
    ],
    ['{"data":{"data":[]},"code":7,"doc_url":"http://[","paths":null,"speed":"fast"}', 'application/json'],
    ['data: x\n\ndata: {"event":7,"data":null}\n\n', 'text/event-stream'],
    ['<html>', 'text/html'],
    ['', 'text/plain'],
    ['{"code":[],"message":{}}', 'application/json', 404],
  ] as [string, string, number?][])(
    '%s is found red, and breaks nothing',
    { timeout: TIMEOUT_MS },
    async (body, type, status = 200) => {
      const server = createServer((request, response) => {
        request.resume();
        response.writeHead(status, { 'content-type': type }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const found = await findings(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        CHECKS.map(({ id }) => id),
        KEY,
        { arrive: 500, passive: 500 },
      );
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(found.size).toBe(CHECKS.length);
      expect(withStatus(found, 'red').length).toBeGreaterThan(CHECKS.length / 4);
    },
  );
});

describe('the command', () => {
  const cli = nodeScript('barograph');
  const run = async (base: string, ...flags: string[]) => {
    const child = start(process.execPath, [...cli, 'conformance', base, ...flags], { BAROGRAPH_KEY: KEY });
    return { ...(await child.exit), printed: child.printed() };
  };

  test('ends with 0 when nothing is red, and prints a line a check', { timeout: TIMEOUT_MS }, async () => {
    const { code, printed } = await run(url, '--only', 'health-open,answers-snapshot,webhook-pause');
    expect(printed).toMatch(
      /^green {5}§4\.1 {2}health-open .*\n(.*\n)*skipped .*that takes a day\n2 green, 0 red, 1 skipped, own extensions: 0\n$/,
    );
    expect(printed).not.toContain(KEY);
    expect(code, printed).toBe(0);
  });

  test('ends with 1 when something is red; --json is one document with the dialect', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const broken = await startBroken(url, { answer: ({ body }) => void delete body?.has_more });
    const { code, printed } = await run(broken.url, '--json', '--no-write');
    await broken.close();
    const report = JSON.parse(printed);
    expect(code, printed).toBe(1);
    expect(report.counts.red).toBeGreaterThan(5);
    expect(report.checks.find(({ id }: Finding) => id === 'envelope-alerts')).toMatchObject({
      verdict: 'red',
      section: '2.4',
    });
    expect(report.checks.find(({ id }: Finding) => id === 'webhook-delivered')).toMatchObject({ verdict: 'skipped' });
    expect(report.dialect).toMatchObject({
      key: 'X-API-Key',
      'factor variant': 'A and B',
      'reset unit': 'epoch seconds',
      briefings: '/api/briefings',
    });
  });

  test('ends with 1 and one line when nobody answers', async () => {
    const { code, printed } = await run('http://127.0.0.1:9');
    expect([code, printed]).toEqual([
      1,
      expect.stringMatching(/^barograph: The service at 127\.0\.0\.1:9 does not answer .*\n$/),
    ]);
  });
});
