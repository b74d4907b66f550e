// Conformance: section 4 of the specification: the endpoints, their parameters, and pages.
import { readList } from '../client/client.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, firstOf, green, type Outcome, red, skipped } from './check.ts';
import { documentedOperations } from './documented.ts';
import { briefingsPath, historyRange, LISTS, withQuery } from './list-endpoints.ts';
import { codeOf, type Probe } from './probe.ts';
import type { Answer } from './recorder.ts';
import { type Fields, fieldsOf, identityOf, isInstant, shown } from './shapes.ts';

const ARCHETYPES = '/api/archetypes/current';
const RANGE_NAMES = [
  ['from', 'to'],
  ['since', 'until'],
  ['start', 'end'],
  ['date_from', 'date_to'],
] as const;
const UNKNOWN_SYMBOL = 'ZZZZNOPE';

/** Endpoints that need a key, and their purpose. */
export const KEYED: readonly (readonly [name: string, path: (symbol: string) => string, purpose: string])[] = [
  ['snapshot', () => '/snapshot?limit=100', 'current signals for all instruments'],
  ['signal', (symbol) => `/signal?symbol=${symbol}`, 'the state of one symbol'],
  ['history', (symbol) => `/history?symbol=${symbol}&limit=100`, 'the 90-day signal timeline'],
  ['alert-transitions', () => '/alert-transitions', 'the alert transition history'],
  ['alerts', () => '/alerts', 'the alert transition history with durations'],
  ['factors', (symbol) => `/factors?symbol=${symbol}`, 'the risk attribution'],
  ['market-news', () => '/market-news', 'the market news'],
  ['validation', () => '/api/validation/metrics', 'the validation metrics'],
  ['archetypes', () => ARCHETYPES, 'the powers of the dimensions'],
];

const refused = (answer: Answer, status: number, ...codes: readonly string[]): Outcome => {
  if (answer.status !== status) return red(`${answer.method} ${answer.path} is ${answer.status}, not ${status}`);
  const code = codeOf(answer);
  return codes.length === 0 || codes.includes(code)
    ? green(code)
    : red(`${answer.path}: the code is ${shown(code)}, not ${codes.join(' or ')}`);
};
/** Placeholder for the symbol of the run in a path. */
const SYMBOL = '{symbol}';
/** 400 invalid_request for each path. */
async function allRefused(probe: Probe, paths: readonly string[]): Promise<Outcome> {
  let outcome = green();
  for (const path of paths) {
    outcome = refused(await probe.get(path.replace(SYMBOL, await probe.symbol())), 400, 'invalid_request');
    if (outcome.status === 'red') break;
  }
  return outcome;
}
const answered = ({ method, path, status, body }: Answer): Outcome =>
  status === 200
    ? body === undefined
      ? red(`${method} ${path} answers no JSON`)
      : green()
    : red(`${method} ${path} is ${status}`);

