// Contract: whatever is asked, the answer is JSON, an error has its three fields, and nothing is ever a 500.
// BAROGRAPH_TEST_REQUESTS=N asks N times instead of a few hundred.
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  record,
  string,
} from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ErrorBodySchema } from '../../shared/wire/errors.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import { routes } from '../../shared/wire/routes.ts';
import { SANDBOX_KEY, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const REQUESTS = Number(process.env.BAROGRAPH_TEST_REQUESTS ?? 600);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000);
afterAll(() => sandbox.service.close());

const text = oneof(
  constantFrom(
    '',
    'SPY',
    'spy',
    'BTC',
    'NOPE',
    '0',
    '1',
    '2',
    '-1',
    '100',
    '101',
    '1e9',
    'high_risk',
    'etf',
    '2026-03-01',
    '2026-03-01T00:00:00Z',
  ),
  constantFrom(
    '9999-12-31',
    '0000-01-01',
    '2026-02-30',
    '\u0000',
    '%',
    '../..',
    '<script>',
    "' OR 1=1 --",
    '[]',
    '{"$ne":1}',
    'null',
    'undefined',
    'NaN',
  ),
  string(),
  string({ unit: 'binary', maxLength: 60 }),
  string({ minLength: 500, maxLength: 3000 }),
);

/** Names that some row of the table knows, and some that none does. */
const names = [
  ...new Set(Object.values(routes).flatMap((route: AnyRoute) => Object.keys((route.query as { shape?: object }).shape ?? {}))),
  '__proto__',
  'constructor',
  'toString',
];
const query = array(record({ name: oneof(constantFrom(...names), string()), value: text }), { maxLength: 5 }).map((pairs) =>
  pairs.map(({ name, value }) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
);
// The validation report is a computation of seconds, and an open stream does not end: what is wrong with a stream is asked for below.
const paths = Object.values(routes)
  .map((route: AnyRoute) => route.path)
  .filter((path) => path !== '/stream' && path !== '/api/validation/metrics');
const path = oneof(
  {
    weight: 6,
    arbitrary: constantFrom(...paths).chain((one) =>
      text.map((value) => one.replaceAll(/:[a-z_]+/g, encodeURIComponent(value.toWellFormed()))),
    ),
  },
  { weight: 1, arbitrary: string().map((value) => `/${encodeURIComponent(value.toWellFormed())}`) },
  { weight: 1, arbitrary: query.map((bad) => `/stream?severity=none&${bad}`) },
);
const body: Arbitrary<string | undefined> = oneof(
  constant(undefined),
  jsonValue().map((value) => JSON.stringify(value)),
  record({ event: oneof(text, constantFrom('signal.high_risk', 'regime.flip')), symbol: oneof(text, integer(), constant(null)) }).map(
    (value) => JSON.stringify(value),
  ),
  jsonValue().map((value) => JSON.stringify(value).slice(0, -1)),
  string({ unit: 'binary' }),
);
const headerText = string({ unit: constantFrom(...'abcXYZ019 ._-=,;"/*'), maxLength: 30 });
const headers = record(
  {
    'x-api-key': oneof({ weight: 8, arbitrary: constant(SANDBOX_KEY) }, headerText),
    authorization: oneof(headerText, constant(`Bearer ${SANDBOX_KEY}`)),
    'content-type': oneof({ weight: 4, arbitrary: constant('application/json') }, headerText),
    accept: oneof(constant('application/problem+json'), constant('text/html'), headerText),
    'idempotency-key': headerText,
    'if-none-match': headerText,
  },
  { requiredKeys: ['x-api-key'] },
);
const method = oneof(
  { weight: 5, arbitrary: constant('GET') },
  { weight: 3, arbitrary: constant('POST') },
  constantFrom('DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'),
);

test('random requests', { timeout: 60_000 + REQUESTS * 20 }, async () => {
  const seen = new Map<number, number>();
  const known = new Set<string>(Object.values(routes).map((route: AnyRoute) => route.method));
  await assert(
    asyncProperty(
      method,
      path,
      query,
      body,
      headers,
      dictionary(constantFrom('x-forwarded-for', 'x-request-id'), headerText),
      async (verb, at, asked, sent, given, more) => {
        const url = at.includes('?') ? at : `${at}?${asked}`;
        const answer = await sandbox.service.app.inject({
          // biome-ignore lint/suspicious/noExplicitAny: methods that the types do not know are part of the test
          method: verb as any,
          url,
          headers: { ...more, ...given },
          ...(sent === undefined ? {} : { payload: sent }),
        });
        seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
        expect(answer.statusCode, answer.body).toBeLessThan(500);
        if (verb === 'HEAD' || answer.statusCode === 304) return;
        expect(answer.headers['content-type']).toMatch(/^application\/(problem\+)?json; charset=utf-8$/);
        const parsed = JSON.parse(answer.body);
        if (answer.statusCode >= 400) {
          expect(ErrorBodySchema.parse(parsed).message).not.toMatch(/\n|\.ts:|node_modules|SQLITE|Zod/);
          expect(answer.headers['x-request-id']).toMatch(/^req_/);
        } else expect(known).toContain(verb);
      },
    ),
    { numRuns: REQUESTS },
  );
  expect(sandbox.complaints).toEqual([]);
  // The generator reaches what it should: answers, refusals of values, of keys, of paths and of methods.
  for (const status of [200, 400, 401, 404, 405]) expect(seen.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
});
