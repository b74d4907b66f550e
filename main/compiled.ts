// Main: what runs from its sources is stripped of its types and compiled once, not at every start; what came of it is kept in dist/.
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** To be called in every thread, before it loads what it is for. What is built needs none of it. Where nothing can be written, nothing is kept. */
export function keepCompiled(): void {
  if (!import.meta.filename.endsWith('.ts')) return;
  // Not in the folder of all users that Node would take: what lies there is run.
  const folder = join(import.meta.dirname, '..', 'dist', 'compiled');
  enableCompileCache(folder);
  if (isMainThread) forgetOtherVersions(folder);
}

/** Node keeps its own in a folder "v24.21.0-x64-..." each; what another version left is never read again. */
export function forgetOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder))
      if (!name.startsWith(`${process.version}-`)) rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // It is not there yet, or not ours to change: a cache must not keep anything from starting.
  }
}
