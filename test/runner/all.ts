// Test runner: `npm run test:all` runs every test, also those that `npm test` leaves out.
// `.ci/run` calls it.
import { findBrowser } from '../harness/browser.ts';
import { installTools } from '../harness/tools.ts';
import { seedOfRun } from './seed.ts';
import { runStages } from './stages.ts';

const hasTools = installTools();
const browser = await findBrowser();
const seed = seedOfRun();
console.log(`first seed of the simulations: ${seed}`);
console.log(`browser of the end-to-end tests: ${browser.origin}`);

const code = await runStages(
  'all',
  [
    {
      name: 'unit, contract and faults',
      runner: 'vitest',
      args: [],
      environment: {
        BAROGRAPH_TESTS: 'all',
        BAROGRAPH_SIMULATION_SECONDS: '300',
        BAROGRAPH_SEED: seed,
        BAROGRAPH_PACKAGES: '1',
        // Cases of each property: of past-breach the two known ones, and a random one. The nights try sixty.
        BAROGRAPH_SAMPLES: '3',
        BAROGRAPH_TEST_REQUESTS: '1000',
      },
    },
    {
      name: 'end to end, every screen',
      runner: 'playwright',
      args: ['--retries=1'],
      environment: { BAROGRAPH_TESTS: 'all' },
    },
  ],
  true,
);
process.exitCode = hasTools ? code : 1;
