// Test: which clocks of a service count as standing.
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';

const SECOND = 1_000;

/** Samples a clock every ten seconds, and counts elapsed time every second. */
async function follow(
  world: WorldClock,
  clock: ReturnType<typeof createManualClock>,
  seconds: number,
  timeOf: (passed: number) => number,
  speed?: number,
): Promise<boolean> {
  let stood = false;
  for (let passed = 0; passed <= seconds; passed += 1) {
    world.tick();
    if (passed % 10 === 0) world.sample(timeOf(passed * SECOND), clock.now(), speed);
    stood ||= world.standstill() !== null;
    await clock.advance(SECOND);
  }
  return stood;
}

const HOUR = 3_600 * SECOND;
test.each<[string, (passed: number) => number, number | undefined, boolean]>([
  ['in real time', (passed) => passed, 1, false],
  ['in real time, undeclared', (passed) => passed, undefined, false],
  ['in whole seconds, undeclared', (passed) => Math.floor(passed / SECOND) * SECOND, undefined, false],
  ['sixty times as fast', (passed) => passed * 60, 60, false],
  ['sixty times as fast, undeclared', (passed) => passed * 60, undefined, false],
  ['frozen, and declared so', () => 0, 0, false],
  ['set back by an hour', (passed) => (passed < 60 * SECOND ? passed : passed - HOUR), 1, false],
  ['set ahead by an hour', (passed) => (passed < 60 * SECOND ? passed : passed + HOUR), 1, false],
  ['of two nodes, one an hour behind', (passed) => passed - (passed % (20 * SECOND) === 0 ? HOUR : 0), 1, false],
  ['standing, undeclared', () => 0, undefined, true],
  ['standing', () => 0, 1, true],
  ['standing after a minute', (passed) => Math.min(passed, 60 * SECOND), 1, true],
  ['standing in a replay', (passed) => Math.min(passed, 60 * SECOND) * 60, 60, true],
  ['at half its speed', (passed) => passed / 2, 1, true],
  ['at real speed where sixty times is declared', (passed) => passed, 60, true],
  ['set back again and again', (passed) => passed % (15 * SECOND), 1, true],
])('a clock that runs %s', async (_, timeOf, speed, stands) => {
  const clock = createManualClock();
  const world = createWorldClock(clock);
  expect(await follow(world, clock, 200, (passed) => 5e12 + timeOf(passed), speed)).toBe(stands);
});

test('a service that was away for minutes, and whose replay stood meanwhile, does not stand', async () => {
  const clock = createManualClock();
  const world = createWorldClock(clock);
  await follow(world, clock, 60, (passed) => 5e12 + passed * 60, 60);
  for (let second = 0; second < 300; second += 1) {
    world.tick();
    await clock.advance(SECOND);
  }
  world.lost();
  expect(await follow(world, clock, 120, (passed) => 5e12 + (60 * SECOND + passed) * 60, 60)).toBe(false);
  expect(Math.abs(world.now() - (5e12 + 181 * 60 * SECOND))).toBeLessThan(120 * SECOND);
});

test('while a clock stands, world time goes on at its speed, whatever connections were lost', async () => {
  const clock = createManualClock();
  const world = createWorldClock(clock);
  await follow(world, clock, 60, (passed) => 5e12 + passed, 1);
  const before = world.now();
  for (let count = 0; count < 5; count += 1) {
    world.lost();
    await follow(world, clock, 29, () => 5e12 + 60 * SECOND, 1);
  }
  expect(Math.abs(world.now() - before - 150 * SECOND)).toBeLessThan(2 * SECOND);
  expect(world.standstill()).toMatchObject({ world: 5e12 + 60 * SECOND });
});

test('a sleep and a clock that was set here are no standstill', async () => {
  const clock = createManualClock();
  const world = createWorldClock(clock);
  let offset = 0;
  for (const jump of [HOUR, -2 * HOUR, 5 * HOUR]) {
    const began = clock.now();
    const start = 5e12 + began + offset;
    expect(await follow(world, clock, 90, (passed) => start + passed, 1)).toBe(false);
    clock.jump(jump);
    // The computer slept where the service went on too.
    if (jump < 5 * HOUR) offset -= jump;
  }
});
