// Test: the point that a key chose stays chosen while the chart changes; the labels of the price axis.
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Granularity } from '../../shared/channels/queries.ts';
import { snapshot } from '../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../test/harness/window-rig.tsx';
import type { ChartModel, ChartPoint } from './model.ts';
import type { ChartLabels, ChartListener, createPriceChart } from './price-chart.ts';
import { PriceChartView } from './price-chart-view.tsx';

const drawing = vi.hoisted(() => ({
  pointedAt: [] as (number | null)[],
  listener: null as ChartListener | null,
  labels: null as ChartLabels | null,
}));
vi.mock('./price-chart.ts', () => ({
  createPriceChart: (...[, , labels, listener]: Parameters<typeof createPriceChart>) => {
    drawing.labels = labels;
    drawing.listener = listener;
    return {
      setModel: () => undefined,
      setColors: () => undefined,
      setStyle: () => undefined,
      setRange: () => undefined,
      setLabels: () => undefined,
      point: (at: number | null) => void drawing.pointedAt.push(at),
      remove: () => undefined,
    };
  },
}));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday's close. */
const CLOSE = Date.parse('2026-03-02T21:00:00.000Z');
const pointsOf = (count: number, step: number): readonly ChartPoint[] =>
  Array.from({ length: count }, (_, index) => ({
    ms: CLOSE - (count - 1 - index) * step,
    price: 500 + index,
    state: 0,
    regime: null,
    confidence: null,
  }));
const modelOf = (resolution: Granularity, points: readonly ChartPoint[]): ChartModel => ({
  symbol: 'SPY',
  resolution,
  points,
  bands: [],
  regimes: [],
  stateChanges: [],
  gaps: [],
});

beforeEach(() => {
  drawing.pointedAt.length = 0;
  Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() }, configurable: true });
});
afterEach(() => Reflect.deleteProperty(document, 'fonts'));

async function open() {
  const rig = await createWindowRig({ snapshot: snapshot() });
  const ranges: unknown[] = [];
  const view = (model: ChartModel, range = { from: 0, to: model.points.length - 1 }) => (
    <PriceChartView
      model={model}
      range={range}
      onRange={(next) => ranges.push(next)}
      style="line"
      grey={false}
      shown={null}
      picture={{ current: null }}
      notes={{ onPointed: () => undefined, onWanted: () => undefined, onOpened: () => undefined }}
    />
  );
  const days = modelOf('day', pointsOf(20, DAY));
  const { rerender } = rig.render(view(days));
  const slider = screen.getByRole('slider');
  slider.focus();
  return {
    ranges,
    text: () => slider.getAttribute('aria-valuetext'),
    show: (model: ChartModel, range?: { from: number; to: number }) => rerender(view(model, range)),
    days,
  };
}

test('the chosen point is the same day by hour, and by day again', async () => {
  const { text, show, days } = await open();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(text()).toMatch(/^Sat 28 Feb/);
  show(modelOf('hour', pointsOf(100, HOUR)));
  expect(text()).toMatch(/^Sat 28 Feb 16:00/);
  show(days);
  expect(text()).toMatch(/^Sat 28 Feb/);
});

test('no point is chosen outside the range of another history', async () => {
  const { text, show } = await open();
  await userEvent.keyboard('{Home}');
  show(modelOf('hour', pointsOf(24, HOUR)));
  expect(text()).toMatch(/^Mon 2 Mar 16:00/);
});

test('a step beyond the shown range moves the range, and the crosshair is at the point', async () => {
  const { show, days, ranges } = await open();
  show(days, { from: 10, to: 19 });
  await userEvent.keyboard('{ArrowLeft}');
  expect(ranges).toEqual([]);
  await userEvent.keyboard('{Home}');
  expect(ranges).toEqual([{ from: 0, to: 9 }]);
  expect(drawing.pointedAt.at(-1)).toBe(days.points[0]?.ms);
});

test('what is due has its day at its marker, and after the last point, where no key leads', async () => {
  const due = [
    { at: CLOSE + 2 * DAY, day: '2026-03-04', letter: 'E', text: 'Earnings before the open' },
    { at: CLOSE + 9 * DAY, day: '2026-03-11', letter: 'I', text: 'US CPI' },
  ];
  const { show } = await open();
  show({ ...modelOf('day', pointsOf(30, DAY)), due });
  expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toMatch(
    /Due Wed 4 Mar: Earnings before the open\. Due Wed 11 Mar: US CPI$/,
  );
  act(() => drawing.listener?.onPointed({ due }));
  expect(screen.getByText('Due Wed 4 Mar: Earnings before the open')).toBeTruthy();
  act(() => drawing.listener?.onPointed(null));
  expect(screen.queryByText('Due Wed 4 Mar: Earnings before the open')).toBeNull();
});

test('a label of the price axis is the price alone, though the library passes a position with each', async () => {
  await open();
  expect(drawing.labels && [551.7, 540].map(drawing.labels.price)).toEqual(['551.70', '540.00']);
});
