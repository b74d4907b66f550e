// Renderer: session days as candles, with their volume below, in place of the line of closes.
import { CandlestickSeries, HistogramSeries, type IChartApi } from 'lightweight-charts';
import { candleOptions, VOLUME_MARGINS, volumeOptions } from './chart-options.ts';
import type { ChartColors } from './colors.ts';
import type { ChartModel, ChartPoint } from './model.ts';
import { timeOf } from './price-series.ts';

/** Candles need days whose open, high and low are known. */
export const hasCandles = ({ resolution, points }: ChartModel): boolean =>
  resolution === 'day' && points.some(({ range }) => range !== undefined);

export function createCandleSeries(chart: IChartApi, colors: ChartColors) {
  const volumes = chart.addSeries(HistogramSeries, volumeOptions(colors));
  volumes.priceScale().applyOptions({ scaleMargins: VOLUME_MARGINS });
  const candles = chart.addSeries(CandlestickSeries, candleOptions(colors));
  return {
    /** @param model null: nothing is drawn */
    setModel(model: ChartModel | null): void {
      const points = model?.points ?? [];
      candles.setData(points.map(candle));
      volumes.setData(points.map(volume));
    },
    setColors(next: ChartColors): void {
      candles.applyOptions(candleOptions(next));
      volumes.applyOptions(volumeOptions(next));
    },
  };
}

/** A day with only a close, like the forming one, becomes a dash. */
function candle({ ms, price, range }: ChartPoint) {
  const time = timeOf(ms, 'day');
  if (price === null) return { time };
  const { open, high, low } = range ?? { open: price, high: price, low: price };
  return { time, open, high, low, close: price };
}

const volume = ({ ms, volume: value }: ChartPoint) =>
  value === undefined ? { time: timeOf(ms, 'day') } : { time: timeOf(ms, 'day'), value };
