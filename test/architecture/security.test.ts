// Test: docs/security.md is true: every test that it names as its proof exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOP } from './files.ts';

const page = readFileSync(join(TOP, 'docs', 'security.md'), 'utf8');
/** Last cells of the rows that end in a path and a title: `path` "title" |. */
const witnesses = [...page.matchAll(/\| `([^`]+\.(?:test|spec)\.ts)` "(.+)" \|$/gm)].map(
  ([, path = '', title = '']) => ({ path, title }),
);

test('every claim names a test', () => {
  expect(witnesses.length).toBeGreaterThan(30);
  const claims = page.split('\n').filter((line) => /^\|.*\.(test|spec)\.ts`/.test(line));
  expect(claims).toHaveLength(witnesses.length);
});

test('every test that is named exists', () => {
  const missing = witnesses.filter(
    ({ path, title }) => !existsSync(join(TOP, path)) || !readFileSync(join(TOP, path), 'utf8').includes(title),
  );
  expect(missing).toEqual([]);
});
