// Contract: every answer matches /openapi.json: no 500, no stack, no error that is not JSON.
// Requests are generated from the document, valid and invalid; some are malformed on the wire.
// BAROGRAPH_TEST_REQUESTS=N sends N, BAROGRAPH_TEST_SEED=S chooses others.
import { assert, asyncProperty } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBodySchema } from '../../shared/wire/errors.ts';
import { documentedAnswer } from '../harness/documented-answer.ts';
import {
  brokenArbitrary,
  type Operation,
  operationsOf,
  type RandomRequest,
  requestArbitrary,
  textOf,
} from '../harness/random-requests.ts';

import { type RawAnswer, readAnswers, sendRaw } from '../harness/raw-http.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const REQUESTS = Number(process.env.BAROGRAPH_TEST_REQUESTS ?? 250);
const SEED = Number(process.env.BAROGRAPH_TEST_SEED ?? 20_260_302);
/** So many of them go over a socket, one byte out of place. */
const BROKEN = Math.ceil(REQUESTS / 10);
const STACK = /\n\s+at |\.ts:\d|node_modules|SQLITE|ZodError|TypeError/;

let sandbox: Sandbox;
let port = 0;
let operations: Operation[];
let problemsOf: (operation: Operation, status: number, body: unknown) => unknown;
beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.service.app.listen({ host: '127.0.0.1', port: 0 });
  const address = sandbox.service.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  const { body: document } = await sandbox.get('/openapi.json');
  const { body: made } = await sandbox.send('POST', '/signals/subscribe', { url: 'http://127.0.0.1:9/garbage' });
  operations = operationsOf(document, { id: made.id });
  const read = new Map<string, ReturnType<typeof documentedAnswer>>();
  problemsOf = ({ id, responses }, status, body) => {
    const schema = responses[status]?.content?.['application/json']?.schema;
    if (schema === undefined || schema === null) return `${id} answers ${status}, which the document does not have`;
    const answer = read.get(`${id} ${status}`) ?? documentedAnswer(document, schema);
    read.set(`${id} ${status}`, answer);
    return answer.safeParse(body).error?.issues ?? null;
  };
});
afterAll(() => sandbox.service.close());

/** Rules of every answer to any request. */
function expectAnswer({ status, headers, body }: RawAnswer): unknown {
  expect(status, body).toBeLessThan(500);
  expect(headers['x-request-id']).toMatch(/^req_[\w-]{12}$/);
  expect(Number(headers['x-ratelimit-limit'])).toBeGreaterThan(0);
  if (status < 400 && !headers['content-type']?.includes('json')) return null;
  expect(headers['content-type']).toMatch(/^application\/(problem\+)?json; charset=utf-8$/);
  const parsed = JSON.parse(body);
  if (status >= 400) {
    const { code, message, doc_url } = ErrorBodySchema.parse(parsed);
    expect(code).toMatch(/^[A-Za-z_]+$/);
    expect(message).not.toMatch(STACK);
    expect(doc_url).toMatch(/\/docs#[a-z-]+$/);
  }
  return parsed;
}

/** The response head of a stream has arrived. */
const isStreamOpen = (text: string): boolean => /^content-type: text\/event-stream.*\r\n\r\n/ims.test(text);

/**
 * Without a socket, except for a stream: it would never end, so it uses a real connection, which is closed once
 * it is open.
 */
async function answerTo(request: RandomRequest): Promise<RawAnswer> {
  if (request.operation.id === 'stream') {
    const text = await sendRaw(port, Buffer.from(textOf(request, port)), isStreamOpen);
    return readAnswers(text)[0] as RawAnswer;
  }
  const answer = await sandbox.service.app.inject({
    // biome-ignore lint/suspicious/noExplicitAny: methods that the types do not know are part of the test
    method: request.method as any,
    url: request.url,
    headers: request.headers,
    ...(request.body === undefined ? {} : { payload: request.body }),
  });
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  return { status: answer.statusCode, headers, body: answer.body };
}

test(`${REQUESTS} random requests of seed ${SEED}`, { timeout: 60_000 + REQUESTS * 20 }, async ({ task }) => {
  task.meta.attempts = { requests: REQUESTS };
  console.log(`random requests: ${REQUESTS}, seed ${SEED}`);
  const seen = new Map<number, number>();
  const succeeded = new Set<string>();
  await assert(
    asyncProperty(requestArbitrary(operations, SANDBOX_KEY), async (request) => {
      const answer = await answerTo(request);
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      if (request.method === 'HEAD') return;
      const body = expectAnswer(answer);
      if (request.method !== request.operation.method || !request.known) return;
      if (answer.status < 300) succeeded.add(request.operation.id);
      if (body !== null && !answer.headers['content-type']?.includes('problem'))
        expect(problemsOf(request.operation, answer.status, body), `${request.method} ${request.url}`).toBeNull();
    }),
    { numRuns: REQUESTS, seed: SEED },
  );
  expect(sandbox.complaints).toEqual([]);
  // The generator reaches what it should: answers, and refusals of values, of keys, of paths, of methods and of bodies.
  for (const status of [200, 400, 401, 404, 405, 415])
    expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  expect(succeeded.size).toBeGreaterThan(operations.length / 2);
});

test(`${BROKEN} requests that are broken on the wire`, { timeout: 60_000 + BROKEN * 50 }, async ({ task }) => {
  task.meta.attempts = { requests: BROKEN };
  const seen = new Set<number>();
  await assert(
    asyncProperty(brokenArbitrary(operations, SANDBOX_KEY, port), async (bytes) => {
      for (const answer of readAnswers(await sendRaw(port, bytes, isStreamOpen))) {
        seen.add(answer.status);
        expectAnswer(answer);
      }
    }),
    { numRuns: BROKEN, seed: SEED },
  );
  expect(sandbox.complaints).toEqual([]);
  for (const status of [200, 400]) expect(seen).toContain(status);
});

test('requests that are too long or malformed are refused, each by its own status', async () => {
  const head = 'GET /health HTTP/1.1\r\nHost: x\r\n';
  const only = async (text: string): Promise<RawAnswer | undefined> =>
    readAnswers(await sendRaw(port, Buffer.from(text, 'latin1')))[0];
  expect(await only(`${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatchObject({ status: 431 });
  expect(await only(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatchObject({ status: 431 });
  expect(await only('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatchObject({ status: 400 });
  expect(await only(`${head}Content-Length: x\r\n\r\n`)).toMatchObject({ status: 400 });
  expect(await only('\u0000\u0001\u0002')).toMatchObject({ status: 400 });
  expect(await only('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatchObject({ status: 405 });
  expect(await only(`${head}Expect: the-impossible\r\nConnection: close\r\n\r\n`)).toMatchObject({ status: 200 });
  const half = `POST /sandbox/trigger HTTP/1.1\r\nHost: x\r\nX-API-Key: ${SANDBOX_KEY}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"event"`;
  expect(await only(half)).toMatchObject({ status: 400 });
});
