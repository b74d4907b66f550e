// All processes started from sources: bounds the memory of malloc, and caches compiled sources in dist/, so that
// types are stripped once and not at every start. Preloaded by the scripts of package.json; threads inherit that.
// It is JavaScript because a TypeScript file before the cache would load Node's type stripper: 16 MB, 60 ms.
import { readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// glibc keeps freed memory in an arena for each of its threads: 20 to 30 MB of the app. It reads its bound at the
// start, so this process replaces itself: same id, same streams, 30 ms. A channel to a parent would be lost.
if (
  process.platform === 'linux' &&
  isMainThread &&
  process.env.MALLOC_ARENA_MAX === undefined &&
  process.send === undefined
)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    MALLOC_ARENA_MAX: '2',
  });

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
