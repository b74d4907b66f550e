// Conformance: filters of lists that the specification or the service names must have an effect.
import { stateFromText } from '../shared/domain/states.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, extension, green, type Outcome, red, skipped } from './check.ts';
import { documentedParameters } from './documented.ts';
import { withQuery } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import { arrayOf, type Fields, fieldsOf, isInstant, shown, timeOf } from './shapes.ts';

interface Filter {
  readonly name: string;
  /** Forms of a row's value, likeliest first; the specification does not state all of them. */
  values(row: Fields): readonly string[];
  /** @param value of the row that it was taken from */
  fits(row: Fields, model: Fields): boolean;
}

const texts = (...values: readonly unknown[]): string[] =>
  values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []));
const symbolsOf = (row: Fields): readonly unknown[] =>
  typeof row.symbol === 'string' ? [row.symbol] : (arrayOf(row.symbols) ?? []);
const classOf = (row: Fields): unknown => row.asset_class ?? row.class;
const stateOf = (row: Fields): unknown => row.to_state ?? row.peak_state ?? row.state;
/** When it ended, ms: a range includes every episode that overlaps it. */
const endOf = (row: Fields): number =>
  isInstant(row.ended_at) ? Date.parse(row.ended_at) : row.ended_at === null ? Number.POSITIVE_INFINITY : timeOf(row);
const instantsOf = (row: Fields): string[] => (Number.isNaN(timeOf(row)) ? [] : [new Date(timeOf(row)).toISOString()]);

const bySymbol = (name: string): Filter => ({
  name,
  values: (row) => texts(symbolsOf(row)[0]),
  fits: (row, model) => symbolsOf(row).includes(symbolsOf(model)[0]),
});
const STATE: Filter = {
  name: 'state',
  values: (row) => texts(row.state_name, typeof row.state === 'string' ? stateFromText(row.state) : null, stateOf(row)),
  fits: (row, model) => stateOf(row) === stateOf(model),
};
const REGIME: Filter = {
  name: 'regime',
  values: (row) => texts(row.regime),
  fits: (row, model) => row.regime === model.regime,
};
const CLASS: Filter = {
  name: 'class',
  values: (row) => texts(classOf(row)),
  fits: (row, model) => classOf(row) === classOf(model),
};
const FROM: Filter = { name: 'from', values: instantsOf, fits: (row, model) => endOf(row) >= timeOf(model) };
const TO: Filter = { name: 'to', values: instantsOf, fits: (row, model) => timeOf(row) <= timeOf(model) };

const SYMBOLS = [bySymbol('symbol'), bySymbol('symbols')];
const SIGNALS = [...SYMBOLS, STATE, REGIME, CLASS];

interface FilteredList {
  readonly list: string;
  readonly filters: readonly Filter[];
  /** Named by the specification (4.2: the filters of transitions). */
  readonly stated: readonly string[];
  path(probe: Probe): Promise<string>;
}

const LISTS: readonly FilteredList[] = [
  { list: 'snapshot', filters: SIGNALS, stated: [], path: async () => '/snapshot' },
  {
    list: 'alert-transitions',
    filters: [...SIGNALS, FROM, TO],
    stated: ['state', 'regime', 'class'],
    path: async () => '/alert-transitions',
  },
  { list: 'alerts', filters: [...SIGNALS, FROM, TO], stated: [], path: async () => '/alerts' },
  { list: 'market-news', filters: [...SYMBOLS, FROM, TO], stated: [], path: async () => '/market-news' },
  {
    list: 'history',
    filters: [FROM, TO],
    stated: [],
    path: async (probe) => `/history?symbol=${await probe.symbol()}`,
  },
  {
    list: 'factors',
    filters: [FROM, TO],
    stated: [],
    path: async (probe) => `/factors?symbol=${await probe.symbol()}&from=${await aMonthAgo(probe)}`,
  },
];

