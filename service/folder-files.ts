// Service: reads files of folders that users fill.
// An entry may be a pipe, a device, a broken link or an endless file.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
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
  const file = openDated(path);
  try {
    if (file.size > most) throw new Error(tooLarge(most, instead));
    return file.read(0, file.size);
  } finally {
    file.close();
  }
}

export const tooLarge = (most: number, instead: string): string =>
  `it is larger than ${most >= MB ? `${most / MB} MB` : `${most} bytes`}; ${instead}`;

export interface DatedFile {
  readonly size: number;
  /** Wall ms of the last write. What is written meanwhile counts as older. */
  readonly writtenAt: number;
  /** @throws Error where the file is shorter now */
  readonly read: (from: number, length: number) => Buffer;
  readonly close: () => void;
}

/** Opens a file that is read in parts. @throws Error with a reason for people */
export function openDated(path: string): DatedFile {
  const stat = statSync(path);
  // Opening or reading a pipe or a device might never end.
  if (!stat.isFile()) throw new Error('it is no file');
  const descriptor = openSync(path, 'r');
  return {
    size: stat.size,
    writtenAt: stat.mtimeMs,
    read(from, length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(descriptor, bytes, done, length - done, from + done);
        if (read === 0) throw new Error('it became shorter while it was read');
        done += read;
      }
      return bytes;
    },
    close: () => closeSync(descriptor),
  };
}

const MB = 1024 * 1024;
