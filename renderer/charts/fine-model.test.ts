// Test: the chart by hour or minute draws no line across a closed market.
import { expect, it } from 'vitest';
import { iso } from '../../test/fixtures/window-fixtures.ts';
import { fineChart, type RegimeSeries, STEP } from './fine-model.ts';
import type { ChartModel } from './model.ts';

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
