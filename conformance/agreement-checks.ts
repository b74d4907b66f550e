// Conformance: endpoints agree with each other, over the first page of symbols and new transitions.

import { readList } from '../client/client.ts';
import { stateFromText } from '../shared/domain/states.ts';
import { DAY_MS } from '../shared/lib/time.ts';
import { type Check, check, extensionCheck, firstOf, green, type Outcome, red, skipped } from './check.ts';
import { briefingsPath, historyRange, withQuery } from './list-endpoints.ts';
import { codeOf, type Probe } from './probe.ts';
import { readPushedEvent, streamEvents } from './push-run.ts';
import { type Fields, fieldsOf, isInstant, objectsIn, shown, timeOf } from './shapes.ts';

const HOUR_MS = 3_600_000;
/** Number of symbols, one call each: enough to find common faults, and few enough for any limit. */
const MAX_SYMBOLS = 25;
/** Pages of the event log that are read. */
const MAX_PAGES = 30;
const SNAPSHOT = '/snapshot?limit=100';

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
/** 0 Normal, 1 Elevated, 2 High Risk; null for any other value: the integers are not stated. */
const stateOf = (row: Fields, name: unknown, value: unknown): number | null =>
  typeof name === 'string' ? stateFromText(name) : typeof row.state_name === 'string' ? numberOf(value) : null;

const symbolsOf = async (probe: Probe): Promise<string[]> =>
  (await probe.rows(SNAPSHOT))
    .flatMap(({ symbol }) => (typeof symbol === 'string' ? [symbol] : []))
    .slice(0, MAX_SYMBOLS);

interface Step {
  readonly at: number;
  readonly to: number;
}

/** Listed changes of a symbol's state, oldest first, and the time from which they are complete. */
async function stepsOf(
  probe: Probe,
  symbol: string,
): Promise<{ readonly steps: readonly Step[]; readonly from: number }> {
  const rows = (await probe.rows(`/alert-transitions?symbol=${encodeURIComponent(symbol)}&limit=100`)).filter(
    (row) => row.symbol === symbol,
  );
  const steps = rows
    .flatMap((row) => {
      const to = stateOf(row, row.state_name, row.to_state ?? row.state);
      return to === null || Number.isNaN(timeOf(row)) ? [] : [{ at: timeOf(row), to }];
    })
    .sort((a, b) => a.at - b.at);
  return { steps, from: steps[0]?.at ?? Number.POSITIVE_INFINITY };
}

interface Day {
  readonly row: Fields;
  /** The state at its end. */
  readonly state: number;
  /** Beginning of the day, ms; NaN: unknown. */
  readonly after: number;
  readonly to: number;
}

/**
 * Whole days of /history, oldest first: the last row may still change.
 * @param shift a row's time is the end of its day, or its beginning
 */
function daysOf(rows: readonly Fields[], shift: number): Day[] {
  return rows.slice(0, -1).flatMap((row, index) => {
    const state = stateOf(row, row.state_name, row.state);
    const before = rows[index - 1];
    const to = timeOf(row) + shift;
    if (state === null || Number.isNaN(to)) return [];
    return { row, state, after: before === undefined ? Number.NaN : timeOf(before) + shift, to };
  });
}

/** Days that disagree with the transitions. */
async function wrongDays(probe: Probe, wrong: (day: Day, within: readonly Step[], began: Step) => string | null) {
  const found: [readonly string[], readonly string[]] = [[], []];
  let compared = 0;
  for (const symbol of await symbolsOf(probe)) {
    const { steps, from } = await stepsOf(probe, symbol);
    const rows = [...(await probe.rows(`/history?symbol=${encodeURIComponent(symbol)}&limit=100`))].sort(
      (a, b) => timeOf(a) - timeOf(b),
    );
    // A time may be the close, or the date of the day.
    for (const [index, shift] of [0, DAY_MS].entries()) {
      for (const day of daysOf(rows, shift)) {
        const began = steps.findLast(({ at }) => at <= day.after);
        if (!(day.after >= from) || began === undefined) continue;
        if (index === 0) compared += 1;
        const within = steps.filter(({ at }) => at > day.after && at <= day.to);
        const said = wrong(day, within, began);
        if (said !== null) (found[index] as string[]).push(`${symbol} ${shown(day.row.timestamp)}: ${said}`);
      }
    }
  }
  return { compared, wrong: found[0].length <= found[1].length ? found[0] : found[1] };
}

const dayOutcome = ({ compared, wrong }: { compared: number; wrong: readonly string[] }): Outcome =>
  compared === 0
    ? skipped('no day of /history lies within what /alert-transitions lists')
    : wrong.length === 0
      ? green(`${compared} days`)
      : red(`${wrong.length} of ${compared} days, such as ${wrong[0]}`);

