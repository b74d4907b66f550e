// Test: sources are compiled once; compiled code of other versions of Node is deleted.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test/harness/folders.ts';

const folder = temporaryFolder();
afterEach(folder.remove);

function run(): string {
  mkdirSync(join(folder.path, 'shared'), { recursive: true });
  const preload = join(folder.path, 'shared', 'compile-cache.mjs');
  copyFileSync(join(import.meta.dirname, 'compile-cache.mjs'), preload);
  const program = join(folder.path, 'program.ts');
  writeFileSync(program, "const text: string = 'ran'; process.stdout.write(text);");
  return execFileSync(process.execPath, ['--import', preload, program], { encoding: 'utf8' });
}

test('code compiled by another version of Node is deleted; that of this version stays', () => {
  const compiled = join(folder.path, 'dist', 'compiled');
  const own = [`${process.version}-x64-964aae3f-0`, `${process.version}-x64-c6808a15-1000`];
  const others = ['v24.0.0-x64-1f2e3d4c-0', `${process.version}0-x64-1f2e3d4c-0`];
  for (const name of [...own, ...others]) {
    mkdirSync(join(compiled, name), { recursive: true });
    writeFileSync(join(compiled, name, 'a.cache'), 'compiled');
  }
  expect(run()).toBe('ran');
  const left = readdirSync(compiled);
  expect(left).toEqual(expect.arrayContaining(own));
  expect(left.filter((name) => others.includes(name))).toEqual([]);
});

test('a program runs where nothing can be cached', () => {
  mkdirSync(folder.path, { recursive: true });
  // A file in the place of the folder.
  writeFileSync(join(folder.path, 'dist'), '');
  expect(run()).toBe('ran');
});
