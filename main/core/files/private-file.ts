// Main, core: files that only their owner can read, and their atomic replacement.
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../shared/lib/result.ts';
import { dataSize } from '../../../shared/text/format.ts';
import { message, textOf } from '../../../shared/text/message.ts';

/** Something at the path of a file that cannot be that file. The message has the cure. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  readonly code = 'NOT_A_FILE';
  readonly found: string;
  constructor(found: string) {
    super(`${found}: move it away`);
    this.found = found;
  }
}

/**
 * Refuses what is not a regular file: a pipe would wait for its other end, and a device never end. A missing
 * file is none of them.
 * @throws NotAFileError
 */
export function refuseOtherKind(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new NotAFileError(`${path} is ${kindOf(found)}, not a regular file`);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/**
 * Reads a small file whole.
 * @throws NotAFileError for another kind of file, or one with more than `most` bytes
 */
export function readSmallFile(path: string, most: number): Buffer {
  refuseOtherKind(path);
  const { size } = statSync(path);
  if (size > most) throw new NotAFileError(`${path} has ${dataSize(size)}, and ${dataSize(most)} are the most`);
  return readFileSync(path);
}

const moveAway = (): string => textOf(message('file.move_away'));

export interface FileProblem {
  /** A sentence without its full stop. */
  readonly found: string;
  readonly cure: string;
}

/** Why this user cannot use the folder; null: it can, or it is missing. */
export function folderProblem(path: string): FileProblem | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isDirectory()) return { found: `${path} is no folder`, cure: moveAway() };
  return accessProblem(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Why this user cannot read and write the file; null: it can, or it is missing, or its whole disk is at fault. */
export function fileProblem(path: string): FileProblem | null {
  try {
    refuseOtherKind(path);
    return accessProblem(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    return error instanceof NotAFileError ? { found: error.found, cure: moveAway() } : null;
  }
}

function accessProblem(path: string, mode: number): FileProblem | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    if (!/^E(ACCES|PERM)/.test(messageOf(error))) return null;
    return { found: textOf(message('file.not_yours', { path })), cure: textOf(message('file.take', { path })) };
  }
}

/**
 * Opens a file that only its owner can read (0600).
 * @returns its descriptor
 * @throws NotAFileError
 */
export function openPrivateFile(path: string, flags: 'a' | 'a+' | 'wx'): number {
  refuseOtherKind(path);
  return openSync(path, flags, 0o600);
}

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
