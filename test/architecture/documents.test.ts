// Test: every path in backticks and every link of the documents names a file of the repository.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SOURCE_FOLDERS, sourceFiles, TOP } from './files.ts';

const DOCUMENTS = [
  'ARCHITECTURE.md',
  'README.md',
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
