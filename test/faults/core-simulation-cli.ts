// Faults: `npm run sim -- --seeds N [--from K] [--mutant NAME]`: simulated lives of a core.
// Runs on every processor. Prints every seed under which an event was missed or notified twice, with its
// history; the same seed replays exactly. The last line is the sum. Exit code 0 when both are 0; with a
// mutant it ends at the first seed that detects it, with exit code 1.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { messageOf } from '../../shared/lib/result.ts';
import { type Lane, type LifeResult, openLane, openLaneHere } from './core-simulation-lanes.ts';
import { isMutant, MUTANT_NAMES, MUTANTS, type MutantName } from './core-simulation-mutants.ts';

interface Arguments {
  readonly seeds: number;
  readonly from: number;
  readonly mutant: MutantName | null;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '500' },
      from: { type: 'string', default: '1' },
      mutant: { type: 'string' },
    },
  });
  const count = (name: 'seeds' | 'from'): number => {
    if (!/^[1-9]\d{0,8}$/.test(values[name]))
      throw new Error(`--${name} ${values[name]}: give a whole number from 1 on`);
    return Number(values[name]);
  };
  const { mutant = null } = values;
  if (mutant !== null && !isMutant(mutant)) {
    const names = MUTANT_NAMES;
    throw new Error(`--mutant ${mutant}: there is ${names.join(', ')}`);
  }
  return { seeds: count('seeds'), from: count('from'), mutant };
}

async function run({ seeds, from, mutant }: Arguments): Promise<boolean> {
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

/** @returns null for invalid arguments, after one line about them */
function tryArguments(): Arguments | null {
  try {
    return readArguments();
  } catch (error) {
    const [problem = ''] = messageOf(error).split('\n');
    console.error(`sim: ${problem.replace(/\.$/, '')}. Usage: npm run sim -- [--seeds N] [--from K] [--mutant NAME]`);
    return null;
  }
}

const options = tryArguments();
process.exitCode = options === null ? 2 : (await run(options)) ? 0 : 1;
