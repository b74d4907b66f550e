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

/** Seeds that found what a missing safeguard breaks, tried first. A change of the code may shift them. */
export type KnownSeeds<Name extends string> = Partial<Record<Name, readonly number[]>>;

/**
 * Without which safeguards this run lives: those with a known seed, and a third of the others, which differ from commit
 * to commit: a search for what one of them breaks takes up to minutes. BAROGRAPH_MUTANTS=all takes all.
 */
export const sampleOf = <Name extends string>(mutants: readonly Name[], known: KnownSeeds<Name>): Name[] =>
  mutants.filter(
    (name, index) =>
      process.env.BAROGRAPH_MUTANTS === 'all' || known[name] !== undefined || (FIRST_SEED + index) % 3 === 0,
  );
