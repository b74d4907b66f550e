// Test: what cannot be a file or a folder of Barograph is named, with its cure; what is missing is no problem.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/harness/folders.ts';
import { fileProblems } from './file-problems.ts';

test('a file in place of a profile, and folders in place of files, are named with their cure; missing ones are not', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder.path, 'profiles/desk/relay.sqlite'), { recursive: true });
  mkdirSync(join(folder.path, 'notifications.jsonl'));
  writeFileSync(join(folder.path, 'profiles/other'), '');
  const problems = fileProblems(folder.path, ['desk', 'other', 'new']);
  folder.remove();
  expect(problems.map(({ found, cure }) => `${found.replace(folder.path, '')}: ${cure}`)).toEqual([
    '/profiles/other is no folder: Move it away.',
    '/notifications.jsonl is a folder, not a regular file: Move it away.',
    '/profiles/desk/relay.sqlite is a folder, not a regular file: Move it away.',
  ]);
});
