// Service: whether the files of a folder changed since they were read, told without reading them again.
import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Names, sizes (bytes) and times of change; another text means another content. A file that went away meanwhile counts as empty. */
export function fingerprintOf(folder: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return `${name} ${stat?.size ?? 0} ${stat?.mtimeMs ?? 0}`;
    })
    .join('\n');
}
