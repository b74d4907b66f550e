// Test runner: `npm run test:long`: what depends on time and on other processes, over and over, and determinism over more worlds.
import { runStages, type Stage } from './stages.ts';

const ROUNDS = 1;
const WORLDS = 4;
/** Of a core under faults, a round; `npm test` lives all of them. */
const LIVES = 100;
const REQUESTS = 10_000;

const processes = Array.from(
  { length: ROUNDS },
  (_, round): Stage => ({
    name: `processes, round ${round + 1}`,
    runner: 'vitest',
    args: ['test/faults', 'test/links', 'main/node'],
    environment: { BAROGRAPH_SEEDS: String(LIVES) },
  }),
);

process.exitCode = await runStages('long', [
  { name: 'end to end, every screen', runner: 'playwright', args: ['--grep', '@long'] },
  ...processes,
  {
    name: 'random requests',
    runner: 'vitest',
    args: ['test/contract/garbage.test.ts'],
    environment: { BAROGRAPH_TEST_REQUESTS: String(REQUESTS) },
  },
  { name: 'packages', runner: 'vitest', args: ['test/package'], environment: { BAROGRAPH_PACKAGES: '1' } },
  {
    name: 'worlds',
    runner: 'vitest',
    args: ['test/determinism'],
    environment: { BAROGRAPH_TEST_SEEDS: String(WORLDS) },
  },
]);
