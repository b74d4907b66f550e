// Faults: which seeds the simulations of a run live, and for how long.
// `npm run test:all` gives all of them five minutes, and seeds that differ from commit to commit.

/** For all simulations together; 0: each lives its first seeds only, as in `npm test`. */
const SECONDS = Number(process.env.BAROGRAPH_SIMULATION_SECONDS ?? 0);

/** The first seed of this run. */
export const FIRST_SEED = Number(process.env.BAROGRAPH_SEED ?? 1);

/** Longer than any life, on a machine that other tests fill, ms. */
const SLACK = 300_000;

/** The simulations, with their shares of the time. */
const SHARES = { core: 0.55, restored: 0.1, channels: 0.1, cluster: 0.25 } as const;

export interface Budget {
  /** Of the test that spends it, ms. */
  readonly timeout: number;
  /** At least `least` seeds from the first on, and others until the time is over. */
  seeds(): Iterable<number>;
}

export function budgetOf(simulation: keyof typeof SHARES, least: number): Budget {
  const span = SECONDS * 1000 * SHARES[simulation];
  return {
    timeout: span + SLACK,
    *seeds() {
      const end = performance.now() + span;
      for (let count = 0; count < least || performance.now() < end; count += 1) yield FIRST_SEED + count;
    },
  };
}

/** Seeds whose lives show what a missing safeguard breaks, tried first. A change of the code may shift them. */
export type KnownSeeds<Name extends string> = Record<Name, readonly number[]>;

/** Whether all cases run: in the nights, and where a file is run alone. */
const HAS_ALL = process.env.BAROGRAPH_CASES === 'all' || process.env.BAROGRAPH_SEED === undefined;

/** In `npm run test:all` a third of many similar cases, another from commit to commit. */
export const sampleOf = <Case>(cases: readonly Case[], offset = 0): Case[] =>
  cases.filter((_, index) => HAS_ALL || (FIRST_SEED + offset + index) % 3 === 0);
