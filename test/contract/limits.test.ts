// Contract: limits and plans, on every answer and over a real socket.
// Specification 8; contract 40 to 46.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorBodySchema } from '../../shared/wire/errors.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { type Answer, SANDBOX_KEY, SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

/** As the specification and contract 45 have them. */
const LIMITS: Readonly<Record<string, number>> = { '/snapshot': 1_000, '/factors': 1_000 };

let sandbox: Sandbox;
beforeAll(async () => {
  // One: /api/validation/metrics computes its record.
  sandbox = await startSandbox({ symbols: 1 });
});
afterAll(() => sandbox.service.close());

const table: [string, AnyRoute][] = Object.entries(routes).filter(([, { content }]) => content === 'json');

function expectLimits({ headers }: Pick<Answer, 'headers'>, limit?: number): void {
  for (const name of ['limit', 'remaining', 'reset']) expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  if (limit !== undefined) expect(headers['x-ratelimit-limit']).toBe(String(limit));
  const reset = Number(headers['x-ratelimit-reset']) * 1_000 - sandbox.clock.now();
  expect(reset).toBeGreaterThan(0);
  expect(reset).toBeLessThanOrEqual(60_000);
  expect(headers.ratelimit).toMatch(/^"endpoint";r=\d+;t=\d+(, "[a-z]+";r=\d+;t=\d+)*$/);
  expect(headers['ratelimit-policy']).toMatch(
    /^"endpoint";q=\d+;w=60(;enforced=0)?(, "[a-z]+";q=\d+;w=\d+(;burst=\d+)?)*$/,
  );
}

describe.each(table)('%s', (_name, { path: pattern, method, access }) => {
  const path = pattern.replaceAll(/:[a-z]+/g, 'none');
  const limit = LIMITS[path] ?? 100;
  const ask = (headers: Record<string, string> = {}, url = path): Promise<Answer> =>
    method === 'GET' ? sandbox.get(url, headers) : sandbox.send(method, url, undefined, headers);

  test('an answer states its limit, with a key and without, in success and in error', { tags: ['long'] }, async () => {
    expectLimits(await ask(), limit);
    expectLimits(await ask({ 'x-api-key': '' }), limit);
    expectLimits(await ask({}, `${path}?limit=0&after=x&from=yesterday`), limit);
    expectLimits(await ask({ 'x-api-key': SANDBOX_KEY, authorization: 'Bearer other' }), limit);
  });

  test('counts down by one a call', async () => {
    if (access === 'open') return;
    const remaining = async () => Number((await ask()).headers['x-ratelimit-remaining']);
    const before = await remaining();
    expect(await remaining()).toBe(before - 1);
  });
});

test.each([
  ['no path', () => sandbox.get('/none')],
  ['another method', () => sandbox.send('PATCH', '/snapshot')],
  ['a body that is too large', () => sandbox.send('POST', '/signals/subscribe', 'x'.repeat(70_000))],
  ['another media type', () => sandbox.send('POST', '/signals/subscribe', 'x', { 'content-type': 'text/plain' })],
  ['half a body', () => sandbox.send('POST', '/signals/subscribe', '{"url":')],
  ['a broken address', () => sandbox.get('/regime/%E0%A4%A')],
  ['HEAD', () => sandbox.send('HEAD', '/snapshot')],
])('%s tells limits too', async (_what, ask) => {
  expectLimits(await ask());
});

test('so do the stream and what is no HTTP, over a socket', async () => {
  const url = new URL(await sandbox.service.app.listen({ host: '127.0.0.1', port: 0 }));
  const abort = new AbortController();
  const stream = await fetch(`${url.origin}/stream`, { headers: { 'x-api-key': SANDBOX_KEY }, signal: abort.signal });
  expectLimits({ headers: Object.fromEntries(stream.headers) }, 100);
  abort.abort();
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.end('NONSENSE\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toMatch(/\r\nx-ratelimit-limit: \d+\r\nx-ratelimit-remaining: \d+\r\nx-ratelimit-reset: \d+\r\n/);
});

test('what is no HTTP behind a stream is not answered within it', { tags: ['long'] }, async () => {
  const { service } = await startSandbox();
  const { hostname, port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), hostname);
  socket.write(`GET /stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${SANDBOX_KEY}\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.includes(': connected') && socket.writable) socket.end('NONSENSE\r\n\r\n');
  }
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  await service.close();
});

test('the sandbox refuses nothing and counts no month', async () => {
  for (let call = 0; call < 120; call += 1) expect((await sandbox.get('/signal?symbol=SPY')).status).toBe(200);
  const { headers } = await sandbox.get('/signal?symbol=SPY');
  expect(headers['x-ratelimit-remaining']).toBe('0');
  expect(headers.ratelimit).toContain('"month";r=250000;');
});

describe('with limits enforced', () => {
  let strict: Sandbox;
  beforeAll(async () => {
    strict = await startSandbox({ symbols: 1, plans: { enforced: true } });
  });
  afterAll(() => strict.service.close());

  test('a burst is refused in the words of the endpoint, and passes a second later', async () => {
    const path = '/api/archetypes/current';
    const answers = await Promise.all(Array.from({ length: 12 }, () => strict.get(path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(refused).toHaveLength(2);
    for (const { headers, body } of refused) {
      expect(ErrorBodySchema.parse(body)).toMatchObject({ code: 'RATE_LIMITED' });
      expect(headers).toMatchObject({ 'retry-after': '1', 'x-ratelimit-remaining': '0' });
    }
    await strict.clock.advance(1_000);
    const later = await strict.get('/signal?symbol=SPY');
    expect(later.status).toBe(200);
    expect(later.headers['x-ratelimit-overage']).toBeUndefined();
    // A call that was refused cost nothing; one that failed did.
    await strict.get('/signal?symbol=NOPE');
    expect((await strict.get('/signal?symbol=SPY')).headers.ratelimit).toContain(`"month";r=${250_000 - 13};`);
  });

  test('the minute of an endpoint ends on the minute, for everybody', async () => {
    await strict.clock.advance(60_000);
    let refused: Answer | undefined;
    for (let call = 0; call < 101; call += 1) {
      await strict.clock.advance(100);
      const answer = await strict.get('/signal?symbol=SPY');
      if (answer.status !== 200) refused = answer;
    }
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const wait = Number(refused?.headers['retry-after']);
    expect(SANDBOX_START % 60_000).toBe(0);
    expect(Number(refused?.headers['x-ratelimit-reset']) * 1_000).toBe(Math.ceil(strict.clock.now() / 60_000) * 60_000);
    await strict.clock.advance(wait * 1_000);
    expect((await strict.get('/signal?symbol=SPY')).status).toBe(200);
  });
});
