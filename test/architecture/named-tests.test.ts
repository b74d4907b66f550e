// Test: every promise on certain pages of docs/ names a test, and each of these tests exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOP } from './files.ts';

interface Row {
  readonly text: string;
  readonly first: string;
  readonly path: string;
  readonly title: string;
}

/** Rows of the page's tables that end in a path and a title: `path` "title" |; empty where a row does not. */
function rowsOf(page: string): Row[] {
  const lines = readFileSync(join(TOP, 'docs', page), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith('| '))
    .map((text) => {
      const [, first = '', path = '', title = ''] =
        /^\| ([^|]*?) ?\|(?:.*\|)? `([^`]+\.(?:test|spec)\.tsx?)` "(.+)" \|$/.exec(text.replace(/^\| \|/, '|  |')) ??
        [];
      return { text, first, path, title };
    });
}

const isMissing = ({ path, title }: Row): boolean =>
  path === '' || !existsSync(join(TOP, path)) || !readFileSync(join(TOP, path), 'utf8').includes(title);

test.each([
  ['security.md', 30],
  ['failure-modes.md', 20],
  ['trader-acceptance.md', 20],
])('every test that docs/%s names exists', (page, least) => {
  const named = rowsOf(page).filter(({ text }) => /\.(test|spec)\.tsx?`/.test(text));
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter(isMissing).map(({ text }) => text)).toEqual([]);
});

test('docs/failure-modes.md lists all twenty, in order, and every row names a test', () => {
  const rows = rowsOf('failure-modes.md').filter(({ text }) => !text.startsWith('| #'));
  expect(rows.filter(({ path }) => path === '').map(({ text }) => text)).toEqual([]);
  const numbers = rows.flatMap(({ first }) => (first === '' ? [] : [Number(first)]));
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
