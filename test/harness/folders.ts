// Test harness: folders that are gone after the test.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(realpathSync(tmpdir()), 'barograph-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
