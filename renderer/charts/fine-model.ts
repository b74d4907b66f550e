// Renderer, pure: the chart by hour or minute, from series of regimes and the closes of days.
// Nothing is interpolated: a line joins only neighbouring prices, and a series of closes is drawn as steps.
import type { Granularity, RegimePoint } from '../../shared/channels/queries.ts';
import { openTime, type SessionCalendar } from '../../shared/domain/sessions.ts';
import type { State } from '../../shared/domain/states.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { type ChartModel, type ChartPoint, dayOf, endOf, type GapBand, regimeBands } from './model.ts';

/** ms from point to point. */
export const STEP: Readonly<Record<Granularity, number>> = { day: DAY_MS, hour: 3_600_000, minute: 60_000 };

/** A series of regimes; times of the range in ms. */
export interface RegimeSeries {
  readonly granularity: Granularity;
  readonly from: number;
  readonly to: number;
  readonly points: readonly RegimePoint[];
  /** When the archive received it, ISO; set only if it comes from this computer's archive. */
  readonly cachedAt?: string | undefined;
}

/** @param base the same symbol day by day, which carries closes, states, transitions and gaps */
export function fineChart(base: ChartModel, series: RegimeSeries, calendar: SessionCalendar): ChartModel {
  const step = STEP[series.granularity];
  const byTime = new Map<number, ChartPoint>();
  for (const point of series.points) {
    const ms = Date.parse(point.at);
    byTime.set(ms, { ...regimePoint(point), state: stateAt(base, ms) });
  }
  const newest = base.points.at(-1);
  for (const point of base.points) {
    if (point.ms < series.from || point.ms > series.to + step) continue;
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

/** The quote of a symbol without a signal; `at` is world time, ms. */
export interface Quote {
  readonly price: number;
  readonly at: number;
}

/** The chart of a symbol with a regime and no signal. @param quote the last price; null: none is known */
export function regimeChart(
  symbol: string,
  series: RegimeSeries,
  gaps: readonly GapBand[],
  quote: Quote | null = null,
): ChartModel {
  const read = series.points.map(regimePoint);
  const last = read.at(-1);
  // The forming day moves with the price.
  const points =
    quote === null || last === undefined || quote.at < last.ms
      ? read
      : [
          ...(dayOf(last.ms) === dayOf(quote.at) ? read.slice(0, -1) : read),
          { ...last, ms: quote.at, price: quote.price },
        ];
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

function stateAt(base: ChartModel, ms: number): State | null {
  return base.bands.find((band) => band.from <= ms && ms < band.to)?.state ?? null;
}
