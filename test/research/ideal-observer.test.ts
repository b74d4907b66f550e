// Test: the stored ceilings match the simulation; a world without information has no day lift.
import { expect, test } from 'vitest';
import { CEILINGS } from '../../service/engine/scoring/ceilings.ts';
import { CEILING_SEEDS, type Ceiling, ceilingOf, WORLDS } from './ideal-observer.ts';

test('in a random walk the day lift of the ideal observer is 1, and changing volatility raises it', {
  tags: ['long'],
}, () => {
  const size = { symbols: 12, bars: 4_000 };
  const walk = ceilingOf('random_walk', 7, size);
  expect(Math.abs(walk.day_lift - 1)).toBeLessThan(0.15);
  expect(ceilingOf('gjr_garch', 7, size).day_lift).toBeGreaterThan(1.3);
  expect(ceilingOf('random_walk', 7, size)).toEqual(walk);
});

test.each(WORLDS)('%s: the recorded ceiling is the mean of its runs', { tags: ['long'], timeout: 120_000 }, (world) => {
  const runs = CEILING_SEEDS.map((seed) => ceilingOf(world, seed));
  const mean = (figure: keyof Ceiling): number => runs.reduce((sum, run) => sum + run[figure], 0) / runs.length;
  expect(CEILINGS[world].f1).toBeCloseTo(mean('f1'), 3);
  expect(CEILINGS[world].strict_f1).toBeCloseTo(mean('strict_f1'), 3);
  expect(CEILINGS[world].day_lift).toBeCloseTo(mean('day_lift'), 2);
});
