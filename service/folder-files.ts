// Service: files of a folder that somebody else fills. What lies there may be anything: a pipe, a device, a link that leads nowhere, a file without end.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** Names, sizes (bytes) and times of change; another text means another content. A file that cannot be looked at, or went away, counts as empty. */
export function fingerprintOf(folder: string, names: readonly string[]): string {
  return names
    .map((name) => {
      const stat = inspect(join(folder, name));
      return `${name} ${stat?.size ?? 0} ${stat?.mtimeMs ?? 0}`;
    })
    .join('\n');
}

function inspect(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** @throws Error saying why the file cannot be read, for people. @param most bytes @param instead what to do with a larger one */
export function readWhole(path: string, most: number, instead: string): Buffer {
  const stat = statSync(path);
  // To read a pipe or a device might never end.
  if (!stat.isFile()) throw new Error('it is no file');
  if (stat.size > most)
    throw new Error(`it is larger than ${most >= MB ? `${most / MB} MB` : `${most} bytes`}; ${instead}`);
  return readFileSync(path);
}

const MB = 1024 * 1024;
