// Test: the digest of a program changes with its files, and not with its tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/harness/folders.ts';
import { programDigest } from './program-digest.ts';

const folder = temporaryFolder();
afterEach(folder.remove);

test('the digest changes with a file of the program, and not with a test', () => {
  const write = (name: string, text: string): string => {
    mkdirSync(join(folder.path, 'engine'), { recursive: true });
    writeFileSync(join(folder.path, name), text);
    return programDigest([folder.path]);
  };
  const first = write('engine/rule.ts', 'const limit = 1;');
  expect(write('engine/rule.test.ts', 'a test')).toBe(first);
  expect(write('engine/rule.ts', 'const limit = 2;')).not.toBe(first);
  expect(write('engine/rule.ts', 'const limit = 1;')).toBe(first);
  expect(write('other.ts', '')).not.toBe(first);
});

test('the digest of this program is the same at every call', () => {
  expect(programDigest()).toBe(programDigest());
});
