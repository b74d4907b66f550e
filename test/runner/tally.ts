// Test runner: prints the end of `.ci/run`: the sum of `npm run check` and `npm run test:all`.
// Passed steps of the check are not counted as tests; a failed one is a failure, and so is a missing report.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addTallies, NONE, type Tally, tallyLine } from './reports.ts';

const RESULTS = join(import.meta.dirname, '..', '..', 'test-results');
const TallySchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  failures: z.array(z.string()),
  unstable: z.array(z.string()),
  reasons: z.array(z.string()),
});
const CheckSchema = z.object({ steps: z.array(z.object({ name: z.string(), ok: z.boolean(), details: z.string() })) });
const lost = (what: string): Tally => ({ ...NONE, failed: 1, failures: [`${what} left no report`] });

function read<Schema extends z.ZodType>(schema: Schema, ...path: string[]): z.output<Schema> | null {
  const file = join(RESULTS, ...path);
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function checkTally(): Tally {
  const failed = read(CheckSchema, 'check.json')?.steps.filter((step) => !step.ok);
  if (failed === undefined) return lost('npm run check');
  return {
    ...NONE,
    failed: failed.length,
    failures: failed.map(({ name, details }) => `${name}\n${details}`),
  };
}

const sum = addTallies([checkTally(), read(TallySchema, 'all', 'tally.json') ?? lost('npm run test:all')]);
// Readers begin at the end of a log, and sometimes only the end is kept.
for (const test of sum.unstable) console.log(`UNSTABLE, passed at the second attempt: ${test}\n`);
for (const failure of sum.failures) console.log(`FAILED ${failure}\n`);
console.log(tallyLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;
