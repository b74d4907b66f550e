// Test: ARCHITECTURE.md lists every folder with sources, and no other.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles, TOP } from './files.ts';

/** The first cell of every row of a table, where it is a path: `| \`main/core/\` | ...`. */
const listed = [...readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([^`|]+)\/` \|/gm)].map(
  ([, path = '']) => path,
);

test('the map lists folders, each once', () => {
  expect(listed.length).toBeGreaterThan(20);
  expect(listed).toEqual([...new Set(listed)]);
});

test('every folder that it lists exists', () => {
  expect(listed.filter((path) => !existsSync(join(TOP, path)) || !statSync(join(TOP, path)).isDirectory())).toEqual([]);
});

test('every folder that holds sources is listed', () => {
  const folders = new Set(sourceFiles(TOP).map(dirname));
  expect([...folders].filter((path) => !listed.includes(path))).toEqual([]);
});
