// Service, checkpoint: tells one program from another, because a version stays the same between two releases.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** From sources: service and shared. Built: the folder of the build. */
const FOLDERS = import.meta.filename.endsWith('.ts')
  ? [join(import.meta.dirname, '..'), join(import.meta.dirname, '..', '..', 'shared')]
  : [import.meta.dirname];

/** A digest of the program's files, some 20 ms: what another program computed is not used. */
export function programDigest(folders: readonly string[] = FOLDERS): string {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(ts|js)$/.test(name) && !name.endsWith('.test.ts'))
        hash
          .update(name)
          .update('\0')
          .update(readFileSync(join(folder, name)));
  return hash.digest('base64url').slice(0, 22);
}
