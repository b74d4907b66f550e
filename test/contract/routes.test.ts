// Contract: every row of the routes table, over every rule that all endpoints share.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ErrorBodySchema } from '../../shared/wire/errors.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { type Answer, type Sandbox, startSandbox } from '../harness/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'flap' });
});
afterAll(() => sandbox.service.close());

const table: [string, AnyRoute][] = Object.entries(routes);
const pathOf = (route: AnyRoute): string =>
  route.path.replaceAll(/:[a-z]+/g, 'none') + (route.path === routes.proof.path ? PROOF_QUERY : '');
const PROOF_QUERY = `?key=key_0123456789ab&nonce=${'0f'.repeat(32)}&origin=http://127.0.0.1:8787`;

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(ErrorBodySchema.parse(answer.body))).toEqual(['code', 'message', 'doc_url']);
  expect(answer.body.code).toBe(code);
  expect(answer.body.doc_url).toMatch(/^http:\/\/127\.0\.0\.1:8787\/docs#[a-z-]+$/);
  expect(answer.text).not.toMatch(/\bat .*\.ts|node_modules|SqliteError/);
}

describe.each(table)('%s', (_name, route) => {
  const path = pathOf(route);
  const method = route.method === 'GET' ? null : route.method;
  const ask = (headers: Record<string, string>): Promise<Answer> =>
    method === null ? sandbox.get(path, headers) : sandbox.send(method, path, undefined, headers);

  test('names its request and its version, and is not stored by caches', async () => {
    const answer = await ask({ 'x-api-key': '' });
    expect(answer.headers['x-request-id']).toMatch(/^req_[\w-]{12}$/);
    expect(answer.headers['x-service-version']).toBe('v1');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('other methods are 405 with Allow', async () => {
    const answer = await sandbox.send('PATCH', path);
    expectError(answer, 405, 'invalid_request');
    expect(answer.headers.allow?.split(', ')).toContain(route.method);
  });

  if (route.access === 'open') {
    test('answers without a key, and by its schema', async () => {
      const answer = await ask({ 'x-api-key': '' });
      expect(answer.status).toBe(200);
      expect(route.reply.safeParse(answer.body).success).toBe(true);
    });
  } else {
    const unauthorized = route.spelling === 'capital' ? 'UNAUTHORIZED' : 'unauthorized';
    test.each([
      ['no key', { 'x-api-key': '' }],
      ['an unknown key', { 'x-api-key': 'svc_test_nobodysnobodys0001' }],
      ['a key of somebody else', { 'x-api-key': 'sk_live_1234567890' }],
      ['another scheme', { 'x-api-key': '', authorization: 'Basic c3ZjOnRlc3Q=' }],
      ['a bearer without a token', { 'x-api-key': '', authorization: 'Bearer' }],
      ['an unknown bearer', { 'x-api-key': '', authorization: 'Bearer svc_test_nobodysnobodys0001' }],
    ])('%s is 401', async (_what, headers) => {
      const answer = await ask(headers as Record<string, string>);
      expectError(answer, 401, unauthorized);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    });

    test('a production key is 401 and the answer names the environment', async () => {
      const answer = await ask({ 'x-api-key': 'svc_live_abcdefghijklmnop' });
      expectError(answer, 401, unauthorized);
      expect(answer.body.message).toContain('sandbox');
    });

    const scopes = ['read', 'webhooks', 'account'] as const;
    test.each(scopes.slice(0, scopes.indexOf(route.access)))('a key of the lesser scope %s is 403', async (scope) => {
      const { body } = await sandbox.send('POST', '/account/keys', { scope });
      const answer = await ask({ 'x-api-key': body.key });
      expectError(answer, 403, route.spelling === 'capital' ? 'FORBIDDEN' : 'forbidden');
      expect(answer.body.message).toContain(`scope ${route.access}`);
    });

    test('two different keys are 400', async () => {
      expectError(await ask({ authorization: 'Bearer svc_test_nobodysnobodys0001' }), 400, 'invalid_request');
    });
  }
});

const shapeOf = ({ query }: AnyRoute): Record<string, z.ZodType> => (query as Partial<z.ZodObject>).shape ?? {};

test.each(table.filter(([, route]) => 'after' in shapeOf(route)))(
  'the list %s refuses a cursor that it has not given, and a limit that is given twice',
  async (_name, route) => {
    const required = Object.entries(shapeOf(route)).filter(([, field]) => !field.safeParse(undefined).success);
    const given = required.map(([name]) => `${name}=${name === 'symbol' ? 'SPY' : '2026-02-01'}&`).join('');
    for (const query of ['after=x', 'limit=5&limit=5']) {
      const answer = await sandbox.get(`${pathOf(route).replace('/none', '/SPY')}?${given}${query}`);
      expectError(answer, 400, 'invalid_request');
      expect(answer.body.message).toContain(`${query.split('=')[0]}: `);
    }
  },
);

test.each(['0', '-1', '101', '1.5', '1e1', 'ten', '', ' 5', '99999999999', '0x10', 'NaN'])(
  'limit=%s is no number of rows and is 400',
  async (limit) => {
    expectError(await sandbox.get(`/snapshot?limit=${encodeURIComponent(limit)}`), 400, 'invalid_request');
  },
);

test('a cursor is good for its own list and filters only, unchanged, and at the service that gave it', {
  tags: ['long'],
}, async () => {
  const { body } = await sandbox.get('/alert-transitions?symbol=SPY&limit=1');
  const cursor = encodeURIComponent(body.next_cursor);
  expect((await sandbox.get(`/alert-transitions?symbol=SPY&limit=5&after=${cursor}`)).status).toBe(200);
  for (const url of [
    '/alert-transitions?symbol=QQQ&',
    '/alert-transitions?',
    '/history?symbol=SPY&',
    '/snapshot?symbol=SPY&',
  ]) {
    expectError(await sandbox.get(`${url}after=${cursor}`), 400, 'invalid_request');
  }
  for (const changed of [`${cursor}%3D`, `%20${cursor}`, `${cursor.slice(0, -4)}AAAA`])
    expectError(await sandbox.get(`/alert-transitions?symbol=SPY&after=${changed}`), 400, 'invalid_request');
  const other = await startSandbox({ seed: 8 });
  expect((await other.get(`/alert-transitions?symbol=SPY&after=${cursor}`)).status).toBe(400);
  await other.service.close();
});

test.each(['/nope', '/snapshot/', '/snapshot/SPY', '//', '/%2e%2e/etc/passwd', '/SNAPSHOT', `/${'x'.repeat(500)}`])(
  'the unknown path %s is 404',
  async (path) => {
    expectError(await sandbox.get(path), 404, 'not_found');
  },
);

test('HEAD answers as GET does, without a body', async () => {
  const head = await sandbox.send('HEAD', '/snapshot');
  expect([head.status, head.text]).toEqual([200, '']);
});

test('bearer works as X-API-Key does, and both with the same key', async () => {
  const { get } = sandbox;
  const bearer = { authorization: 'Bearer svc_test_contractcontract01' };
  expect((await get('/signal?symbol=SPY', { 'x-api-key': '', ...bearer })).status).toBe(200);
  expect(
    (await get('/signal?symbol=SPY', { 'x-api-key': '', authorization: 'bearer  svc_test_contractcontract01' })).status,
  ).toBe(200);
  expect((await get('/signal?symbol=SPY', bearer)).status).toBe(200);
});

describe('bodies', () => {
  const post = (body: string, type: string | null): Promise<Answer> =>
    sandbox.send('POST', '/sandbox/trigger', body, type === null ? { 'content-type': '' } : { 'content-type': type });

  test.each([
    ['', 'application/json'],
    ['{', 'application/json'],
    ['[]', 'application/json'],
    ['null', 'application/json'],
    ['"text"', 'application/json'],
    ['{"event":"signal.normal"}', 'application/json'],
    ['{"event":"signal.normal","symbol":""}', 'application/json'],
    ['{"event":"signal.normal","symbol":7}', 'application/json'],
    ['{"event":"signal.worse","symbol":"SPY"}', 'application/json'],
    ['{"symbol":"SPY"}', 'application/json'],
    ['{"__proto__":{"event":"signal.normal"},"symbol":"SPY"}', 'application/json'],
    ['{"event":"signal.normal","symbol":"SPY"}\u0000', 'application/json'],
  ])('%j is 400', async (body, type) => {
    expectError(await post(body, type), 400, 'invalid_request');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('content type %s is 415', async (type) => {
    expectError(await post('{"event":"signal.normal","symbol":"SPY"}', type), 415, 'invalid_request');
  });

  test('a large body is 413', async () => {
    expectError(
      await post(JSON.stringify({ event: 'signal.normal', symbol: 'S'.repeat(70_000) }), 'application/json'),
      413,
      'invalid_request',
    );
  });

  test('a symbol that is not covered is 404', async () => {
    expectError(await sandbox.trigger('signal.normal', 'NOPE'), 404, 'symbol_not_covered');
    expectError(await sandbox.trigger('regime.flip', 'VIX'), 404, 'symbol_not_covered');
    expectError(await sandbox.trigger('signal.high_risk', 'BTC'), 404, 'symbol_not_covered');
  });
});

test('an error is problem+json for who asks for it, with the same members beside', async () => {
  const plain = await sandbox.get('/signal?symbol=NOPE');
  const problem = await sandbox.get('/signal?symbol=NOPE', {
    accept: 'application/problem+json, application/json;q=0.5',
  });
  expect(problem.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(problem.body).toEqual({
    ...plain.body,
    type: plain.body.doc_url,
    title: 'symbol not covered',
    status: 404,
    detail: plain.body.message,
    instance: problem.headers['x-request-id'],
  });
});

test('nothing in all this was an error inside the service', () => {
  expect(sandbox.complaints).toEqual([]);
});
