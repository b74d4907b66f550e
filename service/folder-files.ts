// Service: reads files of folders that users fill.
// An entry may be a pipe, a device, a broken link or an endless file.
import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names, sizes (bytes) and modification times; a different text means different content. Unreadable and
 * missing files count as empty.
 */
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

/**
 * @throws Error with a reason for people when the file cannot be read
 * @param most bytes
 * @param instead advice for a larger file
 */
export function readWhole(path: string, most: number, instead: string): Buffer {
  return readDated(path, most, instead).bytes;
}

/**
 * As `readWhole`, with the wall ms at which the file was written last. What is written meanwhile counts as
 * older.
 */
export function readDated(path: string, most: number, instead: string): { bytes: Buffer; writtenAt: number } {
  const stat = statSync(path);
  // Reading a pipe or a device might never end.
  if (!stat.isFile()) throw new Error('it is no file');
  if (stat.size > most)
    throw new Error(`it is larger than ${most >= MB ? `${most / MB} MB` : `${most} bytes`}; ${instead}`);
  return { bytes: readFileSync(path), writtenAt: stat.mtimeMs };
}

const MB = 1024 * 1024;
