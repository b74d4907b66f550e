// Service, routes: GET /regime/{symbol} and its history.

import { GRANULARITIES } from '../../shared/domain/regimes.ts';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import type { RegimePoint } from '../../shared/wire/regime.ts';
import { Refusal } from '../refusal.ts';
import type { RegimeHistory } from '../signals/regime-history.ts';
import type { HandlerDeps, Handlers } from './handler-deps.ts';
import { pageOf } from './page.ts';

const STEP_MS = { hour: HOUR_MS, minute: 60_000 } as const;

/** A sample time of a history: world ms, and its key in a cursor. */
interface SampleTime {
  readonly at: number;
  /** A session date for days, because the forming day's time moves; otherwise the instant. */
  readonly cursorKey: string | number;
}

export const regimeHandlers = ({
  content: { signals },
  cursors,
  info: { world },
}: HandlerDeps): Pick<Handlers, 'regime' | 'regimeHistory'> => ({
  regime({ params: { symbol }, query: { as_of } }) {
    const now = world.now();
    const instant = as_of === undefined ? signals.evaluatedAt() : Date.parse(as_of);
    const { history, begin } = historyOf(signals.regimes(symbol), symbol);
    if (instant > now)
      throw new Refusal('invalid_request', `as_of: must not be in the future; it is ${timestamp(now)} now`);
    const record = history.at(instant);
    if (record === null)
      throw new Refusal('not_found', `The regime of ${symbol} is known from ${timestamp(begin)} on.`);
    return {
      ...record,
      ...signals.health(symbol, as_of === undefined ? undefined : instant),
    };
  },

  regimeHistory({ params: { symbol }, query: { limit, after, ...filters } }, request) {
    const { granularity } = filters;
    if (granularity === 'minute' && request.caller?.plan !== 'institutional') {
      throw new Refusal(
        'forbidden',
        'granularity: minute is for the Institutional plan; day and hour are for every plan',
      );
    }
    const now = signals.evaluatedAt();
    const from = Date.parse(filters.from);
    const to = filters.to === undefined ? world.now() : Date.parse(filters.to);
    if (from > to)
      throw new Refusal('invalid_request', 'from: must not be after to, which is now where it is not given');
    const { history, begin } = historyOf(signals.regimes(symbol), symbol);
    const [first, last] = [Math.max(from, begin), Math.min(to, now)];
    // Steps finer than the prices would be rows without a price.
    const finest = last < first ? granularity : signals.finestStep(symbol, first, last);
    const served =
      GRANULARITIES[Math.min(...[granularity, finest].map((step) => GRANULARITIES.indexOf(step)))] ?? 'day';
    // The scope contains the served granularity, because intraday prices may appear or vanish between pages.
    const scope = { list: 'regime-history', symbol, ...filters, served };
    const cursorKey = after === undefined ? null : (cursors.open(scope, after)[0] ?? null);
    const sampleTimes =
      served === 'day'
        ? days(history, signals.formingDate(symbol), now)
        : steps(Math.max(first, cursorKey === null ? 0 : Number(cursorKey) + 1), last, STEP_MS[served]);
    const rows: { cursorKey: string | number; point: RegimePoint }[] = [];
    for (const sampleTime of sampleTimes) {
      if (sampleTime.at < from || sampleTime.at > to || (cursorKey !== null && sampleTime.cursorKey <= cursorKey))
        continue;
      const point = history.point(sampleTime.at);
      if (point !== null) rows.push({ cursorKey: sampleTime.cursorKey, point });
      if (rows.length > limit) break;
    }
    const page = pageOf(
      rows,
      limit,
      ({ point }) => point,
      (end) => cursors.seal(scope, [end.cursorKey]),
    );
    return { ...page, granularity: served, ...signals.health(symbol) };
  },
});

function historyOf(history: RegimeHistory | null, symbol: string): { history: RegimeHistory; begin: number } {
  if (history === null) throw new Refusal('symbol_not_covered', `${symbol} is outside the covered universe.`);
  if (history.begin === null) throw new Refusal('symbol_not_covered', `${symbol} has no regime yet.`);
  return { history, begin: history.begin };
}

/** Every close, and now while a day is forming. */
function* days(history: RegimeHistory, forming: string | null, now: number): Iterable<SampleTime> {
  for (const { date, at } of history.closes()) yield { at, cursorKey: date };
  if (forming !== null) yield { at: now, cursorKey: forming };
}

/** Every whole step within [from, to]. */
function* steps(from: number, to: number, step: number): Iterable<SampleTime> {
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) yield { at, cursorKey: at };
}
