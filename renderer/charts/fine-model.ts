// Renderer, pure: the chart by hour or minute: regimes from their series, prices from session days.
// Between two session prices there is none: nothing is interpolated.
import type { Granularity } from '../../shared/channels/queries.ts';
import { openTime, type SessionCalendar } from '../../shared/domain/sessions.ts';
import type { State } from '../../shared/domain/states.ts';
import { type ChartModel, type ChartPoint, endOf, type GapBand, regimeBands } from './model.ts';

/** ms from point to point. */
export const STEP: Readonly<Record<Granularity, number>> = { day: 86_400_000, hour: 3_600_000, minute: 60_000 };

/** A series of regimes; times of the range in ms. */
export interface RegimeSeries {
  readonly granularity: Granularity;
  readonly from: number;
  readonly to: number;
  readonly points: readonly { readonly at: string; readonly regime: string; readonly confidence: number | null }[];
  /** When the archive received it, ISO; set only if it comes from this computer's archive. */
  readonly cachedAt?: string | undefined;
}

/** @param base the same symbol day by day, which carries prices, states, transitions and gaps */
export function fineChart(base: ChartModel, series: RegimeSeries, calendar: SessionCalendar): ChartModel {
  const step = STEP[series.granularity];
  const byTime = new Map<number, ChartPoint>();
  for (const { at, regime, confidence } of series.points) {
    const ms = Date.parse(at);
    byTime.set(ms, { ms, price: null, state: stateAt(base, ms), regime, confidence });
  }
  const newest = base.points.at(-1);
  for (const point of base.points) {
    if (point.ms < series.from || point.ms > series.to + step) continue;
    // The forming day's price is placed at the end of its hour, so that it does not move within the hour.
    const ms = point === newest ? Math.ceil(point.ms / step) * step : point.ms;
    byTime.set(ms, { ...point, ms });
  }
  const points = withCuts(
    [...byTime.values()].sort((a, b) => a.ms - b.ms),
    calendar,
  );
  const end = Math.max(endOf(points, points.at(-1)?.ms ?? series.to), base.bands.at(-1)?.to ?? 0);
  return {
    ...base,
    resolution: series.granularity,
    calendar,
    points,
    regimes: regimeBands(points, Math.min(end, series.to + step)),
  };
}

/** No price moves over a night, a weekend or a holiday, so no line is drawn across one. */
function withCuts(points: readonly ChartPoint[], calendar: SessionCalendar): readonly ChartPoint[] {
  if (calendar === 'always') return points;
  let next: ChartPoint | null = null;
  return points
    .toReversed()
    .map((point) => {
      if (point.price === null) return point;
      const cut = next !== null && openTime(calendar, point.ms, next.ms) < next.ms - point.ms;
      next = point;
      return cut ? { ...point, cut } : point;
    })
    .toReversed();
}

/** The chart of a symbol with known regimes alone. */
export function regimeChart(symbol: string, series: RegimeSeries, gaps: readonly GapBand[]): ChartModel {
  const points = series.points.map(({ at, regime, confidence }) => ({
    ms: Date.parse(at),
    price: null,
    state: null,
    regime,
    confidence,
  }));
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

function stateAt(base: ChartModel, ms: number): State | null {
  return base.bands.find((band) => band.from <= ms && ms < band.to)?.state ?? null;
}
