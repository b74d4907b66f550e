// Test: a cluster under random faults loses, doubles and reorders nothing.
// It tells nothing that is not durable. The simulation finds a cluster without one of its safeguards.
// A failing seed replays exactly: `node test/faults/cluster-simulation-cli.ts --seeds 1 --from SEED`.
import { expect, test } from 'vitest';
import { liveCluster } from './cluster-simulation.ts';
import { CLUSTER_MUTANT_NAMES, CLUSTER_MUTANTS, type ClusterMutant } from './cluster-simulation-mutants.ts';
import { budgetOf, FIRST_SEED, type KnownSeeds } from './simulation-budget.ts';

const budget = budgetOf('cluster', 1);
test(`lives of three nodes from seed ${FIRST_SEED} on, under faults of every kind`, {
  timeout: budget.timeout,
}, async ({ task }) => {
  let [lives, kills, freezes] = [0, 0, 0];
  for (const seed of budget.seeds()) {
    const life = await liveCluster(seed);
    expect({ seed, findings: life.findings }).toEqual({ seed, findings: [] });
    lives += 1;
    kills += life.kills;
    freezes += life.freezes;
  }
  console.log(`simulated lives of the cluster: ${lives}, from seed ${FIRST_SEED} on`);
  task.meta.attempts = { seeds: lives, 'simulated kills': kills };
  expect(kills).toBeGreaterThan(0);
  expect(freezes).toBeGreaterThan(0);
});

test('the same seed gives the same life', { tags: ['long'] }, async () => {
  expect((await liveCluster(3)).operations).toEqual((await liveCluster(3)).operations);
});

const KNOWN: KnownSeeds<ClusterMutant> = {
  'no-compare-and-set': [1, 2],
  'no-epoch': [1, 2],
  'no-chain': [26, 34],
  'no-entry-id': [86, 103],
  'no-poll': [7, 10],
  'number-from-sequence': [1, 2],
  'told-before-durable': [1, 2],
  'deliveries-by-row': [1, 2],
  'no-lane-check': [1, 3],
  'no-catch-up': [14, 36],
  'no-snapshot-check': [65, 83],
  'cut-off-is-silent': [29, 35],
  'deposed-goes-on': [5, 23],
  'old-is-fresh': [5, 23],
  'cut-off-is-ready': [23, 35],
  'same-log-after-restore': [2, 4],
};

test.each(CLUSTER_MUTANT_NAMES)('%s is found', { tags: ['long'], timeout: 300_000 }, async (mutant) => {
  let isFound = false;
  for (const seed of [...KNOWN[mutant], ...Array.from({ length: 300 }, (_, index) => index + 1)]) {
    isFound = (await liveCluster(seed, mutant)).findings.length > 0;
    if (isFound) break;
  }
  expect(isFound, `without ${CLUSTER_MUTANTS[mutant]}`).toBe(true);
});
