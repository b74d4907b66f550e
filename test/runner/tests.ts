// Test runner: `npm test`: unit, contract, architecture, and beside them end to end in a real browser: each waits a good deal for what it started.
// What only looks once more at every screen in every form has the tag @long, and runs with `npm run test:long`.
import { findBrowser } from '../harness/browser.ts';
import { runStages } from './stages.ts';

const browser = await findBrowser();
console.log(`browser of the end-to-end tests: ${browser.origin}`);

process.exitCode = await runStages(
  'test',
  [
    { name: 'unit and contract', runner: 'vitest', args: [] },
    { name: 'end to end', runner: 'playwright', args: ['--grep-invert', '@long'] },
  ],
  true,
);
