// Test: ARCHITECTURE.md lists the folders with sources, and no other; its glossary stays short.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles, TOP } from './files.ts';

const text = readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8');

/** Folders in the first cell of every row of a table: | `main/node/`, `main/electron/` | ... */
const listed = [...text.matchAll(/^\| (`[^|]+\/`) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)\/`/g)].map(([, path = '']) => path),
);

test('the map of the folders lists each folder once', () => {
  expect(listed.length).toBeGreaterThan(20);
  expect(listed).toEqual([...new Set(listed)]);
});

test('every folder that the map lists exists', () => {
  expect(listed.filter((path) => !existsSync(join(TOP, path)) || !statSync(join(TOP, path)).isDirectory())).toEqual([]);
});

test('every folder that holds sources is on the map, or right below one that is', () => {
  const folders = new Set(sourceFiles(TOP).map(dirname));
  // Files right below these belong to the root of the window, or join what the map lists.
  const known = new Set([...listed, 'main', 'renderer']);
  expect([...folders].filter((path) => !known.has(path) && !listed.includes(dirname(path)))).toEqual([]);
});

test('the glossary has at most 20 words', () => {
  const [, glossary = ''] = text.split('## Glossary\n');
  const rows = glossary.split('\n## ')[0]?.match(/^\| .* \|$/gm) ?? [];
  expect(rows.length - 1).toBeGreaterThan(10);
  expect(rows.length - 1).toBeLessThanOrEqual(20);
});
