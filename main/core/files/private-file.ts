// Main, core: files that only their owner can read, and their atomic replacement.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Opens a file that only its owner can read (0600). @returns its descriptor */
export const openPrivateFile = (path: string, flags: 'a' | 'a+' | 'wx'): number => openSync(path, flags, 0o600);

/** Makes the file (0600) if it is missing. */
export const createPrivateFile = (path: string): void => closeSync(openPrivateFile(path, 'a'));

/** Replaces a file that only its owner can read (0600): after a crash it has the old text or the new. */
export function replaceFile(path: string, content: string | Buffer): void {
  const next = `${path}.${process.pid}.next`;
  rmSync(next, { force: true });
  const file = openPrivateFile(next, 'wx');
  try {
    // Writes all of it, or throws: one call of write may take a part.
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
  syncFolder(dirname(path));
}

/** Flushes a file that a library has written to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename or a new file in `folder` survive a power cut, where the platform can. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
