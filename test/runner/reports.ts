// Test runner: how many tests passed, failed and were skipped, read from the JSON reports that the runners themselves write.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const VitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  success: z.boolean(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

const PlaywrightSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/** A file that failed before any of its tests ran is one failure: it must not vanish from the sum. */
export function vitestTally(report: unknown): Tally {
  const read = VitestSchema.parse(report);
  const dead = read.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length;
  const failed = read.numFailedTests + dead;
  return {
    passed: read.numPassedTests,
    failed: read.success || failed > 0 ? failed : 1,
    skipped: read.numPendingTests + read.numTodoTests,
  };
}

/** A test that passed only at a second try has failed once, and counts as failed. */
export function playwrightTally(report: unknown): Tally {
  const { stats, errors } = PlaywrightSchema.parse(report);
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failed === 0 && errors.length > 0 ? 1 : failed, skipped: stats.skipped };
}

/** A runner that left no report did not finish: one failure. */
export function readTally(path: string, read: (report: unknown) => Tally): Tally {
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  return read(JSON.parse(readFileSync(path, 'utf8')));
}

export const addTallies = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, tally) => ({ passed: sum.passed + tally.passed, failed: sum.failed + tally.failed, skipped: sum.skipped + tally.skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  );

export const tallyLine = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
