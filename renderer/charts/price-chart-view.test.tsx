// Test: the point that a key chose stays chosen while the chart changes.
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { Granularity } from '../../shared/channels/queries.ts';
import { snapshot } from '../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../test/harness/window-rig.tsx';
import type { ChartModel, ChartPoint } from './model.ts';
import {
  changeHeading,
  gapHeading,
  PriceChartView,
  pointText,
  scrollsAround,
  summaryText,
} from './price-chart-view.tsx';

const drawing = vi.hoisted(() => ({ pointedAt: [] as (number | null)[] }));
vi.mock('./price-chart.ts', () => ({
  createPriceChart: () => ({
    setModel: () => undefined,
    setColors: () => undefined,
    setStyle: () => undefined,
    setRange: () => undefined,
    setLabels: () => undefined,
    point: (at: number | null) => void drawing.pointedAt.push(at),
    remove: () => undefined,
  }),
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

interface Box {
  readonly name: string;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly parentElement: Box | null;
}
const box = (name: string, parentElement: Box | null, scrollHeight = 100): Box => ({
  name,
  scrollHeight,
  clientHeight: 100,
  parentElement,
});
const clipsNothing = (): boolean => false;

describe('a page that scrolls around the chart', () => {
  it('is found at any distance', () => {
    expect(scrollsAround(box('chart', box('panel', box('page', null, 300))), clipsNothing)).toBe(true);
  });
  it('is not found where everything is in view', () => {
    expect(scrollsAround(box('chart', box('panel', box('page', null))), clipsNothing)).toBe(false);
  });
  it('is not found where the overflow is clipped', () => {
    const chart = box('chart', box('panel', null, 300));
    expect(scrollsAround(chart, ({ name }) => name === 'panel')).toBe(false);
  });
  it('is not the chart itself', () => {
    expect(scrollsAround(box('chart', null, 300), clipsNothing)).toBe(false);
  });
});

const END = Date.parse('2025-02-21T21:00:00.000Z');
const point = (ms: number, price: number) => ({ ms, price, state: 0, regime: null, confidence: null }) as const;
const change = (at: number) => ({ at, from: 0, to: 1, transition: null }) as const;
const model: ChartModel = {
  symbol: 'SPY',
  resolution: 'day',
  points: [point(END - DAY, 610), point(END, 599.94)],
  bands: [],
  regimes: [],
  stateChanges: [change(END - 9 * DAY), change(END - DAY), change(END)],
  gaps: [],
};
const soon = { zone: 'utc', now: END + DAY } as const;
const later = { zone: 'utc', now: END + 643 * DAY } as const;

it('counts the transitions of its own points alone', () => {
  expect(summaryText(model, soon)).toContain('2 transitions');
  expect(summaryText({ ...model, resolution: 'hour', points: model.points.slice(1) }, soon)).toContain('1 transition;');
});

it('has no year in the days of the past months', () => {
  expect(summaryText(model, soon)).toContain('from Thu 20 Feb to Fri 21 Feb:');
});

it('has the year of old days, in the summary, at a point and at a transition', () => {
  expect(summaryText(model, later)).toContain('from Thu 20 Feb 2025 to Fri 21 Feb 2025:');
  expect(pointText(point(END, 599.94), model, later)).toMatch(/^Fri 21 Feb 2025: 599\.94/);
  expect(changeHeading(change(END), later)).toContain('Fri 21 Feb 2025');
});

it('a gap has the day of its zone, as it has the time', () => {
  const from = Date.parse('2025-02-21T02:30:00.000Z');
  const gap = { from, to: from + HOUR, cause: '' };
  expect(gapHeading(gap, 'market')).toBe('Gap: Thu 20 Feb 21:30 to 22:30');
  expect(gapHeading({ ...gap, to: null }, 'market')).toBe('Gap: since Thu 20 Feb 21:30');
  expect(gapHeading(gap, 'utc')).toBe('Gap: Fri 21 Feb 02:30 to 03:30');
});
