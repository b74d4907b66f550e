// Test: no file names a path of one machine, a package registry, or the number of a ticket.
// The text of the repository is about the product alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles, TOP } from './files.ts';

const BARRED: Record<string, RegExp> = {
  'a path of one machine': /(?<![\w.~}/-])\/(work|root|Users|mnt|private)\/\w/,
  'the address of a package registry': /https?:\/\/[\w.-]*(registry|artifactory|verdaccio|npmjs\.org|npmmirror)[\w.-]*/,
  'the number of a ticket': /\bissues? #?\d+\b/i,
};

const TEXT = /\.(md|ya?ml|json|jsonc|html|css|svg|ts)$|^(LICENSE|NOTICE|\.npmrc|\.gitignore)$/;

function texts(): string[] {
  const top = readdirSync(TOP, { withFileTypes: true }).filter((entry) => entry.isFile() && TEXT.test(entry.name));
  const docs = readdirSync(join(TOP, 'docs'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const ci = readdirSync(join(TOP, '.ci')).map((name) => join('.ci', name));
  return [
    ...sourceFiles(TOP),
    ...top.map((entry) => entry.name),
    ...docs.map((entry) => join(entry.parentPath, entry.name).slice(TOP.length + 1)),
    ...ci,
  ];
}

/** `path:line` of every match. */
const matchesOf = (pattern: RegExp, files: readonly string[]): string[] =>
  files.flatMap((file) =>
    readFileSync(join(TOP, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );

test.each(Object.entries(BARRED))('no file names %s', (_, pattern) => {
  const self = join('test', 'architecture', 'forbidden-text.test.ts');
  expect(
    matchesOf(
      pattern,
      texts().filter((file) => file !== self),
    ),
  ).toEqual([]);
});

test('the patterns find what they are for', () => {
  const samples = ['see /root/data', 'from "https://registry.npmjs.org/x"', 'as in issue #12'];
  expect(samples.map((sample) => Object.values(BARRED).some((pattern) => pattern.test(sample)))).toEqual([
    true,
    true,
    true,
  ]);
});

test('every test that is skipped under a condition says why in its title', () => {
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const silent = sourceFiles(TOP).filter((file) => {
    const text = /\.test\.tsx?$/.test(file) ? readFileSync(join(TOP, file), 'utf8') : '';
    return count(text, /\.runIf\(|\.todo\(/g) > 0 || count(text, /\.skip(If)?\(/g) > count(text, /\$\{notRun\(/g);
  });
  expect(silent.filter((file) => !file.endsWith('forbidden-text.test.ts'))).toEqual([]);
});
