// Conformance: records that contradict themselves, and endpoints that disagree about a signal.
import { readList } from '../client/client.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, extensionCheck, firstOf, green, red, skipped } from './check.ts';
import { historyRange } from './list-endpoints.ts';
import type { Probe } from './probe.ts';
import {
  arrayOf,
  differentPowers,
  type Fields,
  fieldsOf,
  isInstant,
  objectsIn,
  powersIn,
  shown,
  timeOf,
} from './shapes.ts';

const HOUR_MS = 3_600_000;
const ARCHETYPES = '/api/archetypes/current';
const VALIDATION = '/api/validation/metrics';
/** Minimum age of a signal that is not current. */
const OLD_MS = 14 * DAY_MS;
const REGIME_SYMBOLS = ['BTC', 'EURUSD'];
/** An alert this long has a duration, unless it was outside trading hours; some alerts are not. */
const LONG_MS = 600_000;
const ROUNDS = 3;
/** Symbols that are compared. */
const MAX_SYMBOLS = 4;
/** Pages of the snapshot: 2,000 instruments. */
const MAX_PAGES = 20;

const DURATION = /duration|length|lasted|elapsed|^(milli)?seconds$|^minutes$|^hours$/i;
/** A duration's unit by the end of its name, ms. */
const UNITS: readonly (readonly [name: RegExp, ms: number])[] = [
  [/(^|_)(ms|millis|milliseconds)$/i, 1],
  [/seconds$|_s$/i, 1_000],
  [/minutes$/i, 60_000],
  [/hours$/i, HOUR_MS],
];

interface Lasting {
  readonly name: string;
  readonly said: number;
  /** From beginning to end, ms. */
  readonly span: number;
  readonly unit: number;
}

/** The duration of an ended episode; null: duration, unit or times are unknown. */
function durationOf(row: Fields): Lasting | null {
  const [from, to] = [row.started_at ?? row.start ?? row.from, row.ended_at ?? row.end ?? row.to];
  if (!isInstant(from) || !isInstant(to)) return null;
  for (const [name, said] of Object.entries(row)) {
    const unit = DURATION.test(name) ? UNITS.find(([pattern]) => pattern.test(name))?.[1] : undefined;
    if (unit !== undefined && typeof said === 'number')
      return { name, said, span: Date.parse(to) - Date.parse(from), unit };
  }
  return null;
}

/** Every instrument of the snapshot, page by page. */
async function snapshotRows(probe: Probe): Promise<readonly Fields[]> {
  const rows: Fields[] = [];
  for (let pages = 0, after = ''; pages < MAX_PAGES; pages += 1) {
    const list = readList((await probe.ask(`/snapshot?limit=100${after}`)).body, 'snapshot');
    rows.push(...objectsIn(list?.rows ?? []));
    if (list === null || !list.hasMore || list.nextCursor === null) break;
    after = `&after=${encodeURIComponent(list.nextCursor)}`;
  }
  return rows;
}
const signalTime = (row: Fields): number => {
  const at = row.updated_at ?? row.timestamp ?? row.decided_at;
  return isInstant(at) ? Date.parse(at) : Number.NaN;
};
const symbolsIn = (rows: readonly Fields[]): string[] =>
  rows.flatMap(({ symbol }) => (typeof symbol === 'string' ? [symbol] : []));
const firstRepeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index);

const instruments: readonly Check[] = [
  check('4.2', 'snapshot-once', 'An instrument has one current signal', async ({ probe }) => {
    const symbols = symbolsIn(await snapshotRows(probe));
    if (symbols.length === 0) return skipped('no row of GET /snapshot has a symbol');
    const repeated = firstRepeated(symbols);
    return repeated === undefined
      ? green(`${symbols.length} instruments`)
      : red(`${repeated} is in GET /snapshot twice`);
  }),
  check(
    '4.2',
    'snapshot-complete',
    'GET /snapshot has all instruments that GET /signal has a current signal of',
    async ({ probe }) => {
      const rows = await snapshotRows(probe);
      if (rows.length === 0) return skipped('GET /snapshot is empty');
      const present = new Set(symbolsIn(rows));
      const metrics = objectsIn(arrayOf(fieldsOf((await probe.get(VALIDATION)).body)?.symbols) ?? []);
      const known = new Set(symbolsIn([...(await probe.rows('/alert-transitions?limit=100')), ...metrics]));
      const newest = Math.max(...rows.map(signalTime).filter(Number.isFinite));
      for (const symbol of [...known].filter((one) => !present.has(one)).slice(0, MAX_SYMBOLS)) {
        const { status, body } = await probe.ask(`/signal?symbol=${encodeURIComponent(symbol)}`);
        const signal = fieldsOf(body) ?? {};
        const isOld =
          newest - signalTime(signal) > OLD_MS ||
          (signal.data_health !== undefined && signal.data_health !== 'current');
        if (status === 200 && !isOld) return red(`GET /signal knows ${symbol}, and it is not in GET /snapshot`);
      }
      return green(`${present.size} instruments`);
    },
  ),
  check('4.2', 'signal-agrees', 'GET /signal and GET /snapshot say the same state of a symbol', async ({ probe }) => {
    let symbols = symbolsIn(await probe.rows('/snapshot?limit=100')).slice(0, MAX_SYMBOLS);
    let said = '';
    // A state may change between two requests, but not each time.
    for (let round = 0; round < ROUNDS && symbols.length > 0; round += 1) {
      const rows = objectsIn(readList((await probe.ask('/snapshot?limit=100')).body, 'snapshot')?.rows ?? []);
      const different: string[] = [];
      for (const symbol of symbols) {
        const row = rows.find((one) => one.symbol === symbol);
        const signal = fieldsOf((await probe.ask(`/signal?symbol=${encodeURIComponent(symbol)}`)).body);
        if (row?.state === undefined || signal?.state === undefined || row.state === signal.state) continue;
        different.push(symbol);
        said = `${symbol} is ${shown(signal.state)} in GET /signal, and ${shown(row.state)} in GET /snapshot`;
      }
      symbols = different;
    }
    return symbols.length === 0 ? green() : red(said);
  }),
];

