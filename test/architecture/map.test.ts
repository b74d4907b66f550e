// Test: ARCHITECTURE.md lists every folder with sources, and no other; its prose and glossary stay short.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles, TOP } from './files.ts';

const text = readFileSync(join(TOP, 'ARCHITECTURE.md'), 'utf8');

/** The first cell of every row of a table, where it is a path: `| \`main/core/\` | ...`. */
const listed = [...text.matchAll(/^\| `([^`|]+)\/` \|/gm)].map(([, path = '']) => path);

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

test('its prose ends at 110 columns; tables, lists and pictures may be wider', () => {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '').split('\n');
  expect(prose.filter((line) => line.length > 110 && !/^(\||\d+\. )/.test(line))).toEqual([]);
});

test('its glossary has at most 20 words', () => {
  const [, glossary = ''] = text.split('## Glossary\n');
  const rows = glossary.split('\n## ')[0]?.match(/^\| .* \|$/gm) ?? [];
  expect(rows.length - 1).toBeGreaterThan(10);
  expect(rows.length - 1).toBeLessThanOrEqual(20);
});
