// Test runner: the last line of `.ci/run`: the sum over `npm run check`, `npm test` and `npm run test:long`, from what each left in test-results.
// Steps of the check that pass are no tests and are not counted; one that fails is a failure. What left nothing behind has failed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { addTallies, type Tally, tallyLine } from './reports.ts';

const RESULTS = join(import.meta.dirname, '..', '..', 'test-results');
const TallySchema = z.object({ passed: z.number(), failed: z.number(), skipped: z.number() });
const CheckSchema = z.object({ steps: z.array(z.object({ ok: z.boolean() })) });
const LOST: Tally = { passed: 0, failed: 1, skipped: 0 };

function read<Schema extends z.ZodType>(schema: Schema, ...path: string[]): z.output<Schema> | null {
  const file = join(RESULTS, ...path);
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

const check = read(CheckSchema, 'check.json');
const sum = addTallies([
  check === null ? LOST : { passed: 0, failed: check.steps.filter((step) => !step.ok).length, skipped: 0 },
  read(TallySchema, 'test', 'tally.json') ?? LOST,
  read(TallySchema, 'long', 'tally.json') ?? LOST,
]);
console.log(tallyLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;
