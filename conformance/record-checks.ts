// Conformance: sections 1 and 2: the purpose of the service, and the fields of its records.
import { isLoopback } from '../shared/lib/loopback.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { BRIEFING_TYPES } from '../shared/wire/events.ts';
import { type Check, check, firstOf, green, red, skipped } from './check.ts';
import { briefingsPath, historyRange, LISTS } from './list-endpoints.ts';
import { codeOf } from './probe.ts';
import type { Answer } from './recorder.ts';
import {
  arrayOf,
  type Fields,
  fieldsOf,
  isInstant,
  lasting,
  powersIn,
  shown,
  wrongFields,
  wrongMap,
  wrongRows,
} from './shapes.ts';

const YEAR_MS = 365.25 * DAY_MS;
const METRICS = { recall: 'number', precision: 'number', f1: 'number', n_signals: 'integer' } as const;
const VALIDATION = '/api/validation/metrics';
const ARCHETYPES = '/api/archetypes/current';
const REGIME_SYMBOLS = ['BTC', 'EURUSD'];

const service: readonly Check[] = [
  check('1', 'https', 'The interface is spoken over HTTPS (or within this computer)', ({ probe: { base } }) =>
    base.protocol === 'https:' || isLoopback(base.hostname)
      ? green(base.protocol.replace(':', ''))
      : red(`${base.origin} is plain http to another computer`),
  ),
  check('1', 'monitored-instruments', 'Current signals are there for monitored instruments', async ({ probe }) => {
    const rows = await probe.rows('/snapshot?limit=100');
    return rows.length > 0 ? green(`${rows.length} on the first page`) : red('GET /snapshot lists none');
  }),
  check('1', 'regime-symbols', 'Other tickers, such as BTC and EURUSD, appear as regime symbols', async ({ probe }) => {
    const answers = await Promise.all(REGIME_SYMBOLS.map((symbol) => probe.get(`/regime/${symbol}`)));
    const uncovered = (answer: Answer): boolean => answer.status === 404 && codeOf(answer) === 'symbol_not_covered';
    if (answers.every(uncovered)) return skipped(`it covers neither ${REGIME_SYMBOLS.join(' nor ')}`);
    return firstOf(
      answers.map((one) =>
        one.status === 200 || uncovered(one) ? null : `GET ${one.path} is ${one.status} ${codeOf(one)}`,
      ),
    );
  }),
  check('1', 'factor-history', 'Factor history is available for the past 2 years', async ({ probe }) => {
    const symbol = await probe.symbol();
    const latest = (await historyRange(probe)).to;
    const from = new Date(latest - 2 * YEAR_MS).toISOString();
    const rows = await probe.rows(`/factors?symbol=${symbol}&from=${from.slice(0, 10)}&limit=1`);
    const first = rows[0]?.timestamp;
    if (!isInstant(first)) return skipped('no parameter for a range of factors is stated, and from is not taken');
    const late = Date.parse(first) - (latest - 2 * YEAR_MS);
    return late < 31 * DAY_MS ? green(`from ${first}`) : red(`the first row that can be had is of ${first}`);
  }),
  check('1', 'real-time', 'Factors update in real time during market hours', () =>
    skipped('that has to be watched over a session'),
  ),
  check('1', 'sdks', 'Clients exist for Python, TypeScript, Go and Rust', () =>
    skipped('they are not part of the interface'),
  ),
  check('1', 'sandbox-deterministic', 'Sandbox responses are deterministic', async ({ probe }) => {
    if (probe.key?.startsWith('svc_test_') !== true) return skipped('this is no sandbox');
    const at = new Date((await historyRange(probe)).to - 7 * DAY_MS).toISOString();
    const path = `/regime/${await probe.symbol()}?as_of=${at}`;
    const [first, second] = [await probe.ask(path), await probe.ask(path)];
    // Ages depend on the time of the request.
    const [one, two] = [first, second].map(({ body, text }) =>
      fieldsOf(body) === null ? text : lasting(body as Fields),
    );
    return one === two ? green() : red(`GET ${path} answers two different things`);
  }),
];