const basics: readonly Check[] = [
  check('4.1', 'health-open', 'GET /health answers without a key', async ({ probe }) =>
    answered(await probe.ask('/health', { key: null })),
  ),
  check('4.1', 'root-open', 'GET / answers without a key', async ({ probe }) =>
    answered(await probe.ask('/', { key: null })),
  ),
  ...KEYED.flatMap(([name, path, purpose]) => [
    check('4.2', `answers-${name}`, `GET ${path('S').split('?')[0]} answers ${purpose}`, async ({ probe }) =>
      answered(await probe.get(path(await probe.symbol()))),
    ),
    check('5', `needs-key-${name}`, `GET ${path('S').split('?')[0]} needs a key`, async ({ probe }) =>
      refused(await probe.ask(path(await probe.symbol()), { key: null }), 401, 'unauthorized'),
    ),
  ]),
  check('4.2', 'api-needs-key', 'Most resources under /api/ need a key', async ({ probe }) => {
    const documented = (await documentedOperations(probe)).flatMap(
      (one) => /^GET (\/api\/[^{]+)$/.exec(one)?.[1] ?? [],
    );
    const archive = await briefingsPath(probe);
    const paths = new Set([...documented, ...(archive?.startsWith('/api/') ? [archive] : [])]);
    if (paths.size === 0) return skipped('no other resource under /api/ is known');
    const open: string[] = [];
    for (const path of paths) if ((await probe.ask(path, { key: null })).status !== 401) open.push(path);
    return 2 * open.length < paths.size
      ? green(open.length === 0 ? '' : `open: ${open.join(', ')}`)
      : red(`open without a key: ${open.join(', ')}`);
  }),
  check('4.2', 'history-90-days', 'The timeline spans 90 days', async ({ probe }) => {
    const { from, to } = await historyRange(probe);
    if (Number.isNaN(from)) return red('no row of GET /history has a time');
    const days = (to - from) / DAY_MS;
    return days <= 92 && days >= 80 ? green(`${Math.round(days)} days`) : red(`it spans ${Math.round(days)} days`);
  }),
  check('4.2', 'alerts-durations', 'Alerts come with durations', async ({ probe }) => {
    const rows = await probe.rows('/alerts');
    if (rows.length === 0) return skipped('there is no alert');
    return firstOf(
      rows.map((row) =>
        Object.keys(row).some((name) => /duration|length|seconds|minutes/i.test(name))
          ? null
          : `an alert has no duration: ${shown(row)}`,
      ),
    );
  }),
  check('4.2', 'news-sentiment', 'Market news comes with sentiment', async ({ probe }) => {
    const rows = await probe.rows('/market-news');
    if (rows.length === 0) return skipped('there is no news');
    return firstOf(
      rows.map((row) =>
        Object.keys(row).some((name) => /sentiment/i.test(name))
          ? null
          : `a piece of news has no sentiment: ${shown(row)}`,
      ),
    );
  }),
  check('4.2', 'factors-attribution', 'Factors tell attribution and exposures', async ({ probe }) => {
    const { text } = await probe.get(`/factors?symbol=${await probe.symbol()}`);
    return firstOf([
      /"[a-z_]*(contribution|attribution|share|weight|factor)s?"/i.test(text)
        ? null
        : 'GET /factors has no attribution',
      /exposure|beta|loading|sensitivit/i.test(text) ? null : 'GET /factors has no exposures',
    ]);
  }),
];

const regime: readonly Check[] = [
  check('4.3', 'regime-current', 'GET /regime/{symbol} returns the current regime', async ({ probe }) =>
    answered(await probe.get(`/regime/${await probe.symbol()}`)),
  ),
  check('4.3', 'regime-as-of', 'as_of takes a past time', async ({ probe }) =>
    answered(await probe.get(`/regime/${await probe.symbol()}?as_of=${await daysAgo(probe, 7)}`)),
  ),
  check('4.3', 'regime-as-of-bad', 'as_of is an ISO 8601 time', async ({ probe }) => {
    // A date that does not exist is invalid.
    const year = new Date((await historyRange(probe)).to - 365 * DAY_MS).getUTCFullYear();
    return allRefused(
      probe,
      ['yesterday', `${year}-02-30`].map((time) => `/regime/${SYMBOL}?as_of=${time}`),
    );
  }),
  check(
    '4.3',
    'regime-history',
    'GET /regime/{symbol}/history returns the regimes from a moment on',
    async ({ probe }) => {
      const from = await daysAgo(probe, 30);
      const rows = await probe.rows(`/regime/${await probe.symbol()}/history?from=${from}`);
      if (rows.length === 0) return red('a month has no row');
      return firstOf(
        rows.map((row) =>
          isInstant(row.timestamp) && Date.parse(row.timestamp) < Date.parse(from)
            ? `a row of ${row.timestamp} is before from`
            : null,
        ),
      );
    },
  ),
  check('4.3', 'regime-history-from', 'from is required, and an ISO 8601 time', ({ probe }) =>
    allRefused(probe, [`/regime/${SYMBOL}/history`, `/regime/${SYMBOL}/history?from=soon`]),
  ),
  check('4.3', 'regime-history-to-bad', 'to is an ISO 8601 time', async ({ probe }) =>
    allRefused(probe, [`/regime/${SYMBOL}/history?from=${await daysAgo(probe, 5)}&to=soon`]),
  ),
  check('4.3', 'regime-history-to', 'to ends the range', async ({ probe }) => {
    const [from, to] = [await daysAgo(probe, 30), await daysAgo(probe, 10)];
    const path = `/regime/${await probe.symbol()}/history?from=${from}`;
    const [all, some] = [await probe.rows(path), await probe.rows(`${path}&to=${to}`)];
    return firstOf([
      ...some.map((row) =>
        isInstant(row.timestamp) && Date.parse(row.timestamp) > Date.parse(to)
          ? `a row of ${row.timestamp} is after to`
          : null,
      ),
      some.length < all.length ? null : 'without to, which is now, there are no more rows than with an earlier one',
    ]);
  }),
  check('4.3', 'regime-granularity-default', 'granularity is day where it is not given', async ({ probe }) => {
    const path = `/regime/${await probe.symbol()}/history?from=${await daysAgo(probe, 20)}&to=${await daysAgo(probe, 2)}`;
    const [plain, day] = [await probe.rows(path), await probe.rows(`${path}&granularity=day`)];
    return JSON.stringify(plain) === JSON.stringify(day) ? green() : red('it differs from granularity=day');
  }),
  check('4.3', 'regime-granularity-hour', 'granularity takes hour', async ({ probe }) =>
    answered(
      await probe.get(`/regime/${await probe.symbol()}/history?from=${await daysAgo(probe, 2)}&granularity=hour`),
    ),
  ),
  check('4.3', 'regime-granularity-minute', 'minute is for the Institutional plan only', async ({ probe }) => {
    const answer = await probe.get(
      `/regime/${await probe.symbol()}/history?from=${await daysAgo(probe, 1)}&granularity=minute`,
    );
    return answer.status === 200
      ? skipped('it is given; the key may be of the Institutional plan')
      : refused(answer, 403, 'forbidden');
  }),
  check('4.3', 'regime-granularity-bad', 'granularity takes nothing else', async ({ probe }) =>
    refused(
      await probe.get(`/regime/${await probe.symbol()}/history?from=${await daysAgo(probe, 2)}&granularity=fortnight`),
      400,
      'invalid_request',
    ),
  ),
  check('4.3', 'regime-not-covered', 'A symbol outside the universe is 404 symbol_not_covered', async ({ probe }) =>
    refused(await probe.get(`/regime/${UNKNOWN_SYMBOL}`), 404, 'symbol_not_covered'),
  ),
  check(
    '4.3',
    'regime-history-not-covered',
    'The history of a symbol outside the universe is 404 symbol_not_covered',
    async ({ probe }) =>
      refused(
        await probe.get(`/regime/${UNKNOWN_SYMBOL}/history?from=${await daysAgo(probe, 2)}`),
        404,
        'symbol_not_covered',
      ),
  ),
];

const rest: readonly Check[] = [
  check('4.5', 'archetypes-default', 'symbol is SPY where it is not given', async ({ probe }) => {
    const { symbol } = fieldsOf((await probe.get(ARCHETYPES)).body) ?? {};
    return symbol === undefined
      ? skipped('the answer names no symbol')
      : symbol === 'SPY'
        ? green()
        : red(`it is ${shown(symbol)}`);
  }),
  check('4.5', 'archetypes-symbol', 'symbol chooses the symbol', async ({ probe }) => {
    const other = await probe.other();
    if (other === null) return skipped('there is one symbol only');
    const { symbol } = fieldsOf((await probe.get(`${ARCHETYPES}?symbol=${other}`)).body) ?? {};
    return symbol === undefined
      ? skipped('the answer names no symbol')
      : symbol === other
        ? green()
        : red(`asked for ${other} it tells ${shown(symbol)}`);
  }),
  check(
    '4.5',
    'archetypes-invalid-symbol',
    'A symbol that is not valid or supported is 400 INVALID_SYMBOL',
    async ({ probe }) => refused(await probe.get(`${ARCHETYPES}?symbol=${UNKNOWN_SYMBOL}`), 400, 'invalid_symbol'),
  ),
  check('4.5', 'archetypes-malformed-symbol', 'A symbol that is none is 400 INVALID_SYMBOL', async ({ probe }) =>
    refused(await probe.get(`${ARCHETYPES}?symbol=%24%24`), 400, 'invalid_symbol'),
  ),
  check(
    '7',
    'signal-not-covered',
    'The signal of a symbol outside the universe is 404 symbol_not_covered',
    async ({ probe }) => refused(await probe.get(`/signal?symbol=${UNKNOWN_SYMBOL}`), 404, 'symbol_not_covered'),
  ),
  check('4.8', 'limit-integer', 'limit is an integer', ({ probe }) =>
    allRefused(probe, ['/snapshot?limit=many', '/snapshot?limit=1.5']),
  ),
  check('4.7', 'briefings-type', 'The archive can be filtered by type', ({ probe }) =>
    filtered(probe, 'type', (row, value) => row.type === value),
  ),
  check('4.7', 'briefings-author', 'The archive can be filtered by author', ({ probe }) =>
    filtered(probe, 'author', (row, value) => row.author === value),
  ),
  check('4.7', 'briefings-dates', 'The archive can be filtered by a range of dates', async ({ probe }) => {
    const path = await briefingsPath(probe);
    const dates = (path === null ? [] : await probe.rows(withQuery(path, 'limit=100')))
      .flatMap(({ date }) => (isInstant(date) ? [date] : []))
      .sort();
    const [from, to] = [dates[Math.floor(dates.length / 4)], dates[Math.floor(dates.length / 2)]];
    if (path === null || from === undefined || to === undefined) return skipped('there are no briefings with dates');
    // The specification does not name its ends.
    for (const [first, last] of RANGE_NAMES) {
      const rows = await probe.rows(
        withQuery(path, `${first}=${encodeURIComponent(from)}&${last}=${encodeURIComponent(to)}&limit=100`),
      );
      if (rows.length > 0 && rows.every(({ date }) => isInstant(date) && date >= from && date <= to))
        return green(`${first} and ${last}`);
    }
    return red(`none of ${RANGE_NAMES.map((names) => names.join(' and ')).join(', ')} gives those of ${from} to ${to}`);
  }),
  ...LISTS.flatMap(({ name, path }) => [
    check('4.8', `limit-${name}`, `${name} takes limit`, async ({ probe }) => {
      const listPath = await path(probe);
      const rows = listPath === null ? [] : await probe.rows(withQuery(listPath, 'limit=2'));
      if (rows.length === 0) return skipped('there are no rows');
      return rows.length <= 2 ? green() : red(`limit=2 gives ${rows.length} rows`);
    }),
    check('4.8', `limit-most-${name}`, `limit of ${name} is 100 at most`, async ({ probe }) => {
      const listPath = await path(probe);
      if (listPath === null) return skipped('its path is not stated, and it was not found');
      const answer = await probe.get(withQuery(listPath, 'limit=101'));
      if (answer.status === 400) return refused(answer, 400, 'invalid_request');
      const rows = readList(answer.body, name)?.rows.length ?? 0;
      return answer.status === 200 && rows <= 100
        ? green('more is cut to 100')
        : red(`limit=101 is ${answer.status} with ${rows} rows`);
    }),
    check('4.8', `after-${name}`, `after leads ${name} on to the next page`, async ({ probe }) => {
      const listPath = await path(probe);
      const first = listPath === null ? null : await probe.get(withQuery(listPath, 'limit=1'));
      const page = first?.status === 200 ? readList(first.body, name) : null;
      if (listPath === null || page === null || page.nextCursor === null) return skipped('there is one page only');
      const second = await probe.get(withQuery(listPath, `limit=1&after=${encodeURIComponent(page.nextCursor)}`));
      if (second.status !== 200) return red(`after=${page.nextCursor} is ${second.status}`);
      const next = readList(second.body, name);
      if ((next?.rows.length ?? 0) === 0) return red('there is more, and the next page has no row');
      return next?.rows.map(identityOf).join() === page.rows.map(identityOf).join()
        ? red('the next page is the first one again')
        : green();
    }),
  ]),
  check('4.8', 'pages-end', 'Pages end, and no row comes twice', async ({ probe }) => {
    const seen = new Set<string>();
    let after = '';
    for (let pages = 0; pages < 50; pages += 1) {
      const page = readList(
        (await probe.get(`/history?symbol=${await probe.symbol()}&limit=20${after}`)).body,
        'history',
      );
      for (const row of page?.rows ?? []) {
        const identity = identityOf(row);
        if (seen.has(identity)) return red(`a row came twice: ${shown(row)}`);
        seen.add(identity);
      }
      if (page === null || !page.hasMore) return green(`${seen.size} rows`);
      after = `&after=${encodeURIComponent(page.nextCursor ?? '')}`;
    }
    return red('GET /history does not end within 50 pages');
  }),
];

const daysAgo = async (probe: Probe, days: number): Promise<string> =>
  new Date((await historyRange(probe)).to - days * DAY_MS).toISOString();

async function filtered(probe: Probe, name: string, fits: (row: Fields, value: unknown) => boolean): Promise<Outcome> {
  const path = await briefingsPath(probe);
  const all = path === null ? [] : await probe.rows(path);
  const value = all[0]?.[name];
  if (path === null || typeof value !== 'string') return skipped(`there is no briefing with ${name}`);
  const rows = await probe.rows(withQuery(path, `${name}=${encodeURIComponent(value)}`));
  if (rows.length === 0) return red(`${name}=${value} finds none, where one was`);
  return firstOf(rows.map((row) => (fits(row, value) ? null : `${name}=${value} finds one of ${shown(row[name])}`)));
}

export const ENDPOINT_CHECKS: readonly Check[] = [...basics, ...regime, ...rest];
