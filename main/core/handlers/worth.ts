// Main, core: computes what acting on High Risk brought, from the closes that the service scored.
// The computation runs in slices, so that events are recorded meanwhile; results stay until the next close.
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '../../../client/client.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { WorthChannels } from '../../../shared/channels/worth.ts';
import { type NamedSeries, worthRecord } from '../../../shared/channels/worth-record.ts';
import { type Way, WORTH_MARKETS, type Worth } from '../../../shared/domain/worth.ts';
import { type PastSeries, WORTH_SEED, worthOf } from '../../../shared/domain/worth-of.ts';
import { chunked } from '../../../shared/lib/chunked.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { message } from '../../../shared/text/message.ts';
import { type PastCloses, PastClosesSchema } from '../../../shared/wire/validation.ts';
import { notYet } from '../compat/refusals.ts';
import { type OwnAlertDeps, ownAlerts } from './own-alerts.ts';

export interface WorthDeps extends OwnAlertDeps {
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
  readonly clock: Clock;
}

const WHAT = message('data.past_closes');
/** The service computes them after a close, and keeps them for as long. */
const GOOD_FOR = 15 * MINUTE_MS;
/** A symbol has up to 3,700 closes, 90 KB. */
const SYMBOLS_A_PAGE = 10;
/** Longest slice of the computation, ms; a step takes up to 25 more. */
const SLICE_MS = 10;
const MAX_RESULTS = 3_000;

interface Question {
  readonly symbols: readonly string[];
  readonly way: Way;
  readonly cost: number;
}

export function createWorthHandlers(deps: WorthDeps): Handlers<WorthChannels> {
  const readCloses = createCloseReader(deps);
  /** By symbols, question and last days. */
  const results = new Map<string, Worth | null>();
  function* figuresOf(
    named: readonly NamedSeries[],
    market: PastSeries | null,
    { way, cost }: Question,
  ): Generator<void, Worth | null> {
    const key = JSON.stringify([
      way,
      cost,
      named.map(([symbol, { days }]) => [symbol, days.length, days[days.length - 1]]),
    ]);
    const found = results.get(key);
    if (found !== undefined) return found;
    const all = named.map(([, series]) => series);
    const worth = (yield* worthOf(all, { way, cost, market }, WORTH_SEED))?.worth ?? null;
    if (results.size >= MAX_RESULTS) results.clear();
    results.set(key, worth);
    return worth;
  }

  return {
    async 'worth.read'(question) {
      const closes = await readCloses(question);
      if (closes === null) return { isGiven: false, list: null, rows: [] };
      const market = marketOf(closes, question);
      return inSlices(worthRecord(question.symbols, closes, (named) => figuresOf(named, market, question)));
    },
    async 'worth.course'(question) {
      const closes = await readCloses(question);
      const all = question.symbols.flatMap((symbol) => closes?.get(symbol) ?? []);
      const { way, cost } = question;
      const market = closes === null ? null : marketOf(closes, question);
      const found = all.length === 0 ? null : await inSlices(worthOf(all, { way, cost, market }, WORTH_SEED, true));
      return {
        worth: found?.worth ?? null,
        course: found?.course ?? null,
        out: all.length === 1 ? all.flatMap(timesOut) : [],
      };
    },
    'worth.alerts': ({ symbols }) => ownAlerts(deps, symbols),
  };
}

async function inSlices<Value>(steps: Generator<void, Value>): Promise<Value> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await turn();
  }
}

/** What a hedge sells. */
function marketOf(closes: ReadonlyMap<string, PastSeries>, { way }: Question): PastSeries | null {
  if (way !== 'hedge') return null;
  for (const symbol of WORTH_MARKETS) {
    const market = closes.get(symbol);
    if (market !== undefined) return market;
  }
  return null;
}

/** @returns the reader of the closes by symbol; null: the service has no such endpoint */
function createCloseReader({ client, mayAsk, clock }: WorthDeps) {
  const known = new Map<string, { readonly series: PastSeries | null; readonly at: number }>();
  let isUnsupported = false;
  const read = async (symbols: readonly string[]): Promise<void> => {
    const answer = mayAsk()
      ? await client.page('pastCloses', { query: { symbols: [...symbols], limit: SYMBOLS_A_PAGE } })
      : null;
    if (answer?.ok !== true) {
      const { kind, status = null } = answer?.error ?? { kind: null };
      isUnsupported = kind === 'not_found' || status === 405 || status === 501;
      if (isUnsupported) return;
      throw notYet(WHAT, answer?.error ?? null);
    }
    const rows = new Map(
      answer.value.rows.flatMap((row) => PastClosesSchema.safeParse(row).data ?? []).map((row) => [row.symbol, row]),
    );
    for (const symbol of symbols) {
      const row = rows.get(symbol);
      known.set(symbol, { series: row === undefined ? null : seriesOf(row), at: clock.now() });
      await turn();
    }
  };
  return async ({ symbols, way }: Question): Promise<ReadonlyMap<string, PastSeries> | null> => {
    const wanted = [...new Set([...symbols, ...(way === 'hedge' ? WORTH_MARKETS : [])])];
    const missing = wanted.filter((symbol) => {
      const found = known.get(symbol);
      return found === undefined || Math.abs(clock.now() - found.at) >= GOOD_FOR;
    });
    for (const part of chunked(missing, SYMBOLS_A_PAGE)) if (!isUnsupported) await read(part);
    if (isUnsupported) return null;
    return new Map(
      wanted.flatMap((symbol) => {
        const series = known.get(symbol)?.series ?? null;
        return series === null ? [] : [[symbol, series]];
      }),
    );
  };
}

/** Largest change of a price from one close to the next that is computed with. */
const MAX_CHANGE = 10_000;

/** null: dates that do not ascend, or prices that are none. */
function seriesOf({ dates, closes, high_risk }: PastCloses): PastSeries | null {
  const isOrdered = dates.every((date, index) => index === 0 || (dates[index - 1] as string) < date);
  const isPriced = closes.every((close, index) => {
    const change = index === 0 ? 1 : close / (closes[index - 1] as number);
    return change <= MAX_CHANGE && change >= 1 / MAX_CHANGE;
  });
  if (!isOrdered || !isPriced || dates.length !== closes.length) return null;
  const highRisk = new Uint8Array(dates.length);
  for (let i = 0, period = 0; i < dates.length; i++) {
    const date = dates[i] as string;
    while ((high_risk[period]?.to ?? '9') < date) period += 1;
    highRisk[i] = (high_risk[period]?.from ?? '9') <= date ? 1 : 0;
  }
  return {
    days: Int32Array.from(dates, (date) => Date.parse(date) / DAY_MS),
    closes: Float64Array.from(closes),
    highRisk,
  };
}

/** From the close at which the rule leaves to the one at which it returns. */
function timesOut({ days, highRisk }: PastSeries): { from: number; to: number }[] {
  const times: { from: number; to: number }[] = [];
  for (let i = 0; i + 1 < days.length; i++) {
    if (highRisk[i] !== 1) continue;
    const from = days[i + 1] as number;
    const to = (days[i + 2] ?? from) as number;
    const last = times.at(-1);
    if (last?.to === from) last.to = to;
    else times.push({ from, to });
  }
  return times;
}
