// Faults: `node test/faults/cluster-simulation-cli.ts` simulates lives of a cluster.
// Arguments: --seeds N [--from K] [--mutant NAME] [--history FILE].
// It prints each seed with a finding; FILE gets the history of the last one. Exit code 0 without a finding.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { toLines } from './cluster-history.ts';
import { liveCluster } from './cluster-simulation.ts';
import { CLUSTER_MUTANT_NAMES, isClusterMutant } from './cluster-simulation-mutants.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    mutant: { type: 'string' },
    history: { type: 'string' },
  },
});
const mutant = values.mutant ?? null;
if (mutant !== null && !isClusterMutant(mutant))
  throw new Error(`--mutant ${mutant}: there is ${CLUSTER_MUTANT_NAMES.join(', ')}`);

let [found, kills, freezes, restores, entries] = [0, 0, 0, 0, 0];
const from = Number(values.from);
for (let seed = from; seed < from + Number(values.seeds); seed += 1) {
  const life = await liveCluster(seed, mutant);
  kills += life.kills;
  freezes += life.freezes;
  restores += life.restores;
  entries += life.events;
  if ((seed - from + 1) % 500 === 0) console.log(`${seed - from + 1} seeds`);
  if (life.findings.length === 0) continue;
  found += 1;
  console.log(`seed ${seed}:`);
  for (const { kind, what } of life.findings.slice(0, 5)) console.log(`  ${kind}: ${what}`);
  if (values.history !== undefined) writeFileSync(values.history, toLines(life.operations));
  if (mutant !== null) break;
}
console.log(`${kills} kills, ${freezes} freezes, ${restores} restored backups, ${entries} entries`);
console.log(`${values.seeds} seeds, ${found} with a finding`);
process.exitCode = found === 0 ? 0 : 1;
