// Renderer, pure: the chart by hour or minute, from series of regimes and the closes of days.
// Nothing is interpolated: a line joins only neighbouring prices, and a series of closes is drawn as steps.
import type { Granularity, RegimePoint } from '../../shared/channels/queries.ts';
import { openTime, type SessionCalendar } from '../../shared/domain/sessions.ts';
import { stateAt } from '../../shared/domain/timeline.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { LastPrice } from '../store/select.ts';
import { type ChartModel, type ChartPoint, dayOf, endOf, type GapBand, regimeBands } from './model.ts';

/** ms from point to point. */
export const STEP: Readonly<Record<Granularity, number>> = { day: DAY_MS, hour: 3_600_000, minute: 60_000 };

/** A series counts as current while it ends at most this many steps before now. */
export const MAX_LAG_STEPS = 6;

/** A series of regimes; times of the range in ms. */
export interface RegimeSeries {
  readonly granularity: Granularity;
  readonly from: number;
  readonly to: number;
  readonly points: readonly RegimePoint[];
  /** When the archive received it, ISO; set only if it comes from this computer's archive. */
  readonly cachedAt?: string | undefined;
}

/** A series as it was at an instant, world time, ms: also without the times that have no price. */
export const seriesUntil = (series: RegimeSeries, at: number): RegimeSeries => ({
  ...series,
  to: Math.min(series.to, at),
  points: series.points.filter((point) => Date.parse(point.at) <= at),
});

/** @param base the same symbol day by day, which carries closes, states, transitions and gaps */
export function fineChart(base: ChartModel, series: RegimeSeries, calendar: SessionCalendar): ChartModel {
  const step = STEP[series.granularity];
  const newest = base.points.at(-1);
  const byTime = new Map<number, ChartPoint>();
  for (const point of series.points) {
    const ms = Date.parse(point.at);
    // The window has one price: no other is newer than that of the newest day.
    if (newest === undefined || ms <= newest.ms || point.price === undefined)
      byTime.set(ms, { ...regimePoint(point), state: stateAt(base.bands, ms) });
  }
  for (const point of base.points) {
    const lag = point === newest ? MAX_LAG_STEPS : 1;
    if (point.ms < series.from || point.ms > series.to + lag * step) continue;
    // The forming day's price is placed at the end of its hour, so that it does not move within the hour.
    const ms = point === newest ? Math.ceil(point.ms / step) * step : point.ms;
    const known = byTime.get(ms);
    byTime.set(ms, { ...point, ms, regimeConfidence: point.regimeConfidence ?? known?.regimeConfidence ?? null });
  }
  const ordered = [...byTime.values()].sort((a, b) => a.ms - b.ms);
  const hasClosesOnly = series.points.every(({ price }) => price === undefined);
  const points = withCuts(ordered, (from, to) =>
    hasClosesOnly ? openTime(calendar, from, to) < to - from : to - from > NEIGHBOURS * step,
  );
  const end = Math.max(endOf(points, points.at(-1)?.ms ?? series.to), base.bands.at(-1)?.to ?? 0);
  return {
    ...base,
    resolution: series.granularity,
    ...(hasClosesOnly ? { hasClosesOnly } : {}),
    calendar,
    points,
    regimes: regimeBands(points, Math.min(end, series.to + step)),
  };
}

/** Prices at most this many steps apart are neighbours: a close may lie between two steps. */
const NEIGHBOURS = 1.5;

/**
 * Marks the prices that no line joins with the next one.
 * @param isCut whether nothing is known between two times
 */
function withCuts(points: readonly ChartPoint[], isCut: (from: number, to: number) => boolean): readonly ChartPoint[] {
  const priced = points.filter(({ price }) => price !== null);
  const cuts = new Map(
    priced.map((point, index) => {
      const next = priced[index + 1];
      return [point, next !== undefined && isCut(point.ms, next.ms)];
    }),
  );
  const reached = new Set(priced.slice(1).filter((_, index) => cuts.get(priced[index] as ChartPoint) === false));
  return points.map((point) => {
    const cut = cuts.get(point) === true;
    const isLone = point.price !== null && !reached.has(point) && (cut || point === priced.at(-1));
    return cut || isLone ? { ...point, ...(cut ? { cut } : {}), ...(isLone ? { isLone } : {}) } : point;
  });
}

/**
 * The chart of a symbol with a regime and no signal.
 * @param last its price; null: none is known. One without a time counts as of `now`
 */
export function regimeChart(
  symbol: string,
  series: RegimeSeries,
  gaps: readonly GapBand[],
  last: LastPrice | null,
  now: number,
): ChartModel {
  const all = series.points.map(regimePoint);
  // The window has one price: a series that was read later ends with it.
  const at = last === null || last.isOld || last.at === null ? now : Date.parse(last.at);
  const read = all.filter(({ ms }) => dayOf(ms) <= dayOf(at));
  const newest = read.at(-1);
  const points =
    last === null || last.isOld || last.price === null || newest === undefined
      ? all
      : [...(dayOf(newest.ms) === dayOf(at) ? read.slice(0, -1) : read), { ...newest, ms: at, price: last.price }];
  return {
    symbol,
    resolution: series.granularity,
    points,
    bands: [],
    regimes: regimeBands(points, endOf(points, points.at(-1)?.ms ?? series.to)),
    stateChanges: [],
    gaps,
  };
}

const regimePoint = ({ at, regime, confidence, price }: RegimePoint): ChartPoint => ({
  ms: Date.parse(at),
  price: price ?? null,
  state: null,
  regime,
  confidence: null,
  regimeConfidence: confidence,
});
