// Test harness: temporary folders, deleted after the test.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** On the disk. */
export const temporaryFolder = (): TemporaryFolder => folderIn(realpathSync(tmpdir()));

/** In memory where the system supports it: for tests that write often and do not test disks. */
export const folderInMemory = (): TemporaryFolder =>
  folderIn(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : realpathSync(tmpdir()));

const SHARED_MEMORY = '/dev/shm';

function folderIn(parent: string): TemporaryFolder {
  const path = mkdtempSync(join(parent, 'barograph-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
