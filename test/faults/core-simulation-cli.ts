// Faults: `npm run sim -- --seeds N [--from K] [--mutant NAME]`: simulated lives of a core.
// Runs on every processor. Prints every seed under which an event was missed or notified twice, with its
// history; the same seed replays exactly. The last line is the sum. Exit code 0 when both are 0; with a
// mutant it ends at the first seed that detects it, with exit code 1.
import { availableParallelism } from 'node:os';
import { namesAmong, newCommand, wholeNumber } from '../runner/command.ts';
import { type Lane, type LifeResult, openLane, openLaneHere } from './core-simulation-lanes.ts';
import { MUTANT_NAMES, MUTANTS, type MutantName } from './core-simulation-mutants.ts';

interface Flags {
  readonly seeds: number;
  readonly from: number;
  readonly mutant?: readonly MutantName[];
}

async function run({ seeds, from, mutant: mutants }: Flags): Promise<boolean> {
  const mutant = mutants?.[0] ?? null;
  if (mutant !== null) {
    const { what, caughtBy } = MUTANTS[mutant];
    console.log(`without ${what}${caughtBy === null ? '' : ` (caught by: ${caughtBy})`}`);
  }
  // In order, so that the first seed that detects a mutant is the lowest.
  const count = mutant === null ? Math.min(availableParallelism(), seeds) : 1;
  const lanes = count === 1 ? [openLaneHere(mutant)] : Array.from({ length: count }, () => openLane(mutant));
  let [lived, missed, doubled, kills, notified, memory] = [0, 0, 0, 0, 0, 0];
  let next = from;
  let isOver = false;
  const take = (life: LifeResult): void => {
    lived += 1;
    missed += life.missed.length;
    doubled += life.doubled.length;
    kills += life.kills;
    notified += life.notified;
    memory = Math.max(memory, life.memory);
    const isWell = life.missed.length === 0 && life.doubled.length === 0;
    if (!isWell) {
      console.log(
        `seed ${life.seed}: missed ${life.missed.join(' ') || 'none'}; doubled ${life.doubled.join(' ') || 'none'}`,
      );
      if (mutant !== null) isOver = true;
      else console.log(life.trace.join('\n'));
    }
    if (lived % 100 === 0) console.log(`${lived} seeds, ${Math.round(memory / 1e6)} MB`);
  };
  const follow = async (lane: Lane): Promise<void> => {
    while (!isOver && next < from + seeds) {
      const seed = next;
      next += 1;
      take(await lane.live(seed));
    }
  };
  try {
    await Promise.all(lanes.map(follow));
  } finally {
    isOver = true;
    for (const lane of lanes) lane.end();
  }
  console.log(`${kills} kills, ${notified} notifications`);
  console.log(`${lived} ${lived === 1 ? 'seed' : 'seeds'}, ${missed} missed, ${doubled} doubled`);
  return missed === 0 && doubled === 0;
}

const flags = newCommand('sim', 'Lives of the core under random faults: no event may be missed or notified twice.')
  .option('--seeds <number>', 'how many lives', wholeNumber(1), 500)
  .option('--from <seed>', 'seed of the first', wholeNumber(1), 1)
  .option('--mutant <name>', 'without this safeguard, until a life shows it', namesAmong(MUTANT_NAMES))
  .parse()
  .opts<Flags>();
process.exitCode = (await run(flags)) ? 0 : 1;
