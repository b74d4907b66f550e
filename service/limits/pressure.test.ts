// Service, limits, test: detects overload; a single delay, a sleep or a set clock is not overload.

import { expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/lib/time.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createPressure } from './pressure.ts';

function rig() {
  const clock = createManualClock();
  const pressure = createPressure(clock);
  pressure.start();
  return {
    clock,
    pressure,
    /** Runs checks, each late by `ms`. */
    async late(ms: number, checks: number): Promise<void> {
      for (let check = 0; check < checks; check += 1) {
        clock.jump(ms);
        await clock.advance(1_000);
      }
    },
  };
}

test('three consecutive checks late by a second are overload; one check on time ends it', async () => {
  const { pressure, late } = rig();
  await late(1_000, 2);
  expect(pressure.refuses()).toBeNull();
  await late(1_000, 1);
  expect(pressure.refuses()).toMatch(/overloaded/);
  await late(4_000, 5);
  expect(pressure.refuses()).toMatch(/overloaded/);
  await late(0, 1);
  expect(pressure.refuses()).toBeNull();
});

test('small delays, a long sleep, and a clock that is set forward or back are not overload', async () => {
  const { clock, pressure, late } = rig();
  await late(999, 100);
  expect(pressure.refuses()).toBeNull();
  await late(8 * HOUR_MS, 1);
  await late(0, 1);
  await late(HOUR_MS, 2);
  expect(pressure.refuses()).toBeNull();
  clock.jump(-7_200_000);
  await late(0, 3);
  expect(pressure.refuses()).toBeNull();
});

test('delays before start and after stop do not count', async () => {
  const clock = createManualClock();
  const pressure = createPressure(clock);
  clock.jump(60_000);
  pressure.start();
  await clock.advance(10_000);
  expect(pressure.refuses()).toBeNull();
  pressure.stop();
  clock.jump(60_000);
  await clock.advance(10_000);
  expect(pressure.refuses()).toBeNull();
});

test('at most a thousand requests are in flight; each counts until it ends', () => {
  const { pressure } = rig();
  const ends = Array.from({ length: 999 }, () => pressure.takeOn());
  expect(pressure.refuses()).toBeNull();
  const last = pressure.takeOn();
  expect(pressure.refuses()).toMatch(/1000 requests/);
  last();
  expect(pressure.refuses()).toBeNull();
  ends[0]?.();
  const more = [pressure.takeOn(), pressure.takeOn()];
  expect(pressure.refuses()).toMatch(/1000 requests/);
  for (const end of [...ends, ...more]) end();
  expect(pressure.refuses()).toBeNull();
});
