// Test: the counts in the last line of `.ci/run` are honest, and no failure is missing in the sum.
import { expect, test } from 'vitest';
import {
  addTallies,
  attemptsIn,
  playwrightFiles,
  playwrightTally,
  readTally,
  tallyLine,
  vitestTally,
} from './reports.ts';

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  success: true,
  testResults: [
    {
      name: 'ledger.test.ts',
      status: 'passed',
      assertionResults: [
        { fullName: 'keeps', status: 'passed' },
        { fullName: 'waits (not run: only on Linux) long', status: 'skipped' },
      ],
    },
  ],
};
const playwright = { stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 2 }, errors: [], suites: [] };

test('passed, failed and skipped tests are counted as the runners report them', () => {
  const none = { failed: 0, failures: [], unstable: [] };
  expect(vitestTally(vitest)).toEqual({ ...none, passed: 3, skipped: 1, reasons: ['only on Linux'] });
  expect(playwrightTally(playwright)).toEqual({ ...none, passed: 4, skipped: 2, reasons: [] });
});

test('what tests attempted is added up over files', () => {
  const tests = [{ kills: 40 }, { seeds: 20, kills: 3 }, undefined].map((attempts) => ({
    fullName: 'one',
    status: 'passed',
    meta: { attempts },
  }));
  const file = { name: 'one.test.ts', status: 'passed', assertionResults: tests };
  expect(attemptsIn({ ...vitest, testResults: [file, file] })).toEqual({ kills: 86, seeds: 40 });
});

test('a file that does not load counts as a failure, beside failed tests', () => {
  const broken = { name: 'broken.test.ts', status: 'failed', message: 'no such module', assertionResults: [] };
  const one = {
    fullName: 'the ledger keeps',
    status: 'failed',
    failureMessages: ['\u001b[31mexpected 1\u001b[39m\nto be 2'],
  };
  const failing = { name: 'ledger.test.ts', status: 'failed', assertionResults: [one] };
  const tally = vitestTally({ ...vitest, success: false, numFailedTests: 1, testResults: [broken, failing] });
  expect(tally.failed).toBe(2);
  expect(tally.failures).toEqual([
    'broken.test.ts\n    no such module',
    'ledger.test.ts: the ledger keeps\n    expected 1\n    to be 2',
  ]);
});

test('an error outside all tests counts as a failure', () => {
  expect(vitestTally({ ...vitest, success: false }).failed).toBe(1);
  expect(playwrightTally({ ...playwright, errors: [{ message: 'no such file' }] }).failed).toBe(1);
});

test('a test that passed only at the second attempt is named', () => {
  const late = { fullName: 'the ledger keeps', status: 'passed', failureMessages: ['expected 1'] };
  const file = { name: 'ledger.test.ts', status: 'passed', assertionResults: [late] };
  expect(vitestTally({ ...vitest, testResults: [file] })).toMatchObject({
    passed: 3,
    unstable: ['ledger.test.ts: the ledger keeps\n    expected 1'],
  });
  const results = [{ error: { message: 'not visible' } }, {}];
  const spec = { title: 'turns a page', file: 'briefings.spec.ts', tests: [{ status: 'flaky', results }] };
  const report = { ...playwright, stats: { ...playwright.stats, flaky: 1 }, suites: [{ specs: [spec] }] };
  expect(playwrightTally(report)).toMatchObject({
    passed: 5,
    failed: 0,
    failures: [],
    unstable: ['briefings.spec.ts: turns a page\n    not visible'],
  });
});

test('a failure in a browser is named at any depth of suites', () => {
  const spec = {
    title: 'turns a page',
    file: 'briefings.spec.ts',
    tests: [{ status: 'unexpected', results: [{ error: { message: 'not visible' } }] }],
  };
  const passed = { title: 'opens', file: 'briefings.spec.ts', tests: [{ status: 'expected', results: [{}] }] };
  const report = {
    ...playwright,
    stats: { ...playwright.stats, unexpected: 1 },
    suites: [{ specs: [passed], suites: [{ specs: [spec] }] }],
  };
  expect(playwrightTally(report).failures).toEqual(['briefings.spec.ts: turns a page\n    not visible']);
});

test('a runner that left no report has failed', () => {
  expect(readTally('no/such/report.json', vitestTally)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
});

test('the line counts skipped tests only where there are some', () => {
  expect(tallyLine(addTallies([vitestTally(vitest), playwrightTally(playwright)]))).toBe(
    '7 passed, 0 failed, 3 skipped',
  );
  expect(tallyLine({ passed: 7, failed: 1, skipped: 0 })).toBe('7 passed, 1 failed');
});

test('the tests of a browser are counted by file, with the reasons of those that were skipped', () => {
  const spec = (file: string, status: string, reason?: string) => ({
    title: 'opens',
    file,
    tests: [
      { status, results: [{}], annotations: reason === undefined ? [] : [{ type: 'skip', description: reason }] },
    ],
  });
  const specs = [
    spec('briefings.spec.ts', 'expected'),
    spec('briefings.spec.ts', 'unexpected'),
    spec('electron.spec.ts', 'skipped', 'no display'),
    spec('electron.spec.ts', 'skipped', 'no display'),
  ];
  const report = { ...playwright, suites: [{ specs: specs.slice(0, 1), suites: [{ specs: specs.slice(1) }] }] };
  expect(playwrightTally(report).reasons).toEqual(['no display', 'no display']);
  expect(playwrightFiles(report)).toEqual([
    { file: 'briefings.spec.ts', passed: 1, failed: 1, skipped: 0, reasons: [] },
    { file: 'electron.spec.ts', passed: 0, failed: 0, skipped: 2, reasons: ['no display'] },
  ]);
});