const days: readonly Check[] = [
  check('4.2', 'history-states', 'A day of /history has the state that /alert-transitions led to', async ({ probe }) =>
    dayOutcome(
      await wrongDays(probe, ({ state }, within, began) => {
        const logged = within.at(-1)?.to ?? began.to;
        return state === logged ? null : `it is ${state}, and the last transition led to ${logged}`;
      }),
    ),
  ),
  extensionCheck(
    '4.2',
    'history-worst',
    'A day says its worst state and its number of changes as /alert-transitions lists them (own extension)',
    async ({ probe }) => {
      const rows = await probe.rows(`/history?symbol=${await probe.symbol()}&limit=100`);
      if (!rows.some((row) => numberOf(row.worst_state) !== null)) return skipped('it does not say worst_state');
      return dayOutcome(
        await wrongDays(probe, ({ row }, within, began) => {
          const worst = Math.max(began.to, ...within.map(({ to }) => to));
          if (row.worst_state !== worst) return `its worst is ${shown(row.worst_state)}, and in the log ${worst}`;
          const changes = numberOf(row.changes);
          return changes === null || changes === within.length
            ? null
            : `${changes} changes, and in the log ${within.length}`;
        }),
      );
    },
  ),
];

const likeliest = (probabilities: Fields): readonly [name: string, value: number] | null =>
  Object.entries(probabilities)
    .flatMap(([name, value]): [string, number][] => (typeof value === 'number' ? [[name, value]] : []))
    .sort((a, b) => b[1] - a[1])[0] ?? null;

function wrongRegime(symbol: string, body: unknown): string | null {
  const { regime, probabilities, confidence, candidate } = fieldsOf(body) ?? {};
  const given = fieldsOf(probabilities);
  const best = given === null ? null : likeliest(given);
  if (typeof regime !== 'string' || given === null || best === null) return null;
  const own = numberOf(given[regime]);
  const sum = Object.values(given).reduce<number>((total, value) => total + (numberOf(value) ?? 0), 0);
  if (sum > 1.02 * (best[1] > 1 ? 100 : 1))
    return `the probabilities of the regimes of ${symbol} sum to ${sum.toFixed(3)}`;
  if (own === null) return `${symbol} is in ${regime}, which has no probability`;
  if (best[1] > own && fieldsOf(candidate)?.regime !== best[0])
    return `${symbol} is in ${regime} at ${own}, while ${best[0]} has ${best[1]}, and no candidate says so`;
  const percent = numberOf(confidence);
  const scale = best[1] > 1 ? 1 : 100;
  return percent === null || percent <= 1 || Math.abs(percent - scale * own) <= 1
    ? null
    : `the confidence of ${symbol} in ${regime} is ${percent}, and its probability ${own}`;
}

const regimes: readonly Check[] = [
  check(
    '4.3',
    'regime-agrees',
    'A regime, its confidence and its probabilities agree, or a candidate says which one the data favour',
    async ({ probe }) => {
      const symbols = await symbolsOf(probe);
      const bodies = [];
      for (const symbol of symbols) bodies.push([symbol, (await probe.get(`/regime/${symbol}`)).body] as const);
      if (!bodies.some(([, body]) => fieldsOf(fieldsOf(body)?.probabilities) !== null))
        return skipped('no regime has probabilities');
      return firstOf(
        bodies.map(([symbol, body]) => wrongRegime(symbol, body)),
        `${bodies.length} symbols`,
      );
    },
  ),
  check(
    '4.3',
    'regime-granularity-honest',
    'Hours are hours: where there are days only, the answer says so, or is 400',
    async ({ probe }) => {
      const from = new Date((await historyRange(probe)).to - 4 * DAY_MS).toISOString();
      const answer = await probe.get(`/regime/${await probe.symbol()}/history?from=${from}&granularity=hour&limit=100`);
      if (answer.status === 400) return codeOf(answer) === '' ? red('the refusal has no code') : green('refused');
      const rows = await probe.rows(answer.path);
      const times = rows
        .map(timeOf)
        .filter((at) => !Number.isNaN(at))
        .sort((a, b) => a - b);
      if (times.length < 2) return skipped('there are fewer than two rows');
      // The median: a row of the day so far may follow the last close by minutes.
      const steps = times.slice(1).map((at, index) => at - (times[index] as number));
      const step = steps.sort((a, b) => a - b)[steps.length >> 1] as number;
      const said = fieldsOf(answer.body)?.granularity;
      const isHourly = step <= 1.5 * HOUR_MS;
      if (isHourly)
        return said === undefined || said === 'hour' ? green('hours') : red(`hours are called ${shown(said)}`);
      return said !== undefined && said !== 'hour'
        ? green(`${shown(said)} in the place of hours`)
        : red(`rows are ${Math.round(step / HOUR_MS)} hours apart, and the answer does not say so`);
    },
  ),
];

