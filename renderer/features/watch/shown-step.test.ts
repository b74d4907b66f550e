// Test: the drawn step of a range, and the note where it is not the chosen one.
import { expect, test } from 'vitest';
import { shownStep, stepNote } from './shown-step.ts';

const DAY = 86_400_000;

test('a step that fits the range is drawn; the others are drawn by the hour', () => {
  expect(shownStep('minute', 2 * DAY)).toBe('minute');
  expect(shownStep('minute', 3 * DAY)).toBe('hour');
  expect(shownStep('day', 4 * DAY)).toBe('day');
  expect(shownStep('day', DAY)).toBe('hour');
  expect(shownStep('hour', 90 * DAY)).toBe('hour');
});

test('the chart says why another step is drawn, and blames a plan only where the service refused minutes', () => {
  expect(stepNote('minute', 'hour', 'hour')).toBe('minutes_too_many');
  expect(stepNote('day', 'hour', null)).toBe('days_too_few');
  expect(stepNote('minute', 'minute', 'hour')).toBe('minutes_refused');
  expect(stepNote('minute', 'minute', 'day')).toBe('closes_only');
  expect(stepNote('hour', 'hour', 'day')).toBe('closes_only');
  expect([stepNote('hour', 'hour', 'hour'), stepNote('day', 'day', 'day'), stepNote('minute', 'minute', null)]).toEqual(
    [null, null, null],
  );
});
