// Test: under random faults no event is missed, notified twice, or notified as new when past.
// Prints a failing seed; the same seed replays exactly (`npm run sim -- --seeds 1 --from SEED`). It also
// tests the simulation: it detects a core without a safeguard.
import { describe, expect, test } from 'vitest';
import { liveOnce } from './core-simulation.ts';
import { MUTANT_NAMES, MUTANTS, type MutantName } from './core-simulation-mutants.ts';

/** `npm run test:all` sets more; `npm run sim -- --seeds N` runs any number. */
const SEEDS = Number(process.env.BAROGRAPH_SEEDS ?? 2);
const CHUNK_SIZE = Math.min(SEEDS, 10);
const CHUNK_STARTS = Array.from({ length: Math.ceil(SEEDS / CHUNK_SIZE) }, (_, index) => 1 + index * CHUNK_SIZE);

test.for(CHUNK_STARTS)(
  `${CHUNK_SIZE} lives from seed %i on, under faults of every kind`,
  { timeout: 300_000 },
  async (from, { task }) => {
    let kills = 0;
    for (let seed = from; seed < from + CHUNK_SIZE; seed += 1) {
      const life = await liveOnce(seed);
      kills += life.kills;
      expect({ seed, missed: life.missed, doubled: life.doubled }, life.trace.join('\n')).toEqual({
        seed,
        missed: [],
        doubled: [],
      });
    }
    task.meta.attempts = { seeds: CHUNK_SIZE, 'simulated kills': kills };
    expect(kills).toBeGreaterThan(CHUNK_SIZE);
  },
);

test('20 lives whose service often replaces its log', { tags: ['long'], timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const { missed, doubled, trace } = await liveOnce(seed, null, { isRestored: true });
    expect({ seed, missed, doubled }, trace.join('\n')).toEqual({ seed, missed: [], doubled: [] });
  }
});

test('the same seed gives the same life', { tags: ['long'], timeout: 60_000 }, async () => {
  expect((await liveOnce(3)).trace).toEqual((await liveOnce(3)).trace);
});

describe('a core without a safeguard', { tags: ['long'] }, () => {
  const found = MUTANT_NAMES.filter((name) => MUTANTS[name].caughtBy === null);
  /** Seeds that detected rare mutants, tried first. A change of the core may shift them. */
  const lately: Partial<Record<MutantName, readonly number[]>> = {
    'damaged-settings-are-default': [38],
    'impossible-date-is-read': [25],
    'missing-ledger-is-first-start': [16],
    'early-cursor': [516],
    'past-as-news': [44],
    'unreadable-is-dropped': [67],
    'no-removed-identity': [109],
    'backfill-begins-ahead': [38],
    'beginning-is-silent': [43],
  };
  test.each(found)('%s is detected', { timeout: 300_000 }, async (name) => {
    for (const seed of new Set([...(lately[name] ?? []), ...Array.from({ length: 500 }, (_, index) => index + 1)])) {
      const { missed, doubled } = await liveOnce(seed, name);
      if (missed.length + doubled.length > 0) return;
    }
    expect.fail(`no life with ${name} misses or doubles anything`);
  });

  const caught = MUTANT_NAMES.filter((name) => MUTANTS[name].caughtBy !== null);
  test.each(caught)('%s is compensated by another safeguard', { timeout: 300_000 }, async (name) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const { missed, doubled } = await liveOnce(seed, name);
      expect({ seed, missed, doubled }).toEqual({ seed, missed: [], doubled: [] });
    }
  });
});
