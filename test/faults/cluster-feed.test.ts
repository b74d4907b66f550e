// Test: a cluster that follows a vendor of prices announces what an undisturbed service announces, whoever is killed.
// A failing seed replays exactly.
import { expect, test } from 'vitest';
import { FEED_MUTANT_NAMES, FEED_MUTANTS, type FeedMutant, liveClusterWithFeed } from './cluster-feed-simulation.ts';
import { FIRST_SEED, type KnownSeeds } from './simulation-budget.ts';

/** A life takes half a minute. */
const SEEDS = process.env.BAROGRAPH_CASES === 'all' ? 5 : 1;

test.each(Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index))(
  'a life of three nodes with a feed from seed %i announces what an undisturbed service does',
  { tags: ['long'], timeout: 300_000 },
  async (seed) => {
    const { findings, kills, cuts, events } = await liveClusterWithFeed(seed);
    expect({ seed, findings }).toEqual({ seed, findings: [] });
    expect(Math.min(kills, cuts, events)).toBeGreaterThan(0);
  },
);

const KNOWN: KnownSeeds<FeedMutant> = { 'prices-before-progress': [1, 2], 'leader-without-feed': [1, 2] };

test.each(FEED_MUTANT_NAMES)(
  'a cluster with a feed without %s is found',
  { tags: ['long'], timeout: 600_000 },
  async (mutant) => {
    for (const seed of [...KNOWN[mutant], 3, 4, 5])
      if ((await liveClusterWithFeed(seed, mutant)).findings.length > 0) return;
    expect.fail(`five lives did not show what is lost without ${FEED_MUTANTS[mutant]}`);
  },
);
