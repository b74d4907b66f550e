// Test: paths and links of the documents name files of the repository; lines and cells are short.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SOURCE_FOLDERS, sourceFiles, TOP } from './files.ts';

const DOCUMENTS = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'deploy/README.md',
  ...readdirSync(join(TOP, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Files that a command writes, or that a reader is asked to write. */
const WRITTEN = ['test/bench/results.json', 'first.ts'];

const FOLDERS = new RegExp(`^(${[...SOURCE_FOLDERS, 'docs', 'assets', '\\.ci'].join('|')})/`);
const NAMES = new Set([...sourceFiles(TOP), ...DOCUMENTS].map((path) => basename(path)));
const FILE_NAME = /^[\w.-]+\.(ts|tsx|css|md)$/;

/** `a/{b,c}` as `a/b` and `a/c`. */
function expanded(path: string): string[] {
  const [whole, inner] = /\{([^}]*)\}/.exec(path) ?? [];
  return whole === undefined || inner === undefined
    ? [path]
    : inner.split(',').flatMap((part) => expanded(path.replace(whole, part)));
}

const exists = (path: string): boolean => {
  if (WRITTEN.includes(path)) return true;
  if (FOLDERS.test(path)) return globSync(path.replace(/\/$/, ''), { cwd: TOP }).length > 0;
  // A name alone: some folder has it.
  return !FILE_NAME.test(path) || NAMES.has(path) || existsSync(join(TOP, path));
};

const textOf = (document: string): string => readFileSync(join(TOP, document), 'utf8');

test.each(DOCUMENTS)('%s: paths in backticks exist', (document) => {
  const paths = [...textOf(document).matchAll(/`([\w./{},*@-]+)`/g)].map(([, path = '']) => path);
  expect(paths.flatMap(expanded).filter((path) => !path.includes('...') && !exists(path))).toEqual([]);
});

test.each(DOCUMENTS)('%s: links lead to files', (document) => {
  const links = [...textOf(document).matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(join(TOP, dirname(document), path)))).toEqual([]);
});

test.each(DOCUMENTS)('%s: prose ends at 110 columns, and a cell of a table has at most 200 characters', (document) => {
  const lines = textOf(document)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .split('\n');
  // A long command or address stays in one piece; a step of the flow is one line.
  const isLong = (line: string): boolean =>
    line.length > 110 && !/^(\||!\[|\d+\. )|`[^`]{60,}`|\([^)]{60,}\)/.test(line);
  const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.split(/(?<!\\)\|/));
  expect([...lines.filter(isLong), ...cells.filter((cell) => cell.trim().length > 200)]).toEqual([]);
});
