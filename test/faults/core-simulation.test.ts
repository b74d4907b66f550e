// The promise under random faults: none missed, none told as two, nothing of the past told as news. A failing seed is printed; the same seed
// replays exactly (`npm run sim -- --seeds 1 --from SEED`). And the simulation itself: a core that lacks a safeguard is found out.
import { describe, expect, test } from 'vitest';
import { liveOnce } from './core-simulation.ts';
import { MUTANT_NAMES, MUTANTS } from './core-simulation-mutants.ts';

/** More in the long run: BAROGRAPH_SEEDS=5000. */
const SEEDS = Number(process.env.BAROGRAPH_SEEDS ?? 500);
const PART = 50;
const PARTS = Array.from({ length: Math.ceil(SEEDS / PART) }, (_, index) => 1 + index * PART);

test.each(PARTS)(`${PART} lives from seed %i on, under faults of every kind`, { timeout: 300_000 }, async (from) => {
  let kills = 0;
  for (let seed = from; seed < from + PART; seed += 1) {
    const life = await liveOnce(seed);
    kills += life.kills;
    expect({ seed, missed: life.missed, doubled: life.doubled }, life.trace.join('\n')).toEqual({ seed, missed: [], doubled: [] });
  }
  expect(kills).toBeGreaterThan(PART);
});

test('the same seed lives the same life', { timeout: 60_000 }, async () => {
  for (const seed of [3, 17]) expect((await liveOnce(seed)).trace).toEqual((await liveOnce(seed)).trace);
});

describe('a core without a safeguard', () => {
  const found = MUTANT_NAMES.filter((name) => MUTANTS[name].caughtBy === null);
  test.each(found)('%s is found out within 500 seeds', { timeout: 300_000 }, async (name) => {
    let seed = 1;
    for (; seed <= 500; seed += 1) {
      const { missed, doubled } = await liveOnce(seed, name);
      if (missed.length + doubled.length > 0) break;
    }
    expect(seed).toBeLessThanOrEqual(500);
  });

  const caught = MUTANT_NAMES.filter((name) => MUTANTS[name].caughtBy !== null);
  test.each(caught)('%s is caught by another', { timeout: 300_000 }, async (name) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const { missed, doubled } = await liveOnce(seed, name);
      expect({ seed, missed, doubled }).toEqual({ seed, missed: [], doubled: [] });
    }
  });
});
