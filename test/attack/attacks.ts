// Attack: lists the tests that `npm run attack` runs, and the intensity of a round.
// Each of them kills, fills, damages, floods or deceives a part of the product.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP } from '../runner/stages.ts';

export interface Attack {
  /** Name of the test file without its ending. */
  readonly name: string;
  /** Path of the test file from the top of the repository. */
  readonly file: string;
  /** The first line of the file: what is attacked. */
  readonly title: string;
}

/** Test files outside test/faults that attack one part. */
const OTHERS = [
  'test/contract/garbage.test.ts',
  'test/contract/limits.test.ts',
  'test/contract/odd-requests.test.ts',
  'test/contract/overload.test.ts',
];

/** How often a round kills, simulates and asks; `npm run test:all` is the short form of the same tests. */
export const INTENSITY = {
  BAROGRAPH_TESTS: 'all',
  BAROGRAPH_KILLS: '40',
  BAROGRAPH_SIMULATION_SECONDS: '3600',
  BAROGRAPH_TEST_REQUESTS: '10000',
} as const;

const titleOf = (file: string): string =>
  (readFileSync(join(TOP, file), 'utf8').split('\n')[0] ?? '').replace(/^\/\/ (?:[A-Z]\w+: )?/, '');

/** All attacks, in the order of their names. */
export function readAttacks(): readonly Attack[] {
  const faults = readdirSync(join(TOP, 'test', 'faults'))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/faults/${file}`);
  return [...faults, ...OTHERS]
    .map((file) => ({
      name: (file.split('/').at(-1) ?? file).replace(/(?:\.long)?\.test\.ts$/, ''),
      file,
      title: titleOf(file),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
