// Test: a wait on a clock, and its end by a signal.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { pause } from './pause.ts';

test('ends after its time, and not before', async () => {
  const clock = createManualClock();
  let isOver = false;
  void pause(clock, 1_000.5).then(() => {
    isOver = true;
  });
  await clock.advance(1_000);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
});

test('a signal ends it with its reason, and cancels the timer', async () => {
  const timers = new Set<number>();
  const clock = {
    now: () => 0,
    after(ms: number) {
      timers.add(ms);
      return () => void timers.delete(ms);
    },
  };
  const ending = new AbortController();
  const wait = pause(clock, 1_000, ending.signal);
  expect(timers.size).toBe(1);
  ending.abort(new Error('closed'));
  await expect(wait).rejects.toThrow('closed');
  await expect(pause(clock, 1_000, ending.signal)).rejects.toThrow('closed');
  expect(timers.size).toBe(0);
});
