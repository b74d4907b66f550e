// Renderer: the series of a price chart: the line of prices, and markers at prices off the line.
import {
  type AutoscaleInfo,
  type IChartApi,
  type IPriceLine,
  LineSeries,
  LineType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Granularity } from '../../shared/channels/queries.ts';
import { ANCHOR_OPTIONS, alertOptions, breachOptions, lineOptions, MARKER_OPTIONS } from './chart-options.ts';
import type { ChartColors } from './colors.ts';
import { type ChartModel, type ChartPoint, sessionMs } from './model.ts';

export interface PriceLabels {
  readonly breach: string;
  readonly alert: string;
  priceDigits(price: number): number;
}

export function createPriceSeries(chart: IChartApi, first: ChartColors, { breach, alert, priceDigits }: PriceLabels) {
  let colors = first;
  let model: ChartModel | null = null;
  const line = chart.addSeries(LineSeries, {
    ...lineOptions(colors),
    crosshairMarkerRadius: 3,
    autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => withLevel(original(), model?.breachLevel),
  });
  let alertLines: readonly IPriceLine[] = [];
  const drawAlerts = (levels: readonly number[] = []): void => {
    for (const one of alertLines) line.removePriceLine(one);
    alertLines = levels.map((level) => line.createPriceLine(alertOptions(colors, level, alert)));
  };
  let breachLine: IPriceLine | null = null;
  const drawBreach = (level: number | undefined): void => {
    if (breachLine !== null) line.removePriceLine(breachLine);
    breachLine = level === undefined ? null : line.createPriceLine(breachOptions(colors, level, breach));
  };
  // A series of its own: markers at the ends of a broken line are drawn although the line is not.
  const markers = chart.addSeries(LineSeries, { ...lineOptions(colors), ...MARKER_OPTIONS });
  // Without any value the library does not know where time ends, and shows the oldest points.
  const anchor = chart.addSeries(LineSeries, ANCHOR_OPTIONS);
  const setPoints = (next: ChartModel): void => {
    const { points, resolution, hasClosesOnly = false } = next;
    // A close holds until the next one; a straight line would be prices that nobody reported.
    line.applyOptions({ lineType: hasClosesOnly ? LineType.WithSteps : LineType.Simple });
    line.setData(points.map((point) => datum(point, resolution)));
    markers.setData(resolution === 'day' ? [] : points.map((point) => marker(point, next)));
    const last = points.at(-1);
    const isWithoutPrice = points.every(({ price }) => price === null);
    anchor.setData(isWithoutPrice && last !== undefined ? [{ time: timeOf(last.ms, resolution), value: 0 }] : []);
  };
  return {
    line,
    /** Updates the last point where it can. @returns whether it set all points instead */
    setModel(next: ChartModel): boolean {
      const before = model;
      model = next;
      if (before?.breachLevel !== next.breachLevel) drawBreach(next.breachLevel);
      if (before?.alertLevels?.join() !== next.alertLevels?.join()) drawAlerts(next.alertLevels);
      const last = next.points.at(-1);
      if (before !== null && last !== undefined && continues(before, next)) {
        line.update(datum(last, next.resolution));
        if (next.resolution !== 'day') markers.update(marker(last, next));
        return false;
      }
      const digits = priceDigits(next.points.findLast((point) => point.price !== null)?.price ?? 100);
      line.applyOptions({ priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits } });
      setPoints(next);
      return true;
    },
    /** @param isShown false: only the label of the last price and the marker of the crosshair are drawn */
    showLine(isShown: boolean): void {
      line.applyOptions({ lineVisible: isShown });
    },
    setColors(next: ChartColors): void {
      colors = next;
      drawBreach(model?.breachLevel);
      drawAlerts(model?.alertLevels);
      line.applyOptions(lineOptions(next));
      markers.applyOptions({ ...lineOptions(next), ...MARKER_OPTIONS });
    },
    /** Sets all points again: the library keeps the labels of existing ones. */
    reset(): void {
      if (model === null) return;
      for (const series of [line, markers, anchor]) series.setData([]);
      setPoints(model);
    },
  };
}

/** A level farther below the prices than this share of their range is not shown: it would flatten them. */
const REACH = 0.6;

/** The range of prices, extended to a level that is near. */
export function withLevel(info: AutoscaleInfo | null, level: number | undefined): AutoscaleInfo | null {
  const range = info?.priceRange ?? null;
  if (info === null || range === null || level === undefined) return info;
  const { minValue, maxValue } = range;
  if (level >= minValue || minValue - level > REACH * (maxValue - minValue)) return info;
  return { ...info, priceRange: { minValue: level, maxValue } };
}

/** Whether only the last day of the history differs, or one was added. */
function continues(before: ChartModel, next: ChartModel): boolean {
  const grown = next.points.length - before.points.length;
  const last = before.points.at(-1);
  const same = next.points[before.points.length - 1];
  if (before.symbol !== next.symbol || before.resolution !== next.resolution || (grown !== 0 && grown !== 1))
    return false;
  if (before.hasClosesOnly !== next.hasClosesOnly) return false;
  if (
    last === undefined ||
    same === undefined ||
    timeOf(last.ms, before.resolution) !== timeOf(same.ms, next.resolution)
  )
    return false;
  // The library updates only the last point: the point before it must be unchanged.
  if (grown === 1 && (last.price !== same.price || last.cut !== same.cut || last.isLone !== same.isLone)) return false;
  // The anchor is at the last point.
  if (same.price === null && next.points.every(({ price }) => price === null)) return false;
  return before.points.slice(0, -1).every((point, index) => {
    const now = next.points[index];
    return point.ms === now?.ms && point.price === now.price && point.cut === now.cut;
  });
}

/** The library's time: the date of a session day, the second of an hour or minute. */
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
/** Every close has a marker where only closes are known; else only the prices that no line reaches. */
const marker = (point: ChartPoint, { resolution, hasClosesOnly = false }: ChartModel) =>
  hasClosesOnly || point.isLone === true ? dataPoint(point, resolution) : { time: timeOf(point.ms, resolution) };
/** The library joins prices across anything; a colour applies from its point to the next one. */
const datum = (point: ChartPoint, resolution: Granularity) =>
  point.cut === true && point.price !== null
    ? { ...dataPoint(point, resolution), color: 'transparent' }
    : dataPoint(point, resolution);
