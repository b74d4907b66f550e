// Test: the texts of a chart: its own points alone, and old days with their year.
import { expect, it } from 'vitest';
import { changeHeading, gapHeading, pointText, summaryText } from './chart-text.ts';
import type { ChartModel } from './model.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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

it('the summary of a chart counts the transitions of its own points alone', () => {
  expect(summaryText(model, soon)).toContain('2 transitions');
  expect(summaryText({ ...model, resolution: 'hour', points: model.points.slice(1) }, soon)).toContain('1 transition;');
});

it('the summary of a chart has no year in the days of the past months', () => {
  expect(summaryText(model, soon)).toContain('from Thu 20 Feb to Fri 21 Feb:');
});

it('an old day of a chart has its year, in the summary, at a point and at a transition', () => {
  expect(summaryText(model, later)).toContain('from Thu 20 Feb 2025 to Fri 21 Feb 2025:');
  expect(pointText(point(END, 599.94), model, later)).toMatch(/^Fri 21 Feb 2025: 599\.94/);
  expect(changeHeading(change(END), later)).toContain('Fri 21 Feb 2025');
});

it('a gap in a chart has the day of its zone, as it has the time', () => {
  const from = Date.parse('2025-02-21T02:30:00.000Z');
  const gap = { from, to: from + HOUR, cause: '' };
  expect(gapHeading(gap, 'market')).toBe('Gap: Thu 20 Feb 21:30 to 22:30');
  expect(gapHeading({ ...gap, to: null }, 'market')).toBe('Gap: since Thu 20 Feb 21:30');
  expect(gapHeading(gap, 'utc')).toBe('Gap: Fri 21 Feb 02:30 to 03:30');
});
