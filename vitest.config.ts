import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, longest first: one that begins last would run alone, with the other cores idle. */
const LONGEST = [
  'core-simulation',
  'conformance',
  'app-kill',
  'relay-service',
  'sandbox',
  'command',
  'service-kill',
  'node-shell',
  'keyring',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found === -1 ? LONGEST.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => place(a) - place(b));
  }
}

// Unit tests stand beside their source; what crosses a process is in test/ and says so by its folder.
export default defineConfig({
  test: {
    include: ['{shared,client,service,main,preload,renderer,test}/**/*.test.{ts,tsx}'],
    environment: 'node',
    reporters: ['default'],
    testTimeout: 20_000,
    // Many of them wait for other processes: a worker for every core, not one less.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
  },
});
