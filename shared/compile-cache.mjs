// All processes started from sources: caches compiled sources in dist/, so that types are stripped once and not
// at every start. Preloaded by the scripts of package.json; its threads inherit that. It is JavaScript because a
// TypeScript file before the cache would load Node's type stripper: 16 MB, 60 ms.
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// The folder is our own, because files in it are executed, and Node's default folder is shared.
const folder = join(import.meta.dirname, '..', 'dist', 'compiled');
enableCompileCache(folder);
try {
  // Folders of other versions of Node ("v24.21.0-x64-...") are not read again.
  for (const name of isMainThread ? readdirSync(folder) : [])
    if (!name.startsWith(`${process.version}-`)) rmSync(join(folder, name), { recursive: true, force: true });
} catch {
  // The folder is missing or belongs to another user: a cache must not prevent a start.
}
