// Test: the counts of the last line of `.ci/run` are honest: nothing that failed vanishes from the sum.
import { expect, test } from 'vitest';
import { addTallies, playwrightTally, readTally, tallyLine, vitestTally } from './reports.ts';

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  success: true,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'skipped' }] }],
};
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 2 }, errors: [] };

test('what passed, failed and was skipped is counted as the runners report it', () => {
  expect(vitestTally(vitest)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  expect(playwrightTally(playwright)).toEqual({ passed: 4, failed: 0, skipped: 2 });
});

test('a file that does not load counts as a failure, beside the tests that failed', () => {
  const broken = { status: 'failed', assertionResults: [] };
  const failing = { status: 'failed', assertionResults: [{ status: 'failed' }] };
  expect(vitestTally({ ...vitest, success: false, numFailedTests: 1, testResults: [broken, failing] }).failed).toBe(2);
});

test('an error outside all tests counts as a failure', () => {
  expect(vitestTally({ ...vitest, success: false }).failed).toBe(1);
  expect(playwrightTally({ ...playwright, errors: [{ message: 'no such file' }] }).failed).toBe(1);
});

test('a test that passed at the second try only counts as failed', () => {
  expect(playwrightTally({ ...playwright, stats: { ...playwright.stats, flaky: 1 } }).failed).toBe(1);
});

test('a runner that left no report has failed', () => {
  expect(readTally('no/such/report.json', vitestTally)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('the line names what was skipped only when something was', () => {
  expect(tallyLine(addTallies([vitestTally(vitest), playwrightTally(playwright)]))).toBe('7 passed, 0 failed, 3 skipped');
  expect(tallyLine({ passed: 7, failed: 1, skipped: 0 })).toBe('7 passed, 1 failed');
});
