// Test runner: reads test counts and failures from the JSON reports of the runners themselves.
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import 'vitest';
import { z } from 'zod';
import { reasonIn } from '../harness/not-run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test attempted, by its name (`kills`, `seeds`, `requests`): `npm run attack` adds it up. */
    attempts?: Readonly<Record<string, number>>;
  }
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Failed tests with file, name and the first lines of the error, for the end of a long log. */
  readonly failures: readonly string[];
  /** Tests that failed and passed at the second attempt, told like failures. */
  readonly unstable: readonly string[];
  /** Why tests were skipped, once for each of them that has a reason. */
  readonly reasons: readonly string[];
}

const VitestSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          meta: z.object({ attempts: z.record(z.string(), z.number()).optional() }).optional(),
        }),
      ),
    }),
  ),
});

interface Suite {
  readonly specs?: readonly z.output<typeof SpecSchema>[] | undefined;
  readonly suites?: readonly Suite[] | undefined;
}

const ErrorSchema = z.object({ message: z.string().default('') });

const SpecSchema = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ error: ErrorSchema.optional() })),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })).default([]),
    }),
  ),
});

const SuiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(SpecSchema).optional(), suites: z.array(SuiteSchema).optional() }),
);

const PlaywrightSchema = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(ErrorSchema),
  suites: z.array(SuiteSchema).default([]),
});

const REASON_LINES = 12;

function failure(where: string, why: string): string {
  const lines = stripVTControlCharacters(why).trim().split('\n').slice(0, REASON_LINES);
  return [where, ...lines.map((line) => `    ${line}`)].join('\n');
}

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
    unstable: read.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status, failureMessages }) => status === 'passed' && (failureMessages ?? []).length > 0)
        .map((one) => failure(`${file.name}: ${one.fullName}`, (one.failureMessages ?? []).join('\n'))),
    ),
    reasons: read.testResults.flatMap((file) =>
      file.assertionResults.flatMap(({ fullName }) => reasonIn(fullName) ?? []),
    ),
    failures: read.testResults
      .filter((file) => file.status === 'failed')
      .flatMap((file) => {
        const tests = file.assertionResults.filter((assertion) => assertion.status === 'failed');
        if (tests.length === 0) return [failure(file.name, file.message)];
        return tests.map((one) => failure(`${file.name}: ${one.fullName}`, (one.failureMessages ?? []).join('\n')));
      }),
  };
}

/** What the tests attempted, summed by its name: `kills`, `seeds`, `requests`. */
export function attemptsIn(report: unknown): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const { assertionResults } of VitestSchema.parse(report).testResults)
    for (const { meta } of assertionResults)
      for (const [name, count] of Object.entries(meta?.attempts ?? {})) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export function playwrightTally(report: unknown): Tally {
  const { stats, errors, suites } = PlaywrightSchema.parse(report);
  const specs = suites.flatMap(specsOf);
  const tell = (status: 'unexpected' | 'flaky'): string[] =>
    specs
      .filter(({ tests }) => tests.some((one) => one.status === status))
      .map(({ file, title, tests }) => {
        const messages = tests.flatMap(({ results }) =>
          results.flatMap(({ error }) => (error === undefined ? [] : [error.message])),
        );
        return failure(`${file}: ${title}`, messages.join('\n'));
      });
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected === 0 && errors.length > 0 ? 1 : stats.unexpected,
    skipped: stats.skipped,
    unstable: tell('flaky'),
    reasons: specs.flatMap(({ tests }) => tests.flatMap(reasonsOf)),
    failures: [...tell('unexpected'), ...errors.map(({ message }) => failure('outside all tests', message))],
  };
}

const reasonsOf = ({ annotations }: z.output<typeof SpecSchema>['tests'][number]): string[] =>
  annotations.flatMap(({ type, description }) => (type === 'skip' && description ? [description] : []));

/** The tests of one file; each reason once. */
export interface FileTally extends Pick<Tally, 'passed' | 'failed' | 'skipped' | 'reasons'> {
  readonly file: string;
}

export function playwrightFiles(report: unknown): FileTally[] {
  const specs = PlaywrightSchema.parse(report).suites.flatMap(specsOf);
  return [...Map.groupBy(specs, ({ file }) => file)].map(([file, ofFile]) => {
    const tests = ofFile.flatMap((spec) => spec.tests);
    const count = (...statuses: string[]): number => tests.filter(({ status }) => statuses.includes(status)).length;
    return {
      file,
      passed: count('expected', 'flaky'),
      failed: count('unexpected'),
      skipped: count('skipped'),
      reasons: [...new Set(tests.flatMap(reasonsOf))],
    };
  });
}

const specsOf = (suite: Suite): z.output<typeof SpecSchema>[] => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(specsOf),
];

export const NONE: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], unstable: [], reasons: [] };

/** A runner that left no report did not finish: one failure. */
export function readTally(path: string, read: (report: unknown) => Tally): Tally {
  if (!existsSync(path))
    return { ...NONE, failed: 1, failures: [`${path} was not written: the runner did not finish`] };
  return read(JSON.parse(readFileSync(path, 'utf8')));
}

export const addTallies = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: sum.skipped + tally.skipped,
      failures: [...sum.failures, ...tally.failures],
      unstable: [...sum.unstable, ...tally.unstable],
      reasons: [...sum.reasons, ...tally.reasons],
    }),
    NONE,
  );

export const tallyLine = ({ passed, failed, skipped }: Pick<Tally, 'passed' | 'failed' | 'skipped'>): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
