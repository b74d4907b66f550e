// Renderer: the time axis of the chart. By hours and minutes its ticks stand where day and hour turn on the clock of the labels;
// the library knows the clock of UTC alone.
import { defaultHorzScaleBehavior, type IHorzScaleBehavior, type Time, type UTCTimestamp } from 'lightweight-charts';

/** How far the clock is ahead of UTC at a time, ms. */
export type UtcOffset = (ms: number) => number;

const DAY = 86_400_000;

/** @param utcOffset called whenever points are laid out, so that another zone is heeded then; session days have no clock and stay as they are */
export function createZoneScale(utcOffset: UtcOffset): IHorzScaleBehavior<Time> {
  const scale = new (defaultHorzScaleBehavior())();
  const fillWeights = scale.fillWeightsForPoints.bind(scale);
  scale.fillWeightsForPoints = (points, start) => {
    if (typeof points[0]?.originalTime !== 'number') return fillWeights(points, start);
    const shift = byDay(utcOffset);
    // The one before tells what turned at the first.
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

/** Asks twice a day instead of for every minute; on a day on which the clock is changed, always. */
function byDay(utcOffset: UtcOffset): UtcOffset {
  const days = new Map<number, number | null>();
  return (ms) => {
    const day = Math.floor(ms / DAY);
    let known = days.get(day);
    if (known === undefined) {
      const begin = utcOffset(day * DAY);
      known = begin === utcOffset((day + 1) * DAY) ? begin : null;
      days.set(day, known);
    }
    return known ?? utcOffset(ms);
  };
}
