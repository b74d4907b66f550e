// Faults: where simulated lives are lived: in processes of their own, one life at a time each, so that every processor has one. They end with the
// process that began them, however that ends.
import { type ChildProcess, fork } from 'node:child_process';
import { type LifeReport, liveOnce } from './core-simulation.ts';
import type { MutantName } from './core-simulation-mutants.ts';

export interface Lived extends LifeReport {
  /** Memory of the process in which it was lived, bytes. */
  readonly memory: number;
}

export interface Lane {
  /** @throws Error when its process ended before the life did */
  live(seed: number): Promise<Lived>;
  end(): void;
}

interface Asked {
  readonly seed: number;
  readonly mutant: MutantName | null;
}
type Said = { readonly lived: Lived } | { readonly failure: string };

/** Names a process that lives what it is asked to. */
const ROLE = 'BAROGRAPH_SIMULATION_LANE';

const liveHere = async ({ seed, mutant }: Asked): Promise<Lived> => {
  const report = await liveOnce(seed, mutant);
  return { ...report, memory: process.memoryUsage.rss() };
};

/** In this process: for a single lane, and for whoever looks on with a debugger. */
export const openLaneHere = (mutant: MutantName | null): Lane => ({
  live: (seed) => liveHere({ seed, mutant }),
  end: () => undefined,
});

export function openLane(mutant: MutantName | null): Lane {
  const child: ChildProcess = fork(import.meta.filename, { env: { ...process.env, [ROLE]: 'yes' } });
  return {
    live: (seed) =>
      new Promise((resolve, reject) => {
        const hear = (said: Said): void => {
          child.off('exit', ended);
          if ('lived' in said) resolve(said.lived);
          else reject(new Error(`seed ${seed}: ${said.failure}`));
        };
        const ended = (code: number | null, signal: string | null): void => {
          child.off('message', hear);
          reject(new Error(`seed ${seed}: the process that lived it ended (${signal ?? `exit code ${code}`})`));
        };
        child.once('message', hear);
        child.once('exit', ended);
        child.send({ seed, mutant } satisfies Asked, (unsent) => {
          if (unsent !== null) ended(child.exitCode, child.signalCode);
        });
      }),
    end() {
      if (child.connected) child.disconnect();
    },
  };
}

if (process.env[ROLE] === 'yes' && process.send !== undefined) {
  const tell = (said: Said): void => void process.send?.(said);
  process.on('message', (asked: Asked) => {
    liveHere(asked).then(
      (lived) => tell({ lived }),
      (thrown: unknown) =>
        tell({ failure: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
