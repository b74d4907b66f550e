// Test: long, cancelled and repeated waits of the clock.

import { expect, test } from 'vitest';
import { createClock, every } from './clock.ts';

/** Timers that fire on command. */
function handTimers(now = () => 0) {
  const pending: { job: () => void; ms: number; live: boolean }[] = [];
  const clock = createClock({
    now,
    setTimeout: (job, ms) => {
      const entry = { job, ms, live: true };
      pending.push(entry);
      return entry;
    },
    clearTimeout: (entry) => {
      entry.live = false;
    },
  });
  return {
    clock,
    waits: () => pending.filter((entry) => entry.live).map((entry) => entry.ms),
    fire: () => {
      const entry = pending.find((one) => one.live);
      if (entry === undefined) throw new Error('nothing is waiting');
      entry.live = false;
      entry.job();
    },
  };
}

test('a wait longer than a timer can take is taken in steps and ends once', () => {
  const { clock, waits, fire } = handTimers();
  let fired = 0;
  clock.after(2_147_483_647 + 500, () => fired++);
  expect(waits()).toEqual([2_147_483_647]);
  fire();
  expect(fired).toBe(0);
  expect(waits()).toEqual([500]);
  fire();
  expect(fired).toBe(1);
  expect(waits()).toEqual([]);
});

test('a cancelled wait never ends, also in its second step', () => {
  const { clock, waits, fire } = handTimers();
  const cancel = clock.after(2_147_483_648, () => {
    throw new Error('must not run');
  });
  fire();
  cancel();
  cancel();
  expect(waits()).toEqual([]);
});

test('a negative wait is a wait of zero', () => {
  const { clock, waits } = handTimers();
  clock.after(-5, () => undefined);
  expect(waits()).toEqual([0]);
});

test('every goes on until it is cancelled, also from within its own job', () => {
  const { clock, waits, fire } = handTimers();
  let runs = 0;
  const cancel = every(clock, 10, () => {
    runs++;
    if (runs === 3) cancel();
  });
  fire();
  fire();
  fire();
  expect(runs).toBe(3);
  expect(waits()).toEqual([]);
});

test('intervals of whole seconds end together at whole seconds; others wait for their own time', () => {
  let now = 10_400;
  const { clock, waits, fire } = handTimers(() => now);
  const lateBy: number[] = [];
  every(clock, 1_000, (late) => lateBy.push(late));
  every(clock, 5_000, () => undefined);
  every(clock, 250, () => undefined);
  expect(waits()).toEqual([600, 4_600, 250]);
  now = 11_003;
  fire();
  expect(lateBy).toEqual([3]);
  expect(waits().at(-1)).toBe(997);
  // A timer may end early.
  now = 11_999;
  every(clock, 1_000, () => undefined);
  expect(waits().at(-1)).toBe(1_001);
});
