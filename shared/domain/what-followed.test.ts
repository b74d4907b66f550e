// Test: what came of an alert.
import { expect, test } from 'vitest';
import type { State } from './states.ts';
import { type ToldChange, whatFollowed } from './what-followed.ts';

/** A change on a day of March 2026. */
const change = (day: number, to_state: State, more: Partial<ToldChange> = {}): ToldChange => ({
  to_state,
  confidence_of: 'event',
  occurred_at: new Date(Date.UTC(2026, 2, day)).toISOString(),
  ...more,
});
const followed = (later: readonly ToldChange[], day: number, alert = change(1, 2)) =>
  whatFollowed(alert, {
    later,
    present: later.at(-1) ?? alert,
    calendar: 'always',
    now: Date.UTC(2026, 2, day),
  });
const FURTHER = { confidence_of: 'further_fall' } as const;

test('the warned fall came where a later change is about a further one', () => {
  expect(followed([change(5, 1, FURTHER)], 40)).toBe('fall');
  expect(followed([change(5, 1), change(9, 2, FURTHER)], 12)).toBe('fall');
});

test('a fall after the 21 sessions is not the warned one', () => {
  expect(followed([change(5, 0), change(25, 2, FURTHER)], 40)).toBe('no_fall');
});

test('an alert is open until its 21 sessions are over, and then was followed by no fall', () => {
  expect(followed([change(5, 0)], 20)).toBe('open');
  expect(followed([change(5, 0)], 23)).toBe('no_fall');
});

test('the fall had come when the alert was about a further one', () => {
  expect(followed([change(5, 0)], 40, change(1, 2, FURTHER))).toBe('fallen');
});

test('an alert that rested on a wrong price is withdrawn', () => {
  expect(followed([change(2, 0, { in_question: 'withdrawn' })], 40)).toBe('withdrawn');
});

test('what followed is not known where the service names no claim, or where the symbol was High Risk throughout', () => {
  expect(followed([change(5, 0)], 40, change(1, 2, { confidence_of: undefined }))).toBeNull();
  expect(followed([change(30, 0)], 40)).toBeNull();
});
