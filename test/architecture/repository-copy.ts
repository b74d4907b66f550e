// Test: copies the repository into a temporary folder, where a test can plant a forbidden file.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SOURCE_FOLDERS, TOP } from './files.ts';

export interface RepositoryCopy {
  /** Writes a file, folders and all; the path is relative to the copy. */
  plant(path: string, text: string): void;
  /** Runs one step of `npm run check` there. */
  check(step: string): { ok: boolean; printed: string };
  remove(): void;
}

export function copyRepository(): RepositoryCopy {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'barograph-copy-'));
  for (const folder of [...SOURCE_FOLDERS, 'docs', 'deploy'])
    cpSync(join(TOP, folder), join(root, folder), { recursive: true });
  for (const entry of readdirSync(TOP, { withFileTypes: true })) {
    if (entry.isFile()) cpSync(join(TOP, entry.name), join(root, entry.name));
  }
  symlinkSync(join(TOP, 'node_modules'), join(root, 'node_modules'), 'dir');
  return {
    plant(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    check(step) {
      const run = spawnSync(process.execPath, [join(root, 'test/runner/check.ts'), '--only', step], {
        cwd: root,
        encoding: 'utf8',
      });
      return { ok: run.status === 0, printed: run.stdout + run.stderr };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
