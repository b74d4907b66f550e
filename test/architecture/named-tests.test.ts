// Test: every promise on certain pages of docs/ names its test files, and each of them exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOP } from './files.ts';

const pageOf = (page: string): string => readFileSync(join(TOP, 'docs', page), 'utf8');
const testsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+\.(?:test|spec)\.tsx?)`/g)].flatMap(([, path]) => path ?? []);

test.each([
  ['security.md', 30],
  ['failure-modes.md', 60],
  ['trader-acceptance.md', 20],
])('every test that docs/%s names exists', (page, least) => {
  const named = testsIn(pageOf(page));
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter((path) => !existsSync(join(TOP, path)))).toEqual([]);
});

test('docs/failure-modes.md lists all twenty, in order, and every failure names a test', () => {
  const failures = pageOf('failure-modes.md')
    .split('\n\n')
    .filter((text) => text.startsWith('**'));
  expect(failures.filter((text) => testsIn(text).length === 0)).toEqual([]);
  const numbers = failures.flatMap((text) => /^\*\*(\d+)\./.exec(text)?.[1] ?? []);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 1)));
});
