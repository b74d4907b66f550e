// Renderer: the chart's time axis has its ticks at the days and hours of a time zone.
// The library knows only UTC.
import { defaultHorzScaleBehavior, type IHorzScaleBehavior, type Time, type UTCTimestamp } from 'lightweight-charts';
import { DAY_MS } from '../../shared/lib/time.ts';

/** Offset of the clock from UTC at a time, ms. */
export type UtcOffset = (ms: number) => number;

/** @param utcOffset called at every layout, so that another zone takes effect; session days ignore it */
export function createZoneScale(utcOffset: UtcOffset): IHorzScaleBehavior<Time> {
  const scale = new (defaultHorzScaleBehavior())();
  const fillWeights = scale.fillWeightsForPoints.bind(scale);
  scale.fillWeightsForPoints = (points, start) => {
    if (typeof points[0]?.originalTime !== 'number') return fillWeights(points, start);
    const shift = byDay(utcOffset);
    // The weight of the first point depends on the one before it.
    const from = Math.max(0, start - 1);
    const shown = points.slice(from).map((point) => {
      const seconds = Number(point.originalTime);
      return {
        ...point,
        time: scale.convertHorzItemToInternal((seconds + shift(seconds * 1000) / 1000) as UTCTimestamp),
      };
    });
    fillWeights(shown, start - from);
    for (const [index, { timeWeight }] of shown.entries()) {
      const point = points[from + index];
      if (point !== undefined) point.timeWeight = timeWeight;
    }
  };
  return scale;
}

/** Computes the offset twice a day instead of every minute; every time on a day with a clock change. */
function byDay(utcOffset: UtcOffset): UtcOffset {
  const days = new Map<number, number | null>();
  return (ms) => {
    const day = Math.floor(ms / DAY_MS);
    let known = days.get(day);
    if (known === undefined) {
      const begin = utcOffset(day * DAY_MS);
      known = begin === utcOffset((day + 1) * DAY_MS) ? begin : null;
      days.set(day, known);
    }
    return known ?? utcOffset(ms);
  };
}