const records: readonly Check[] = [
  check(
    '2.1',
    'signal-shape',
    'A signal has symbol (string), state (integer), confidence (number) and note (string)',
    async ({ probe }) => {
      const symbol = await probe.symbol();
      const { body } = await probe.get(`/signal?symbol=${symbol}`);
      const kinds = { symbol: 'string', state: 'integer', confidence: 'number', note: 'string' } as const;
      return firstOf([
        wrongFields('GET /signal', body, kinds),
        fieldsOf(body)?.symbol === symbol ? null : `the signal of ${symbol} names another symbol`,
      ]);
    },
  ),
  check('2.1', 'confidence-percent', 'Confidence is percent-like', async ({ probe }) => {
    const values = (await probe.rows('/snapshot?limit=100')).flatMap(({ confidence }) =>
      typeof confidence === 'number' ? [confidence] : [],
    );
    if (values.length === 0) return skipped('no row of GET /snapshot has a confidence');
    return firstOf([
      values.every((value) => value >= 0 && value <= 100) ? null : 'a confidence is outside 0 to 100',
      values.every((value) => value <= 1) ? 'all are 1 or less: shares, not percent' : null,
    ]);
  }),
  check('2.2', 'validation-shape', 'Validation metrics have computed_at, symbols and provenance', async ({ probe }) =>
    firstOf([
      wrongFields(`GET ${VALIDATION}`, (await probe.get(VALIDATION)).body, {
        computed_at: 'instant',
        symbols: 'array',
        provenance: 'object',
      }),
    ]),
  ),
  check(
    '2.2',
    'validation-rows',
    'Each symbol has full and holdout with recall, precision, f1 and n_signals',
    async ({ probe }) => {
      const rows = arrayOf(fieldsOf((await probe.get(VALIDATION)).body)?.symbols) ?? [];
      if (rows.length === 0) return skipped('there is no symbol');
      return firstOf(
        rows.flatMap((row) => [
          wrongFields('symbols[]', row, { symbol: 'string', full: 'object', holdout: 'object' }),
          wrongFields('full', fieldsOf(row)?.full, METRICS),
          wrongFields('holdout', fieldsOf(row)?.holdout, METRICS),
        ]),
      );
    },
  ),
  check('2.2', 'validation-notes', 'provenance contains notes', async ({ probe }) =>
    firstOf([wrongFields('provenance', fieldsOf((await probe.get(VALIDATION)).body)?.provenance, { notes: 'string' })]),
  ),
  check('2.3', 'factors-variant', 'Archetypes are a map of powers (A) or rows of dimensions (B)', async ({ probe }) => {
    const { body } = await probe.get(ARCHETYPES);
    const { map, rows } = powersIn(body);
    if (map !== null)
      return firstOf(
        [wrongFields(`GET ${ARCHETYPES}`, body, { symbol: 'string', timestamp: 'instant' })],
        rows === null ? 'A' : 'A and B',
      );
    return rows === null ? red(`GET ${ARCHETYPES} has neither powers nor rows with a power`) : green('B');
  }),
  check(
    '2.3',
    'factors-map',
    'Variant A maps the twelve dimensions, in lower case, to 0.0 to 1.0',
    async ({ probe }) => {
      const { map } = powersIn((await probe.get(ARCHETYPES)).body);
      return map === null ? skipped('the service has variant B') : firstOf([wrongMap(map)]);
    },
  ),
  check(
    '2.3',
    'factors-rows',
    'Variant B has a row for each of D-01 to D-12 with name, power, description, domain, icon and color',
    async ({ probe }) => {
      const { rows } = powersIn((await probe.get(ARCHETYPES)).body);
      return rows === null ? skipped('the service has variant A') : firstOf([wrongRows(rows)]);
    },
  ),
  ...LISTS.map(({ name, path }) =>
    check('2.4', `envelope-${name}`, `${name} is a list with has_more and next_cursor`, async ({ probe }) => {
      const listPath = await path(probe);
      if (listPath === null) return skipped('its path is not stated, and it was not found');
      const { body, status } = await probe.get(listPath);
      if (status !== 200) return red(`GET ${listPath} is ${status}`);
      const { has_more, next_cursor } = fieldsOf(body) ?? {};
      if (typeof has_more !== 'boolean') return red(`GET ${listPath}: has_more is ${shown(has_more)}`);
      const last = next_cursor === null || next_cursor === undefined || next_cursor === '';
      if (has_more)
        return last || typeof next_cursor !== 'string'
          ? red(`GET ${listPath}: there is more, and next_cursor is ${shown(next_cursor)}`)
          : green();
      return last || typeof next_cursor === 'string'
        ? green()
        : red(`GET ${listPath}: next_cursor is ${shown(next_cursor)}`);
    }),
  ),
  check('2.5', 'briefing-fields', 'A briefing has id, type (one of six), author and date', async ({ probe }) => {
    const path = await briefingsPath(probe);
    const rows = path === null ? [] : await probe.rows(path);
    if (rows.length === 0)
      return skipped(
        path === null ? 'the path of the archive is not stated, and it was not found' : 'the archive is empty',
      );
    return firstOf(
      rows.flatMap((row) => [
        wrongFields('a briefing', row, { id: 'string', type: 'string', author: 'string', date: 'instant' }),
        (BRIEFING_TYPES as readonly unknown[]).includes(row.type) ? null : `${shown(row.type)} is no type of briefing`,
      ]),
    );
  }),
];

export const RECORD_CHECKS: readonly Check[] = [...service, ...records];