const times: readonly Check[] = [
  check('4.2', 'history-order', 'The timeline is in the order of time, each time once', async ({ probe }) => {
    const symbol = await probe.symbol();
    const rows = (await probe.rows(`/history?symbol=${symbol}&limit=100`)).filter(
      (row) => row.symbol === undefined || row.symbol === symbol,
    );
    const at = rows.map(timeOf).filter((time) => !Number.isNaN(time));
    if (at.length < 2) return skipped('there are fewer than two rows with a time');
    const direction = Math.sign((at.at(-1) as number) - (at[0] as number));
    const wrong = at.findIndex((time, index) => index > 0 && Math.sign(time - (at[index - 1] as number)) !== direction);
    return wrong === -1
      ? green(direction > 0 ? 'oldest first' : 'newest first')
      : red(
          `a row of ${new Date(at[wrong] as number).toISOString()} follows one of ${new Date(at[wrong - 1] as number).toISOString()}`,
        );
  }),
  check('4.2', 'alerts-lengths', 'A duration fits the beginning and the end that are beside it', async ({ probe }) => {
    const lasting = (await probe.rows('/alerts')).flatMap((row) => durationOf(row) ?? []);
    if (lasting.length === 0) return skipped('no alert has a duration with a unit, a beginning and an end');
    const long = lasting.filter(({ span }) => span >= LONG_MS);
    return firstOf(
      [
        ...lasting.map(({ name, said, span, unit }) =>
          // Time outside trading hours may not count; more than all of it cannot pass.
          said < 0 || said * unit > span + Math.max(60_000, unit)
            ? `${name} is ${said} where ${Math.round(span / 1_000)} s passed`
            : null,
        ),
        long.length > 2 && long.every(({ said }) => said === 0)
          ? `${long.length} alerts of ten minutes and more have a duration of 0`
          : null,
      ],
      `${lasting.length} alerts`,
    );
  }),
  check('4.3', 'regime-granularity-day', 'Days are days', async ({ probe }) => {
    const from = new Date((await historyRange(probe)).to - 20 * DAY_MS).toISOString();
    const rows = await probe.rows(`/regime/${await probe.symbol()}/history?from=${from}&granularity=day&limit=100`);
    const at = rows.map(timeOf).filter((time) => !Number.isNaN(time));
    if (at.length < 3) return skipped('there are fewer than three rows with a time');
    const steps = at.slice(1).map((time, index) => Math.abs(time - (at[index] as number)));
    const step = steps.sort((a, b) => a - b)[steps.length >> 1] as number;
    return step >= 20 * HOUR_MS ? green() : red(`rows are ${Math.round(step / HOUR_MS)} hours apart`);
  }),
  extensionCheck(
    '4.3',
    'regime-as-of-age',
    'The age of the data in an answer for a past time is their age then (own extension)',
    async ({ probe }) => {
      const symbol = await probe.symbol();
      const from = new Date((await historyRange(probe)).to - 20 * DAY_MS).toISOString();
      const rows = await probe.rows(`/regime/${symbol}/history?from=${from}&granularity=day&limit=100`);
      const at = rows.map(timeOf).sort((a, b) => a - b);
      const checked = at.slice(1, -1).flatMap((time, index) => [{ time, before: at[index] as number }]);
      const wrong: (string | null)[] = [];
      for (const { time, before } of checked.slice(-MAX_SYMBOLS)) {
        const instant = new Date(time).toISOString();
        const { body } = await probe.ask(`/regime/${symbol}?as_of=${instant}`);
        const age = fieldsOf(body)?.data_age_seconds;
        // The previous row had a price, so the data are not older than that.
        if (typeof age === 'number')
          wrong.push(
            age * 1_000 <= time - before + 60_000
              ? null
              : `as of ${instant} the data were ${age} s old, and there is a row of ${new Date(before).toISOString()}`,
          );
      }
      return wrong.length === 0 ? skipped('an answer for a past time has no data_age_seconds') : firstOf(wrong);
    },
  ),
  check('4.3', 'regime-history-covered', 'What has a regime has a history of it', async ({ probe }) => {
    const from = new Date((await historyRange(probe)).to - 10 * DAY_MS).toISOString();
    const found: string[] = [];
    for (const symbol of REGIME_SYMBOLS) {
      if ((await probe.get(`/regime/${symbol}`)).status !== 200) continue;
      const { status } = await probe.get(`/regime/${symbol}/history?from=${from}`);
      if (status !== 200) return red(`GET /regime/${symbol} answers, and its history is ${status}`);
      found.push(symbol);
    }
    return found.length === 0 ? skipped('neither BTC nor EURUSD has a regime') : green(found.join(' and '));
  }),
];