/** Minimum age of a price that is not current: no exchange closes for a fortnight. */
const OLD_MS = 14 * DAY_MS;

const present: readonly Check[] = [
  check(
    '2.6',
    'snapshot-current',
    'Current signals are of current prices: a symbol whose last price is weeks old is left out, or said to be old',
    async ({ probe }) => {
      const rows = await probe.rows(SNAPSHOT);
      const times = rows.map((row) => {
        const at = row.updated_at ?? row.timestamp ?? row.decided_at;
        return isInstant(at) ? Date.parse(at) : Number.NaN;
      });
      const newest = Math.max(...times.filter((at) => !Number.isNaN(at)));
      if (!Number.isFinite(newest)) return skipped('no row of GET /snapshot has a time');
      return firstOf(
        rows.map((row, index) =>
          newest - (times[index] as number) > OLD_MS && (row.data_health === undefined || row.data_health === 'current')
            ? `${shown(row.symbol)} is of ${new Date(times[index] as number).toISOString()}, and nothing says that it is old`
            : null,
        ),
      );
    },
  ),
  check(
    '2.1',
    'high-risk-above-base',
    'A High Risk is more likely than its base rate, or says by which rule it is held',
    async ({ probe }) => {
      const high = (await probe.rows(SNAPSHOT)).filter(
        (row) => stateOf(row, row.state_name, row.state) === 2 && numberOf(row.base_rate) !== null,
      );
      if (high.length === 0) return skipped('no symbol is in High Risk with a base rate');
      return firstOf(
        high.map(({ symbol, confidence, base_rate, held_by }) =>
          (numberOf(confidence) ?? Number.POSITIVE_INFINITY) >= Number(base_rate) ||
          (typeof held_by === 'string' && held_by !== '' && held_by !== 'none')
            ? null
            : `${shown(symbol)} is High Risk at ${shown(confidence)} with a base rate of ${shown(base_rate)}, and says no rule`,
        ),
        `${high.length} symbols`,
      );
    },
  ),
];

const log: readonly Check[] = [
  extensionCheck(
    '6.1',
    'log-briefings',
    'Briefings of the days that the event log covers are in it (own extension)',
    async ({ probe }) => {
      const path = await briefingsPath(probe);
      const events: Fields[] = [];
      for (let after = '', pages = 0; pages < MAX_PAGES; pages += 1) {
        const page = await probe.get(`/events?limit=100${after}`);
        const list = page.status === 200 ? readList(page.body, 'events') : null;
        if (list === null) return skipped('there is no event log');
        events.push(...objectsIn(list.rows));
        if (!list.hasMore || list.nextCursor === null) break;
        after = `&after=${encodeURIComponent(list.nextCursor)}`;
      }
      const [first, last] = [timeOf(events[0] ?? {}), timeOf(events.at(-1) ?? {})];
      const logged = new Set(
        events.filter(({ event }) => event === 'briefing.published').map(({ data }) => fieldsOf(data)?.id),
      );
      const listed = (path === null ? [] : await probe.rows(withQuery(path, 'limit=100'))).filter(
        (row) => timeOf(row) > first && timeOf(row) <= last,
      );
      if (listed.length === 0) return skipped('no briefing is of the days of the log');
      return firstOf(
        listed.map(({ id, date }) =>
          logged.has(id) ? null : `the briefing ${shown(id)} of ${shown(date)} is not in the log`,
        ),
        `${listed.length} briefings`,
      );
    },
  ),
];

const pushed: readonly Check[] = [
  check(
    '2.1',
    'pushed-signal-shape',
    'A pushed signal has symbol (string), state (integer), confidence (number) and note (string)',
    async (subject) => {
      const { arrivals, stream } = await subject.pushRun();
      const events = [
        ...streamEvents(stream),
        ...arrivals.good.flatMap(({ body }) => readPushedEvent(body.toString('utf8')) ?? []),
      ].filter(({ name }) => name?.startsWith('signal.') === true);
      if (events.length === 0) return skipped('no signal was pushed');
      return firstOf(
        events.map(({ name, data: { symbol, state, confidence, note } }) => {
          if (typeof symbol !== 'string') return `${name}: symbol is ${shown(symbol)}`;
          if (!Number.isInteger(state)) return `${name} of ${symbol}: state is ${shown(state)}`;
          if (numberOf(confidence) === null) return `${name} of ${symbol}: confidence is ${shown(confidence)}`;
          return typeof note === 'string' ? null : `${name} of ${symbol}: note is ${shown(note)}`;
        }),
        `${events.length} events`,
      );
    },
  ),
];

export const AGREEMENT_CHECKS: readonly Check[] = [...days, ...regimes, ...present, ...log, ...pushed];
