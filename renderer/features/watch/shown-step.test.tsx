// Test: the drawn step of a range, and the note where it is not the chosen one.
import { expect, test } from 'vitest';
import type { ChartModel } from '../../charts/model.ts';
import { intervalFor } from './price-panel.tsx';
import { shownStep, stepNote } from './shown-step.ts';

const DAY = 86_400_000;

test('a step that fits the range is drawn; the others are drawn by the hour', () => {
  expect(shownStep('minute', 2 * DAY)).toBe('minute');
  expect(shownStep('minute', 3 * DAY)).toBe('hour');
  expect(shownStep('day', 4 * DAY)).toBe('day');
  expect(shownStep('day', DAY)).toBe('hour');
  expect(shownStep('hour', 90 * DAY)).toBe('hour');
});

test('says why another step is drawn, and blames a plan only where the service refused minutes', () => {
  expect(stepNote('minute', 'hour', 'hour')).toBe('minutes_too_many');
  expect(stepNote('day', 'hour', null)).toBe('days_too_few');
  expect(stepNote('minute', 'minute', 'hour')).toBe('minutes_refused');
  expect(stepNote('minute', 'minute', 'day')).toBe('closes_only');
  expect(stepNote('hour', 'hour', 'day')).toBe('closes_only');
  expect([stepNote('hour', 'hour', 'hour'), stepNote('day', 'day', 'day'), stepNote('minute', 'minute', null)]).toEqual(
    [null, null, null],
  );
});

/** Closes of 80 days at 21:00, without weekends; the last is of Friday 21 February 2025. */
const END = Date.parse('2025-02-21T21:00:00.000Z');
const closes = Array.from({ length: 80 }, (_, back) => END - (79 - back) * DAY).filter(
  (ms) => ![0, 6].includes(new Date(ms).getUTCDay()),
);
const base = { points: closes.map((ms) => ({ ms })) } as unknown as ChartModel;

test('the range by hours begins the chosen number of days before its end', () => {
  expect(intervalFor(base, { days: 30 }, 'hour')).toEqual({ from: END - 30 * DAY, to: END });
});

test('of closes alone it is that of days, whatever step is chosen', () => {
  const byDay = intervalFor(base, { days: 30 }, 'day');
  expect(byDay.from).toBeGreaterThan(END - 30 * DAY);
  expect(intervalFor(base, { days: 30 }, 'minute', 'day')).toEqual(byDay);
  expect(intervalFor(base, { days: 30 }, 'hour', 'day')).toEqual(byDay);
});

test('a custom range stays', () => {
  const interval = { from: END - DAY, to: END };
  expect(intervalFor(base, { interval }, 'hour', 'day')).toBe(interval);
});
