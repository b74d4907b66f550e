// Test: docs/failure-modes.md names a test for each of its twenty failures, and each one exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOP } from './files.ts';

const rows = readFileSync(join(TOP, 'docs', 'failure-modes.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| #'));
const witnesses = rows.map((row) => {
  const [, number = '', path = '', title = ''] =
    /^\| (\d*) ?\|.*\| `([^`]+\.(?:test|spec)\.ts)` "(.+)" \|$/.exec(row) ?? [];
  return { row, number, path, title };
});

test('the page lists all twenty, in order, each with its remedy', () => {
  expect(witnesses.flatMap(({ number }) => (number === '' ? [] : [Number(number)]))).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
});

test('every row names a test that exists', () => {
  const missing = witnesses.filter(
    ({ path, title }) =>
      path === '' || !existsSync(join(TOP, path)) || !readFileSync(join(TOP, path), 'utf8').includes(title),
  );
  expect(missing.map(({ row }) => row)).toEqual([]);
});
