// Faults: runs simulated lives in processes of their own, one per processor.
import { type ChildProcess, fork } from 'node:child_process';
import { type LifeReport, liveOnce } from './core-simulation.ts';
import type { MutantName } from './core-simulation-mutants.ts';

export interface LifeResult extends LifeReport {
  /** Memory of its process, bytes. */
  readonly memory: number;
}

export interface Lane {
  /** @throws Error when its process ended before the life did */
  live(seed: number): Promise<LifeResult>;
  end(): void;
}

interface LaneRequest {
  readonly seed: number;
  readonly mutant: MutantName | null;
}
type LaneReply = { readonly lived: LifeResult } | { readonly failure: string };

/** The variable that makes a process a lane. */
const ROLE = 'BAROGRAPH_SIMULATION_LANE';

const liveHere = async ({ seed, mutant }: LaneRequest): Promise<LifeResult> => {
  const report = await liveOnce(seed, mutant);
  return { ...report, memory: process.memoryUsage.rss() };
};

/** A lane in this process: where one is enough, and for a debugger. */
export const openLaneHere = (mutant: MutantName | null): Lane => ({
  live: (seed) => liveHere({ seed, mutant }),
  end: () => undefined,
});

export function openLane(mutant: MutantName | null): Lane {
  const child: ChildProcess = fork(import.meta.filename, { env: { ...process.env, [ROLE]: 'yes' } });
  return {
    live: (seed) =>
      new Promise((resolve, reject) => {
        const onReply = (said: LaneReply): void => {
          child.off('exit', ended);
          if ('lived' in said) resolve(said.lived);
          else reject(new Error(`seed ${seed}: ${said.failure}`));
        };
        const ended = (code: number | null, signal: string | null): void => {
          child.off('message', onReply);
          reject(new Error(`seed ${seed}: the process that lived it ended (${signal ?? `exit code ${code}`})`));
        };
        child.once('message', onReply);
        child.once('exit', ended);
        child.send({ seed, mutant } satisfies LaneRequest, (unsent) => {
          if (unsent !== null) ended(child.exitCode, child.signalCode);
        });
      }),
    end() {
      if (child.connected) child.disconnect();
    },
  };
}

if (process.env[ROLE] === 'yes' && process.send !== undefined) {
  const reply = (said: LaneReply): void => void process.send?.(said);
  process.on('message', (request: LaneRequest) => {
    liveHere(request).then(
      (lived) => reply({ lived }),
      (error: unknown) => reply({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
