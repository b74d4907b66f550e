// Renderer: the two series of a price chart: the line between prices, and a marker at each price.
import { type IChartApi, LineSeries, type Time, type UTCTimestamp } from 'lightweight-charts';
import type { Granularity } from '../../shared/channels/queries.ts';
import { lineOptions, MARKER_OPTIONS } from './chart-options.ts';
import type { ChartColors } from './colors.ts';
import { type ChartModel, type ChartPoint, sessionMs } from './model.ts';

export function createPriceSeries(chart: IChartApi, colors: ChartColors, priceDigits: (price: number) => number) {
  const line = chart.addSeries(LineSeries, { ...lineOptions(colors), crosshairMarkerRadius: 3 });
  // A series of its own: markers at the ends of a broken line are drawn although the line is not.
  const markers = chart.addSeries(LineSeries, { ...lineOptions(colors), ...MARKER_OPTIONS });
  let model: ChartModel | null = null;
  const setPoints = ({ points, resolution }: ChartModel): void => {
    line.setData(points.map((point) => datum(point, resolution)));
    // The line between two prices is no data: markers show where the prices are.
    markers.setData(resolution === 'day' ? [] : points.map((point) => dataPoint(point, resolution)));
  };
  return {
    line,
    /** Updates the last point where it can. @returns whether it set all points instead */
    setModel(next: ChartModel): boolean {
      const before = model;
      model = next;
      const last = next.points.at(-1);
      if (before !== null && last !== undefined && continues(before, next)) {
        line.update(datum(last, next.resolution));
        if (next.resolution !== 'day') markers.update(dataPoint(last, next.resolution));
        return false;
      }
      const digits = priceDigits(next.points.findLast((point) => point.price !== null)?.price ?? 100);
      line.applyOptions({ priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits } });
      setPoints(next);
      return true;
    },
    setColors(next: ChartColors): void {
      line.applyOptions(lineOptions(next));
      markers.applyOptions({ ...lineOptions(next), ...MARKER_OPTIONS });
    },
    /** Sets all points again: the library keeps the labels of existing ones. */
    reset(): void {
      if (model === null) return;
      for (const series of [line, markers]) series.setData([]);
      setPoints(model);
    },
  };
}

/** Whether only the last day of the history differs, or one was added. */
function continues(before: ChartModel, next: ChartModel): boolean {
  const grown = next.points.length - before.points.length;
  const last = before.points.at(-1);
  const same = next.points[before.points.length - 1];
  if (before.symbol !== next.symbol || before.resolution !== next.resolution || (grown !== 0 && grown !== 1))
    return false;
  if (
    last === undefined ||
    same === undefined ||
    timeOf(last.ms, before.resolution) !== timeOf(same.ms, next.resolution)
  )
    return false;
  if (grown === 1 && last.cut !== same.cut) return false;
  return before.points.slice(0, -1).every((point, index) => {
    const now = next.points[index];
    return point.ms === now?.ms && point.price === now.price && point.cut === now.cut;
  });
}

/** The library's time: of a session day, its date; of an hour or minute, its second. */
export const timeOf = (ms: number, resolution: Granularity): Time =>
  resolution === 'day' ? new Date(sessionMs(ms)).toISOString().slice(0, 10) : (Math.floor(ms / 1000) as UTCTimestamp);
export const msOf = (time: Time): number =>
  typeof time === 'number'
    ? time * 1000
    : typeof time === 'string'
      ? Date.parse(time)
      : Date.UTC(time.year, time.month - 1, time.day);
/** A point without a price keeps its position in time and is not drawn. */
const dataPoint = ({ ms, price }: ChartPoint, resolution: Granularity) =>
  price === null ? { time: timeOf(ms, resolution) } : { time: timeOf(ms, resolution), value: price };
/** The library joins prices across anything; a colour applies from its point to the next one. */
const datum = (point: ChartPoint, resolution: Granularity) =>
  point.cut === true && point.price !== null
    ? { ...dataPoint(point, resolution), color: 'transparent' }
    : dataPoint(point, resolution);
