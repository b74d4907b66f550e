// Test runner: `npm test` runs unit tests, the contract, and end-to-end tests in a real browser.
// It takes two and a half minutes on two idle cores.
// Tests that take long (`*.long.test.ts`, the tag `long` or @long) run with `npm run test:all`.
import { findBrowser, hasSystemBrowser } from '../harness/browser.ts';
import { installTools } from '../harness/tools.ts';
import { runStages } from './stages.ts';

if (!hasSystemBrowser() || process.env.BAROGRAPH_TEST_BROWSER === 'npm') installTools();
const browser = await findBrowser();
console.log(`browser of the end-to-end tests: ${browser.origin}`);

process.exitCode = await runStages(
  'test',
  [
    { name: 'unit and contract', runner: 'vitest', args: ['--tags-filter=!long'] },
    {
      name: 'end to end',
      runner: 'playwright',
      args: ['--grep-invert', '@long'],
      environment: { BAROGRAPH_TESTS: 'short' },
    },
  ],
  true,
);
