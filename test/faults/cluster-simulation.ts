// Faults: one life of a cluster from a seed: real nodes over a model of the journal, under faults.
// Nothing in it reads a clock or a random number of the machine: the same seed is the same life.

import type { Operation } from './cluster-history.ts';
import type { Finding } from './cluster-history-checker.ts';
import { createActions } from './cluster-simulation-actions.ts';
import { checkLife } from './cluster-simulation-checks.ts';
import type { ClusterMutant } from './cluster-simulation-mutants.ts';
import { createWorld } from './cluster-simulation-world.ts';

export interface ClusterLife {
  readonly findings:
    | readonly Pick<Finding, 'kind' | 'what'>[]
    | readonly { readonly kind: string; readonly what: string }[];
  readonly kills: number;
  readonly freezes: number;
  readonly restores: number;
  readonly events: number;
  readonly operations: readonly Operation[];
}

const STEPS = 220;
/** After them a cluster that still changes is stuck; lives without a finding rest within half of them. */
const REST_ROUNDS = 100;
/** In every sixth life a node is cut off for long. */
const ISOLATING_SEEDS = 6;

/** Lets every promise of the step settle. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export async function liveCluster(seed: number, mutant: ClusterMutant | null = null): Promise<ClusterLife> {
  const world = createWorld(seed, mutant);
  const { step, isolate, settleOnce } = createActions(world);
  for (let count = 0; count < STEPS; count += 1) {
    step();
    await settled();
    if (seed % ISOLATING_SEEDS === 5 && count === STEPS / 2) await isolate(settled);
  }
  world.beginRest();
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    const isQuiet = settleOnce();
    await settled();
    if (isQuiet && round > 3) break;
  }
  const { kills, freezes, restores } = world.counts;
  const findings = checkLife(world);
  const events = world.model.head().position;
  world.end();
  return { findings, kills, freezes, restores, events, operations: world.history.operations };
}
