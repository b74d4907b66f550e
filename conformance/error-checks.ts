// Conformance: sections 5, 7, 8 and 9: keys, errors, limits, versions.
// Checks of all answers run last.

import { retryAfter } from '../shared/lib/backoff.ts';
import { KEY_PREFIXES, keyEnvironment } from '../shared/wire/keys.ts';
import { type Check, check, firstOf, green, type Outcome, red, skipped } from './check.ts';
import { lostReference } from './documented.ts';
import { KEYED } from './endpoint-checks.ts';
import { codeOf, type Probe } from './probe.ts';
import type { Answer } from './recorder.ts';
import { fieldsOf, shown } from './shapes.ts';

/** The codes of section 7, in lower case. */
const CODES: ReadonlyMap<number, readonly string[]> = new Map([
  [400, ['invalid_request', 'invalid_symbol']],
  [401, ['unauthorized']],
  [403, ['forbidden']],
  [404, ['not_found', 'symbol_not_covered']],
  [429, ['rate_limited']],
  [500, ['internal_error']],
  [502, ['backend_unavailable']],
  [503, ['temporarily_unavailable']],
]);
const OTHER_CODES = [...CODES.values()].flat();

/** Calls a minute, section 8; a service may allow more. */
const MINUTES: readonly (readonly [path: string, limit: number])[] = [
  ['/snapshot', 1_000],
  ['/factors', 1_000],
  ['/history', 100],
  ['/alerts', 100],
  ['/market-news', 100],
  ['/api/archetypes/current', 100],
];
const SPECIFIED = [
  '/health',
  '/',
  '/snapshot',
  '/signal',
  '/history',
  '/alert-transitions',
  '/alerts',
  '/stream',
  '/factors',
  '/market-news',
];
const SPECIFIED_BELOW = [
  '/regime/{symbol}',
  '/regime/{symbol}/history',
  '/api/validation/metrics',
  '/api/archetypes/current',
  '/signals/subscribe',
];

const named = ({ method, path, status }: Answer): string => `${method} ${path} (${status})`;
const allOf = (
  probe: Probe,
  wrong: (answer: Answer) => string | null,
  of: (answer: Answer) => boolean = () => true,
): Outcome => {
  const matching = probe.answers().filter(of);
  const [silence] = probe.unanswered();
  if (matching.length === 0) return silence === undefined ? skipped('no such answer was seen') : red(silence);
  return firstOf(
    matching.map((answer) => wrong(answer)),
    `${matching.length} answers`,
  );
};
/** Reason for errors that cannot be provoked. */
const whenSeen = (probe: Probe, status: number, wrong: (answer: Answer) => string | null): Outcome =>
  probe.answers().some((answer) => answer.status === status)
    ? allOf(probe, wrong, (answer) => answer.status === status)
    : skipped(`no answer of ${status} was seen`);
const wrongCode = (answer: Answer): string | null => {
  const [code, listed] = [codeOf(answer), CODES.get(answer.status)];
  if (listed === undefined) return OTHER_CODES.includes(code) || code !== '' ? null : `${named(answer)} has no code`;
  return listed.includes(code) ? null : `${named(answer)} has the code ${shown(code)}, not ${listed.join(' or ')}`;
};
const unlike = (key: string): string => `${key.slice(0, 9)}${'x0Y1'.repeat(8)}`;

const keys: readonly Check[] = [
  check('5', 'key-form', 'The key is taken in X-API-Key or as Authorization: Bearer', async ({ probe }) => {
    if (probe.key === null) return skipped('no key was given');
    await probe.credentials();
    return probe.form() === null ? red('neither form opens GET /snapshot') : green(probe.form() ?? '');
  }),
  check('5', 'key-prefix', 'Production keys begin svc_live_, sandbox keys svc_test_', ({ probe: { key } }) => {
    if (key === null) return skipped('no key was given');
    const environment = keyEnvironment(key);
    return environment === null
      ? skipped('the prefixes of the specification are placeholders, and this key has another one')
      : green(environment);
  }),
  check('5', 'key-invalid', 'An invalid key is 401, at every endpoint that needs one', async ({ probe }) => {
    const key = unlike(probe.key ?? KEY_PREFIXES.sandbox);
    const symbol = await probe.symbol();
    for (const path of ['/snapshot', ...KEYED.map(([, pathOf]) => pathOf(symbol)), '/stream?severity=high_risk']) {
      const answer = await probe.ask(path, { key });
      const wrong = answer.status === 401 ? wrongCode(answer) : `${named(answer)} with a key that nobody issued`;
      if (wrong !== null) return red(wrong);
    }
    return green();
  }),
  check('5', 'key-other-environment', 'A key of the other environment is refused', async ({ probe }) => {
    const other = keyEnvironment(probe.key ?? '') === 'production' ? KEY_PREFIXES.sandbox : KEY_PREFIXES.production;
    const { status } = await probe.ask('/snapshot', { key: `${other}${'x0Y1'.repeat(8)}` });
    return status === 401 || status === 403
      ? green(String(status))
      : red(`GET /snapshot with a key of another environment is ${status}`);
  }),
  check('5', 'key-forbidden', 'A key without access to the resource is 403', ({ probe }) =>
    whenSeen(probe, 403, wrongCode),
  ),
  check('5', 'key-life', 'Keys are shown once, may be rotated at any time, and are revoked at once', () =>
    skipped("that is done in the account's Build section, which is not part of the interface"),
  ),
  check('5', 'onboarding', 'Keys come by onboarding within 24 to 48 hours', () =>
    skipped('that is a promise of people'),
  ),
];