const metricsIn = (row: Fields): Fields[] => objectsIn([row.full, row.holdout]);
const digitsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0;

/** F1 is the harmonic mean by definition; the numbers may be rounded, and be shares or percent. */
function wrongF1(symbol: unknown, { recall, precision, f1 }: Fields): string | null {
  if (typeof recall !== 'number' || typeof precision !== 'number' || typeof f1 !== 'number') return null;
  if (recall + precision <= 0) return null;
  const mean = (2 * recall * precision) / (recall + precision);
  const scale = Math.max(recall, precision) > 1 ? 100 : 1;
  const unit = 10 ** -Math.max(...[recall, precision, f1].map(digitsOf));
  return Math.abs(mean - f1) <= Math.max(0.02 * scale, 2 * unit)
    ? null
    : `${shown(symbol)}: f1 is ${f1}, and ${mean.toFixed(3)} by precision ${precision} and recall ${recall}`;
}

const metrics: readonly Check[] = [
  check('2.2', 'validation-once', 'There is one row of metrics per symbol', async ({ probe }) => {
    const rows = objectsIn(arrayOf(fieldsOf((await probe.get(VALIDATION)).body)?.symbols) ?? []);
    if (rows.length === 0) return skipped('there is no symbol');
    const repeated = firstRepeated(symbolsIn(rows));
    return repeated === undefined ? green(`${rows.length} symbols`) : red(`${repeated} has two rows`);
  }),
  check('2.2', 'validation-f1', 'f1 is that of precision and recall', async ({ probe }) => {
    const rows = objectsIn(arrayOf(fieldsOf((await probe.get(VALIDATION)).body)?.symbols) ?? []);
    if (rows.length === 0) return skipped('there is no symbol');
    return firstOf(rows.flatMap((row) => metricsIn(row).map((part) => wrongF1(row.symbol, part))));
  }),
];

const powers: readonly Check[] = [
  check('2.3', 'factors-agree', 'Where an answer has both variants, their powers are the same', async ({ probe }) => {
    const { map, rows } = powersIn((await probe.get(ARCHETYPES)).body);
    return map === null || rows === null ? skipped('it has one variant') : firstOf([differentPowers(map, rows)]);
  }),
  check('2.3', 'stable-powers', 'Powers of one time do not change', async ({ probe }) => {
    const known = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { body } = await probe.ask(ARCHETYPES);
      const { map, rows } = powersIn(body);
      const at = fieldsOf(body)?.timestamp;
      if (typeof at !== 'string') return skipped('powers have no time');
      const said = JSON.stringify([map, rows]);
      if ((known.get(at) ?? said) !== said) return red(`asked again, the powers of ${at} are others`);
      known.set(at, said);
    }
    return green();
  }),
  check('4.5', 'archetypes-differ', 'The powers are those of the symbol', async ({ probe }) => {
    const said: string[] = [];
    for (const symbol of symbolsIn(await probe.rows('/snapshot?limit=100')).slice(0, MAX_SYMBOLS)) {
      const { status, body } = await probe.get(`${ARCHETYPES}?symbol=${encodeURIComponent(symbol)}`);
      const { map, rows } = powersIn(body);
      const values = map === null ? (rows ?? []).map(({ power }) => power) : Object.values(map);
      if (status === 200 && values.some((power) => typeof power === 'number')) said.push(JSON.stringify(values));
    }
    if (said.length < 3) return skipped('there are powers of fewer than three symbols');
    return new Set(said).size > 1 ? green() : red(`${said.length} symbols have the same twelve powers`);
  }),
];

export const CONTRADICTION_CHECKS: readonly Check[] = [...instruments, ...times, ...metrics, ...powers];
