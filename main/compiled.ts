// Main: caches compiled sources in dist/, so that types are stripped once and not at every start.
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Call it in every thread before it loads its program. Built programs do not need it. Without write access
 * nothing is cached.
 */
export function keepCompiled(): void {
  if (!import.meta.filename.endsWith('.ts')) return;
  // The folder is our own, because files in it are executed, and Node's default folder is shared.
  const folder = join(import.meta.dirname, '..', 'dist', 'compiled');
  enableCompileCache(folder);
  if (isMainThread) forgetOtherVersions(folder);
}

/** Deletes the folders of other versions of Node ("v24.21.0-x64-..."), which are not read again. */
export function forgetOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder))
      if (!name.startsWith(`${process.version}-`)) rmSync(join(folder, name), { recursive: true, force: true });
  } catch {
    // The folder is missing or belongs to another user: a cache must not prevent a start.
  }
}
