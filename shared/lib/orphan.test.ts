// Test: a changed parent is noticed once.
import { expect, test, vi } from 'vitest';
import { createClock } from './clock.ts';
import { whenOrphaned } from './orphan.ts';

test('the job runs once, when the parent has changed, and not after it was cancelled', () => {
  vi.useFakeTimers();
  const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
  let parent = 7;
  let [runs, cancelled] = [0, 0];
  whenOrphaned(
    () => parent,
    clock,
    () => runs++,
  );
  const cancel = whenOrphaned(
    () => parent,
    clock,
    () => cancelled++,
  );
  vi.advanceTimersByTime(10_000);
  expect(runs).toBe(0);
  cancel();
  parent = 1;
  vi.advanceTimersByTime(10_000);
  expect([runs, cancelled]).toEqual([1, 0]);
  vi.useRealTimers();
});
