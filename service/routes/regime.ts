// Service, routes: GET /regime/{symbol} and its history.
import { timestamp } from '../../shared/wire/primitives.ts';
import type { RegimePoint } from '../../shared/wire/regime.ts';
import type { RegimeCourse } from '../signals/regimes.ts';
import type { HandlerParts, Handlers } from './handler-parts.ts';
import { pageOf } from './page.ts';
import { Refusal } from './refusal.ts';

const STEP_MS = { hour: 3_600_000, minute: 60_000 } as const;

/** Where a history is looked at: world ms, and what a cursor holds of it. */
interface Place {
  readonly at: number;
  /** A session date for days, because the forming day's time moves; else the moment. */
  readonly mark: string | number;
}

export const regimeHandlers = ({
  signals,
  cursors,
  world,
}: HandlerParts): Pick<Handlers, 'regime' | 'regimeHistory'> => ({
  regime({ params: { symbol }, query: { as_of } }) {
    const now = world.now();
    const moment = as_of === undefined ? now : Date.parse(as_of);
    const { course, begin } = courseOf(signals.regimes(symbol), symbol);
    if (moment > now)
      throw new Refusal('invalid_request', `as_of: must not be in the future; it is ${timestamp(now)} now`);
    const record = course.at(moment);
    if (record === null)
      throw new Refusal('not_found', `The regime of ${symbol} is known from ${timestamp(begin)} on.`);
    return record;
  },

  regimeHistory({ params: { symbol }, query: { limit, after, ...filters } }, request) {
    const { granularity } = filters;
    if (granularity === 'minute' && request.caller?.plan !== 'institutional') {
      throw new Refusal(
        'forbidden',
        'granularity: minute is for the Institutional plan; day and hour are for every plan',
      );
    }
    const now = world.now();
    const from = Date.parse(filters.from);
    const to = filters.to === undefined ? now : Date.parse(filters.to);
    if (from > to)
      throw new Refusal('invalid_request', 'from: must not be after to, which is now where it is not given');
    const { course, begin } = courseOf(signals.regimes(symbol), symbol);
    const scope = { list: 'regime-history', symbol, ...filters };
    const mark = after === undefined ? null : (cursors.open(scope, after)[0] ?? null);
    const forming = signals.formingDate(symbol);
    // Without prices within the day there is nothing finer than days.
    const places =
      granularity === 'day' || forming === null
        ? days(course, forming, now)
        : steps(Math.max(from, begin, mark === null ? 0 : Number(mark) + 1), Math.min(to, now), STEP_MS[granularity]);
    const rows: { mark: string | number; point: RegimePoint }[] = [];
    for (const place of places) {
      if (place.at < from || place.at > to || (mark !== null && place.mark <= mark)) continue;
      const point = course.point(place.at);
      if (point !== null) rows.push({ mark: place.mark, point });
      if (rows.length > limit) break;
    }
    return pageOf(
      rows,
      limit,
      ({ point }) => point,
      (last) => cursors.seal(scope, [last.mark]),
    );
  },
});

function courseOf(course: RegimeCourse | null, symbol: string): { course: RegimeCourse; begin: number } {
  if (course === null) throw new Refusal('symbol_not_covered', `${symbol} is outside the covered universe.`);
  if (course.begin === null) throw new Refusal('symbol_not_covered', `${symbol} has no regime yet.`);
  return { course, begin: course.begin };
}

/** Every close, and now where a day is forming. */
function* days(course: RegimeCourse, forming: string | null, now: number): Iterable<Place> {
  for (const { date, at } of course.closes()) yield { at, mark: date };
  if (forming !== null) yield { at: now, mark: forming };
}

/** Every whole step within [from, to]. */
function* steps(from: number, to: number, step: number): Iterable<Place> {
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) yield { at, mark: at };
}
