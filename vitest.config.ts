// Unit and integration tests: projects, limits, and what `npm test` leaves out.
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Unit and integration tests. The slowest files first: a late one would run alone, other cores idle. */
const LONGEST = [
  'core-simulation',
  'conformance.long',
  'foreign-service.long',
  'cluster-simulation',
  'disk.long',
  'cluster-silence.long',
  'settings.long',
  'ledger-loss.long',
  'faulty-prices.long',
  'cluster.long',
  'app-kill.long',
  'feed-property',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const position = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found === -1 ? LONGEST.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => position(a) - position(b));
  }
}

/**
 * What `npm test` leaves out and `npm run test:all` runs: whole files here, single tests by the tag `long`.
 * Killed processes, every rule of the interface, many worlds.
 */
const LONG = process.env.BAROGRAPH_TESTS === 'all' ? [] : ['**/*.long.test.ts'];

/**
 * In `npm run test:all`, on a machine that two runners fill, a test over sockets or a page may try twice; the end of the
 * log names it. The seeds and the kills of test/faults, where one failure in many is a fault of the product, may not.
 */
const RETRIES = process.env.BAROGRAPH_TESTS === 'all' ? 1 : 0;

/**
 * Folders whose tests leave nothing behind in their process: their files share one, which saves loading all
 * modules for each. Component tests (*.test.tsx), and those of texts, share another, with one document.
 */
const COMPONENTS = 'renderer/{**/*.test.tsx,markdown/*.test.ts,features/briefings/*.test.ts}';
const SHARED_PROCESS = '{shared,client,renderer,service,main/{core,host,diagnostics},test/contract}/**/*.test.ts';
const ALL = '{shared,client,conformance,service,main,preload,renderer,test}/**/*.test.{ts,tsx}';

// Unit tests are beside their source; tests across processes are in test/.
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'isolated',
          include: [ALL],
          exclude: [...configDefaults.exclude, ...LONG, SHARED_PROCESS, COMPONENTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'shared-process',
          include: [SHARED_PROCESS],
          exclude: [...configDefaults.exclude, ...LONG, COMPONENTS],
          isolate: false,
          retry: RETRIES,
        },
      },
      {
        extends: true,
        test: {
          name: 'components',
          include: [COMPONENTS],
          environment: './test/harness/shared-document.ts',
          isolate: false,
          retry: RETRIES,
          restoreMocks: true,
          unstubGlobals: true,
        },
      },
    ],
    tags: [{ name: 'long', description: 'Takes seconds of processor time: `npm run test:all` runs it.' }],
    environment: 'node',
    setupFiles: ['test/harness/dom-setup.ts'],
    reporters: ['default'],
    // Generous: a slow or busy machine is no fault. A test has a limit of its own only where even this one is
    // too short.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Many of them wait for other processes: a worker for every core, not one less; and one more where the long ones
    // run, which wait for minutes.
    maxWorkers: availableParallelism() + (LONG.length === 0 ? 1 : 0),
    sequence: { sequencer: LongestFirst },
  },
});