const errors: readonly Check[] = [
  check('7', 'not-found', 'A resource that does not exist is 404 not_found', async ({ probe }) => {
    const answer = await probe.get('/no-such-resource');
    return answer.status !== 404
      ? red(`GET /no-such-resource is ${answer.status}`)
      : codeOf(answer) === 'not_found'
        ? green()
        : red(`the code is ${shown(codeOf(answer))}`);
  }),
  check('7', 'malformed-body', 'A malformed body is 400 invalid_request', async ({ probe }) => {
    if (!probe.mayWrite) return skipped('nothing is to be written');
    const answer = await probe.ask('/signals/subscribe', { method: 'POST', raw: '{"url":' });
    return answer.status === 400 && codeOf(answer) === 'invalid_request'
      ? green()
      : red(`half a body is ${answer.status} ${codeOf(answer)}`);
  }),
  check('7', 'error-body', 'Errors are JSON with code and message, and doc_url is a string', ({ probe }) =>
    allOf(
      probe,
      (answer) => {
        const { code, message, doc_url } = fieldsOf(answer.body) ?? {};
        if (typeof code !== 'string' || code === '') return `${named(answer)}: code is ${shown(code)}`;
        if (typeof message !== 'string' || message === '') return `${named(answer)}: message is ${shown(message)}`;
        return doc_url === undefined || typeof doc_url === 'string'
          ? null
          : `${named(answer)}: doc_url is ${shown(doc_url)}`;
      },
      ({ status, method }) => status >= 400 && method !== 'HEAD',
    ),
  ),
  check('7', 'error-codes', 'Each status has one of the codes that are listed for it', ({ probe }) =>
    allOf(probe, wrongCode, ({ status }) => status >= 400),
  ),
  check('7', 'error-doc-url', 'doc_url leads to the section that explains the error', async ({ probe }) => {
    const urls = probe
      .answers()
      .flatMap(({ body, status }) =>
        status >= 400 && typeof fieldsOf(body)?.doc_url === 'string' ? [String(fieldsOf(body)?.doc_url)] : [],
      );
    const url = URL.parse(urls[0] ?? '');
    if (url === null) return skipped('no error has a doc_url');
    if (url.origin !== probe.base.origin) return skipped(`it leads to ${url.origin}, which is not asked`);
    const below = probe.base.pathname.replace(/\/$/, '');
    const path = url.pathname.startsWith(below) ? url.pathname.slice(below.length) : url.pathname;
    const { status, text } = await probe.ask(`${path}${url.search}`, {
      key: null,
      isUnrecorded: true,
      headers: { accept: 'text/html' },
    });
    if (status !== 200) return red(`${url.href} is ${status}`);
    const id = url.hash.slice(1);
    const there =
      id === '' || [`id="${id}"`, `id='${id}'`, `id=${id}`, `name="${id}"`].some((anchor) => text.includes(anchor));
    return there ? green() : red(`${url.href}: the page has no such section`);
  }),
  check('4', 'answers-in-time', 'Every request is answered', ({ probe }) =>
    firstOf([...probe.unanswered()], `${probe.answers().length} answers`),
  ),
  check('7', 'no-server-errors', 'Nothing that was asked is a server error', ({ probe }) =>
    allOf(probe, (answer) => (answer.status === 500 ? `${named(answer)}: ${answer.text.slice(0, 120)}` : null)),
  ),
  check('7', 'error-429', 'Too many requests are 429 rate_limited', ({ probe }) => whenSeen(probe, 429, wrongCode)),
  check('7', 'error-502', 'A market data backend that is away is 502 BACKEND_UNAVAILABLE', ({ probe }) =>
    whenSeen(probe, 502, wrongCode),
  ),
  check('8', 'retry-after', 'A 503 carries Retry-After: seconds, or a date', ({ probe }) =>
    whenSeen(probe, 503, (answer) => {
      const said = answer.headers.get('retry-after');
      if (said === null) return `${named(answer)} has no Retry-After`;
      return retryAfter(said, probe.clock.now()) === null
        ? `${named(answer)}: Retry-After is ${shown(said)}`
        : wrongCode(answer);
    }),
  ),
];

const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;
const numberIn = ({ headers }: Answer, name: string): number => Number(headers.get(name) ?? Number.NaN);

