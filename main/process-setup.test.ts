// Test: what is set up before a program of sources runs.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test/harness/folders.ts';

const folder = temporaryFolder();
afterEach(folder.remove);

/** Runs a program with an argument. @returns what it prints: its argument, and the bound of malloc */
function run(): string {
  mkdirSync(join(folder.path, 'main'), { recursive: true });
  const preload = join(folder.path, 'main', 'process-setup.mjs');
  copyFileSync(join(import.meta.dirname, 'process-setup.mjs'), preload);
  const program = join(folder.path, 'program.ts');
  writeFileSync(
    program,
    'const said: string[] = process.argv.slice(2); console.log(said, process.env.MALLOC_ARENA_MAX);',
  );
  const env = { PATH: process.env.PATH };
  return execFileSync(process.execPath, ['--import', preload, program, 'an argument'], { encoding: 'utf8', env });
}

const RAN = `[ 'an argument' ] ${process.platform === 'linux' ? '2' : 'undefined'}\n`;

test('code compiled by another version of Node is deleted; that of this version stays', () => {
  const compiled = join(folder.path, 'dist', 'compiled');
  const own = [`${process.version}-x64-964aae3f-0`, `${process.version}-x64-c6808a15-1000`];
  const others = ['v24.0.0-x64-1f2e3d4c-0', `${process.version}0-x64-1f2e3d4c-0`];
  for (const name of [...own, ...others]) {
    mkdirSync(join(compiled, name), { recursive: true });
    writeFileSync(join(compiled, name, 'a.cache'), 'compiled');
  }
  expect(run()).toBe(RAN);
  const left = readdirSync(compiled);
  expect(left).toEqual(expect.arrayContaining(own));
  expect(left.filter((name) => others.includes(name))).toEqual([]);
});

test('a program runs where nothing can be cached', () => {
  mkdirSync(folder.path, { recursive: true });
  // A file in the place of the folder.
  writeFileSync(join(folder.path, 'dist'), '');
  expect(run()).toBe(RAN);
});
