// Test: the series of a price chart: steps between closes, markers, levels, and no prices at all.
import { type IChartApi, LineType } from 'lightweight-charts';
import { expect, it } from 'vitest';
import type { ChartColors } from './colors.ts';
import type { ChartModel, ChartPoint } from './model.ts';
import { createPriceSeries, withLevel } from './price-series.ts';

const DAY = 86_400_000;
const T0 = Date.parse('2026-03-05T21:00:00.000Z');
const point = (index: number, price: number | null, rest: Partial<ChartPoint> = {}): ChartPoint => ({
  ms: T0 + index * DAY,
  price,
  state: null,
  regime: 'stress',
  confidence: null,
  ...rest,
});
const model = (points: readonly ChartPoint[], rest: Partial<ChartModel> = {}): ChartModel => ({
  symbol: 'BTC',
  resolution: 'day',
  points,
  bands: [],
  regimes: [],
  stateChanges: [],
  gaps: [],
  ...rest,
});

const timeIn = (datum: unknown) => (datum as { readonly time: unknown }).time;

/**
 * The options and the last data of each series, in the order in which they are added: line, markers, anchor.
 */
function seriesOf(...shown: readonly ChartModel[]) {
  const made: { options: Record<string, unknown>; data: readonly unknown[] }[] = [];
  const levels: unknown[] = [];
  const addSeries = (_: unknown, options: Record<string, unknown>) => {
    const one = { options: { ...options }, data: [] as readonly unknown[] };
    made.push(one);
    return {
      applyOptions: (more: object) => Object.assign(one.options, more),
      setData: (data: readonly unknown[]) => Object.assign(one, { data }),
      update: (datum: { readonly time: unknown }) =>
        Object.assign(one, { data: [...one.data.filter((known) => timeIn(known) !== datum.time), datum] }),
      createPriceLine: ({ price, title }: { price: number; title: string }) => levels.push([title, price]),
      removePriceLine: () => undefined,
    };
  };
  const series = createPriceSeries({ addSeries } as unknown as IChartApi, {} as ChartColors, {
    breach: 'Breach',
    alert: 'Alert',
    priceDigits: () => 2,
  });
  const allSet = shown.map((next) => series.setModel(next));
  return Object.assign(made, { levels, allSet });
}

it('between daily closes there are steps, each close has a marker', () => {
  const points = [point(0, 500), point(0.5, null), point(1, 501)];
  const [line, markers] = seriesOf(model(points, { resolution: 'hour', hasClosesOnly: true }));
  expect(line?.options.lineType).toBe(LineType.WithSteps);
  expect(markers?.data).toEqual([
    { time: T0 / 1000, value: 500 },
    { time: (T0 + DAY / 2) / 1000 },
    { time: (T0 + DAY) / 1000, value: 501 },
  ]);
});

it('prices by the hour are joined, and only the lone ones have markers', () => {
  const points = [point(0, 500, { cut: true, isLone: true }), point(1, 501), point(1.1, 502)];
  const [line, markers] = seriesOf(model(points, { resolution: 'hour' }));
  expect(line?.options.lineType).toBe(LineType.Simple);
  expect(line?.data[0]).toMatchObject({ color: 'transparent' });
  expect(markers?.data.filter((one) => 'value' in (one as object))).toEqual([{ time: T0 / 1000, value: 500 }]);
});

it('a symbol without any price ends at its newest day', () => {
  const days = [point(0, null), point(1, null), point(2, null)];
  expect(seriesOf(model(days))[2]?.data).toEqual([{ time: '2026-03-07', value: 0 }]);
  expect(seriesOf(model([...days, point(3, 40)]))[2]?.data).toEqual([]);
});

it('the breach level is a line, and within the scale only while it is near', () => {
  const points = [point(0, 500), point(1, 510)];
  expect(seriesOf(model(points, { breachLevel: 497 })).levels).toEqual([['Breach', 497]]);
  expect(seriesOf(model(points)).levels).toEqual([]);
  const info = { priceRange: { minValue: 500, maxValue: 510 } };
  expect(withLevel(info, 497)?.priceRange).toEqual({ minValue: 497, maxValue: 510 });
  for (const level of [undefined, 490, 505]) expect(withLevel(info, level)).toBe(info);
  expect(withLevel(null, 497)).toBeNull();
});

it('a day whose last price changed when the next one began is drawn again; else one day is added', () => {
  const days = [point(0, 500), point(1, 501)];
  const settled = [point(0, 500), point(1, 503), point(2, 504)];
  const drawn = seriesOf(model(days), model(settled));
  expect(drawn[0]?.data).toEqual(seriesOf(model(settled))[0]?.data);
  expect(drawn.allSet).toEqual([true, true]);
  expect(seriesOf(model(days), model([...days, point(2, 504)])).allSet).toEqual([true, false]);
  expect(seriesOf(model(days), model([point(0, 500), point(1, 503)])).allSet).toEqual([true, false]);
});