const limits: readonly Check[] = [
  check(
    '8',
    'limit-headers',
    'Every response carries X-RateLimit-Limit, -Remaining and -Reset as numbers',
    ({ probe }) =>
      allOf(probe, (answer) => {
        const name = RATE.find((one) => !/^\d+(\.\d+)?$/.test(answer.headers.get(one) ?? ''));
        return name === undefined ? null : `${named(answer)}: ${name} is ${shown(answer.headers.get(name))}`;
      }),
  ),
  check('8', 'limit-remaining', 'What remains is not more than the limit', ({ probe }) =>
    allOf(probe, (answer) => {
      const [limit, remaining] = [numberIn(answer, 'x-ratelimit-limit'), numberIn(answer, 'x-ratelimit-remaining')];
      return remaining > limit ? `${named(answer)}: ${remaining} of ${limit}` : null;
    }),
  ),
  check('8', 'limit-counts', 'What remains becomes less with each call', async ({ probe }) => {
    const path = `/signal?symbol=${await probe.symbol()}`;
    for (let round = 0; round < 2; round += 1) {
      const [first, second] = [await probe.ask(path), await probe.ask(path)];
      // The minute may have ended in between; then repeat once.
      if (numberIn(second, 'x-ratelimit-remaining') < numberIn(first, 'x-ratelimit-remaining')) return green();
    }
    return red('two calls after each other leave as many');
  }),
  ...MINUTES.map(([path, limit]) =>
    check(
      '8',
      `limit-of-${path.replaceAll('/', '-').slice(1)}`,
      `GET ${path} takes ${limit} calls a minute`,
      async ({ probe }) => {
        const fullPath = path === '/history' ? `${path}?symbol=${await probe.symbol()}` : path;
        const answer = await probe.get(fullPath);
        if (answer.status !== 200) return skipped(`it is ${answer.status}`);
        const said = numberIn(answer, 'x-ratelimit-limit');
        return said >= limit
          ? green(String(said))
          : red(`X-RateLimit-Limit says ${shown(answer.headers.get('x-ratelimit-limit'))}`);
      },
    ),
  ),
  check('8', 'overage', 'X-RateLimit-Overage says how many calls into overage a request is', ({ probe }) => {
    const over = probe.answers().filter(({ headers }) => headers.has('x-ratelimit-overage'));
    if (over.length === 0) return skipped('no call was beyond the quota');
    return firstOf(
      over.map((answer) =>
        /^[1-9]\d*$/.test(answer.headers.get('x-ratelimit-overage') ?? '')
          ? null
          : `${named(answer)}: ${shown(answer.headers.get('x-ratelimit-overage'))}`,
      ),
    );
  }),
  check('8', 'hard-cap', 'With a hard cap, calls at the limit are 429', () =>
    skipped('it is set in the Build settings, and trying it would use up the month'),
  ),
  check('8', 'quota', 'Calls beyond the quota are billed, not denied', () =>
    skipped('trying it would use up the month'),
  ),
  check('8', 'burst', 'A plan has a burst a second and a sustained rate a minute', () =>
    skipped('trying it would keep others from being served'),
  ),
];

const version: readonly Check[] = [
  check('9', 'openapi', 'There is an OpenAPI 3.0 specification', async ({ probe }) => {
    const { status, body } = await probe.get('/openapi.json');
    if (status !== 200) return skipped('where it is served is not stated, and it is not at /openapi.json');
    const said = fieldsOf(body)?.openapi;
    if (typeof said !== 'string' || !said.startsWith('3.0')) return red(`openapi is ${shown(said)}`);
    const lost = lostReference(body, body);
    return lost === null ? green(said) : red(`it refers to ${lost}, which it does not have`);
  }),
  check('9', 'openapi-paths', 'It has the endpoints of the specification', async ({ probe }) => {
    const { status, body } = await probe.get('/openapi.json');
    const paths = fieldsOf(fieldsOf(body)?.paths);
    if (status !== 200 || paths === null) return skipped('it is not at /openapi.json');
    return firstOf([...SPECIFIED, ...SPECIFIED_BELOW].map((path) => (path in paths ? null : `${path} is not in it`)));
  }),
  check('1', 'sandbox-free', 'Sandbox calls do not count against the plan quota', ({ probe }) => {
    if (probe.key?.startsWith('svc_test_') !== true) return skipped('this is no sandbox');
    return allOf(probe, ({ path, headers }) => (headers.has('x-ratelimit-overage') ? `${path} counts overage` : null));
  }),
  check('1', 'json', 'Responses are JSON', ({ probe }) =>
    allOf(
      probe,
      (answer) =>
        answer.body !== undefined && /json/.test(answer.headers.get('content-type') ?? '')
          ? null
          : `${named(answer)} is ${shown(answer.headers.get('content-type'))}`,
      ({ method, path, status, text }) =>
        method !== 'HEAD' && status !== 204 && text !== '' && !path.startsWith('/stream'),
    ),
  ),
];

/** Ordered: a check of all answers reads the answers of earlier checks. */
export const ERROR_CHECKS: readonly Check[] = [...keys, ...errors, ...limits, ...version];
