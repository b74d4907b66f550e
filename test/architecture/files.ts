// Test: the source files of the repository, for the rules about files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const TOP = join(import.meta.dirname, '..', '..');

/** The top folders that hold sources. */
export const SOURCE_FOLDERS = [
  'shared',
  'client',
  'conformance',
  'sdk',
  'service',
  'main',
  'preload',
  'renderer',
  'test',
] as const;

/** A file passes the limit when it has more lines than this. */
export const MAX_LINES = 450;

const SOURCE = /\.(ts|tsx|mjs|css)$/;

/** Paths of all sources below `folders` of `root`, relative to it, in order. */
export function sourceFiles(root: string, folders: readonly string[] = SOURCE_FOLDERS): string[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/(^|\/)(node_modules|dist|out)\//.test(path))
    .sort();
}

/** Lines of a text as an editor counts them: a last newline starts no line. */
export const lineCount = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** One line per source file that is too long. */
export function overlongFiles(root: string): string[] {
  return sourceFiles(root)
    .map((path) => ({ path, lines: lineCount(readFileSync(join(root, path), 'utf8')) }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines; the limit is ${MAX_LINES}. Give each thing that it does a file of its own.`,
    );
}
