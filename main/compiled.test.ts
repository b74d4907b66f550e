// Test: compiled code of other versions of Node is deleted.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../test/harness/folders.ts';
import { forgetOtherVersions } from './compiled.ts';

const folder = temporaryFolder();
afterEach(folder.remove);

test('code compiled by another version of Node is deleted; that of this version stays', () => {
  const own = [`${process.version}-x64-964aae3f-0`, `${process.version}-x64-c6808a15-1000`];
  for (const name of [...own, 'v24.0.0-x64-1f2e3d4c-0', `${process.version}0-x64-1f2e3d4c-0`]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, 'a.cache'), 'compiled');
  }
  forgetOtherVersions(folder.path);
  expect(readdirSync(folder.path).sort()).toEqual(own);
  for (const name of own) expect(readdirSync(join(folder.path, name))).toEqual(['a.cache']);
});

test('a missing folder does not throw', () => {
  expect(() => forgetOtherVersions(join(folder.path, 'none'))).not.toThrow();
});