const MONTH_MS = 30 * DAY_MS;
const aMonthAgo = async (probe: Probe): Promise<string> => {
  const newest = Math.max(
    ...(await probe.rows(`/history?symbol=${await probe.symbol()}&limit=100`)).map(timeOf).filter(Number.isFinite),
  );
  return new Date((Number.isFinite(newest) ? newest : probe.clock.now()) - MONTH_MS).toISOString().slice(0, 10);
};

/** The path with the filter, which replaces a filter of the same name. */
const filteredPath = (path: string, name: string, value: string): string => {
  const [route = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((one) => one !== '' && !one.startsWith(`${name}=`));
  return withQuery(`${route}?${[...kept, `${name}=${encodeURIComponent(value)}`].join('&')}`, 'limit=100');
};

async function filterOutcome(probe: Probe, path: string, filter: Filter, isStated: boolean): Promise<Outcome> {
  const { name, values, fits } = filter;
  const all = await probe.rows(withQuery(path, 'limit=100'));
  const route = path.split('?')[0] ?? '';
  // Uses a middle row, because the time of the first row would exclude nothing or everything.
  const models = [...all.slice(all.length >> 1), ...all.slice(0, all.length >> 1)];
  const model = models.find((one) => values(one).length > 0 && all.some((row) => !fits(row, one)));
  if (model === undefined) return skipped(`no row of GET ${route} would be left out by ${name}`);
  const isDue = isStated || (await documentedParameters(probe, route)).has(name);
  let asked = '';
  for (const value of values(model)) {
    asked = `${name}=${value}`;
    const wanted = filteredPath(path, name, value);
    const answer = await probe.get(wanted);
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) continue;
    if (answer.status !== 200) return red(`GET ${wanted} is ${answer.status}`);
    const rows = await probe.rows(wanted);
    const stranger = rows.find((row) => !fits(row, model));
    const wrong =
      stranger !== undefined
        ? `GET ${route}?${asked} lists ${shown(stranger)}`
        : rows.length === 0
          ? `GET ${route}?${asked} lists nothing, where a row was`
          : null;
    if (wrong === null)
      return isStated ? green(asked) : extension(`${route} filters by ${name}, which the specification does not state`);
    return isDue ? red(wrong) : skipped(`own extension: ${name} is not stated, and this service does not take it`);
  }
  if (isDue && !isStated) return red(`GET ${route}?${asked} is refused, though its rows have this value`);
  return skipped(`its values are not stated, and ${asked} is refused`);
}

const SINGLE = ['/signal', '/factors', '/history'] as const;

/** The symbol of an answer about one symbol: in the body, or in its rows. */
const single: readonly Check[] = SINGLE.map((path) =>
  check(
    '4.2',
    `filter-symbol-of${path.replace('/', '-')}`,
    `GET ${path} is about the symbol asked for`,
    async ({ probe }) => {
      const other = await probe.other();
      if (other === null) return skipped('there is one symbol only');
      const { status, body } = await probe.get(`${path}?symbol=${other}&limit=100`);
      if (status !== 200) return skipped(`it is ${status}`);
      const named = [fieldsOf(body) ?? {}, ...(await probe.rows(`${path}?symbol=${other}&limit=100`))].flatMap(
        ({ symbol }) => (typeof symbol === 'string' ? [symbol] : []),
      );
      const stranger = named.find((symbol) => symbol !== other);
      if (named.length === 0) return skipped('the answer names no symbol');
      return stranger === undefined ? green(other) : red(`asked for ${other} the answer is about ${stranger}`);
    },
  ),
);

export const FILTER_CHECKS: readonly Check[] = [
  ...LISTS.flatMap(({ list, filters, stated, path }) =>
    filters.map((filter) =>
      check(
        '4.2',
        `filter-${list}-${filter.name}`,
        `${list} is not given unfiltered where ${filter.name} is asked for`,
        async ({ probe }) => filterOutcome(probe, await path(probe), filter, stated.includes(filter.name)),
      ),
    ),
  ),
  ...single,
];
