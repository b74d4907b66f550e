// Test: the chart by hour or minute draws no line where no price is known.
import { expect, it } from 'vitest';
import { iso } from '../../test/fixtures/window-fixtures.ts';
import { fineChart, type RegimeSeries, regimeChart, STEP, seriesUntil } from './fine-model.ts';
import { type ChartModel, chartUntil } from './model.ts';

/**
 * Closes of New York's shares, all at 16:00: Thursday and Friday of the last winter week, Monday and Tuesday
 * after the clock change.
 */
const CLOSES = [
  '2026-03-05T21:00:00.000Z',
  '2026-03-06T21:00:00.000Z',
  '2026-03-09T20:00:00.000Z',
  '2026-03-10T20:00:00.000Z',
];
const base: ChartModel = {
  symbol: 'SPY',
  resolution: 'day',
  points: CLOSES.map((at, index) => ({
    ms: Date.parse(at),
    price: 500 + index,
    state: 0,
    regime: 'stress',
    confidence: null,
  })),
  bands: [],
  regimes: [],
  stateChanges: [],
  gaps: [],
};
const [from = 0, to = 0] = [CLOSES[0], CLOSES[3]].map((at) => Date.parse(at ?? ''));
const series: RegimeSeries = {
  granularity: 'hour',
  from,
  to,
  points: Array.from({ length: (to - from) / STEP.hour + 1 }, (_, hour) => ({
    at: iso(from + hour * STEP.hour),
    regime: 'stress',
    confidence: null,
  })),
};
const cuts = (calendar: 'us' | 'fx' | 'always') =>
  fineChart(base, series, calendar).points.flatMap((point) => (point.price === null ? [] : [point.cut ?? false]));

it('no line joins two prices across a closed market', () => {
  // Shares close every evening, currencies over the weekend, crypto never. Nothing follows the last price.
  expect(cuts('us')).toEqual([true, true, true, false]);
  expect(cuts('fx')).toEqual([false, true, false, false]);
  expect(cuts('always')).toEqual([false, false, false, false]);
});

it('two prices of one session are joined', () => {
  const morning = {
    ms: Date.parse('2026-03-10T15:00:00.000Z'),
    price: 510,
    state: 0,
    regime: null,
    confidence: null,
  } as const;
  const points = [...base.points.slice(0, 3), morning, ...base.points.slice(3)];
  const { points: fine } = fineChart({ ...base, points }, series, 'us');
  expect(fine.find(({ ms }) => ms === morning.ms)?.cut).toBeUndefined();
  expect(fine.filter(({ cut }) => cut === true)).toHaveLength(3);
});

it('hours without trading keep their position and have no price', () => {
  const { points } = fineChart(base, series, 'us');
  const saturday = points.find(({ ms }) => ms === Date.parse('2026-03-07T12:00:00.000Z'));
  expect(saturday).toMatchObject({ price: null, regime: 'stress' });
});

it('daily closes alone say so, and keep the price that nothing joins', () => {
  const shares = fineChart(base, series, 'us');
  expect(shares.hasClosesOnly).toBe(true);
  expect(shares.points.filter(({ isLone }) => isLone === true).map(({ price }) => price)).toEqual([500, 501, 502, 503]);
  expect(fineChart(base, series, 'always').points.some(({ isLone }) => isLone === true)).toBe(false);
});

it('prices of the series are drawn, and joined only with their neighbours', () => {
  const priced = (hours: readonly number[]): RegimeSeries => ({
    ...series,
    points: series.points.map((point, hour) => (hours.includes(hour) ? { ...point, price: 600 + hour } : point)),
  });
  const { points, hasClosesOnly } = fineChart(base, priced([2, 3, 4, 30]), 'always');
  expect(hasClosesOnly).toBeUndefined();
  // The first close is two hours before; the second one is at hour 24, the third at 95.
  expect(points.flatMap(({ price, cut, isLone }) => (price === null ? [] : [[price, cut, isLone]]))).toEqual([
    [500, true, true],
    [602, undefined, undefined],
    [603, undefined, undefined],
    [604, true, undefined],
    [501, true, true],
    [630, true, true],
    [502, true, true],
    [503, undefined, true],
  ]);
});

it('the confidence of a regime is not that of a state', () => {
  const sure = { ...series, points: series.points.map((point) => ({ ...point, confidence: 81 })) };
  const known = { ...base, points: base.points.map((point) => ({ ...point, confidence: 36 })) };
  const { points } = fineChart(known, sure, 'us');
  const friday = Date.parse(CLOSES[1] ?? '');
  expect(points.find(({ ms }) => ms === friday)).toMatchObject({ confidence: 36, regimeConfidence: 81 });
  expect(points.find(({ ms }) => ms === friday + STEP.hour)).toMatchObject({ confidence: null, regimeConfidence: 81 });
});

it('a symbol with a regime alone has its prices, and ends at its last one', () => {
  const days = {
    granularity: 'day',
    from,
    to,
    points: CLOSES.map((at, index) => ({ at, regime: 'stress', confidence: 70, price: 40 + index })),
  } as const;
  const last = { price: 99, change: null, isOld: false };
  const of = (at: number, more = {}) =>
    regimeChart('BTC', days, [], { ...last, at: iso(at), ...more }, to).points.map(({ price }) => price);
  expect(of(to + STEP.day)).toEqual([40, 41, 42, 43, 99]);
  expect(of(to + STEP.hour)).toEqual([40, 41, 42, 99]);
  expect(of(from + STEP.day)).toEqual([40, 99]);
  expect(of(from - STEP.day)).toEqual([40, 41, 42, 43]);
  // A price that ended is the last close; one without a time is of now.
  expect(of(from, { isOld: true })).toEqual([40, 41, 42, 43]);
  expect(of(from, { at: null })).toEqual([40, 41, 42, 99]);
});

it('has no price that is newer than that of the newest day', () => {
  const prices = { ...series, points: series.points.map((point, hour) => ({ ...point, price: 600 + hour })) };
  const older = { ...base, points: base.points.slice(0, 2) };
  const { points } = fineChart(older, prices, 'always');
  expect(points.at(-1)).toMatchObject({ ms: Date.parse(CLOSES[1] ?? ''), price: 501 });
  expect(fineChart(older, series, 'always').points.at(-1)).toMatchObject({ ms: to, price: null });
});

it('a chart of a past moment draws nothing later, also no hour without a price', () => {
  const night = from + 30 * STEP.hour;
  const { points, regimes } = fineChart(chartUntil(base, night), seriesUntil(series, night), 'us');
  expect(points.at(-1)).toMatchObject({ ms: night, price: null });
  expect(Math.max(...regimes.map((band) => band.to))).toBeLessThanOrEqual(night + STEP.hour);
});
