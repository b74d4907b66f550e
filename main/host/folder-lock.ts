// Main, host: the lock of a data folder or a profile's folder. It ends with its process.
import { join } from 'node:path';
import { z } from 'zod';
import type { Cancel } from '../../shared/lib/clock.ts';
import { isLocked, lockFile } from '../core/files/file-lock.ts';
import { readSmallFile, replaceFile } from '../core/files/private-file.ts';
import { isDamage, isUnwritable } from '../core/files/sqlite-file.ts';

/** Most bytes of lock.json. */
const MAX_SIZE = 64 * 1024;

const HolderSchema = z.object({ pid: z.number().int().positive(), program: z.string() });
/** The known data of a lock's holder. */
export type Holder = z.infer<typeof HolderSchema>;

export const nameOf = (holder: Holder | null): string =>
  holder === null ? 'unknown' : `${holder.program}, process ${holder.pid}`;

export type LockOutcome =
  | { readonly held: true; readonly release: Cancel }
  | { readonly held: false; readonly holder: Holder | null };

/**
 * Takes the lock of the folder. In a folder that cannot be written, the program goes on without a lock.
 * @param program name of the holder for other programs: "the app", "listen"
 * @param wait for a holder that is ending, ms; it blocks the process
 */
export function lockFolder(folder: string, program: string, wait = 0): LockOutcome {
  const holderFile = join(folder, 'lock.json');
  let release: Cancel;
  try {
    release = lockFile(join(folder, 'lock.sqlite'), wait);
  } catch (error) {
    if (isLocked(error)) return { held: false, holder: readHolder(holderFile) };
    if (isDamage(error)) throw new Error(`${join(folder, 'lock.sqlite')} is damaged: remove it`);
    if (!isUnwritable(error)) throw error;
    return { held: true, release: () => undefined };
  }
  try {
    replaceFile(holderFile, JSON.stringify({ pid: process.pid, program } satisfies Holder));
  } catch (error) {
    if (!isUnwritable(error)) {
      release();
      throw error;
    }
  }
  return { held: true, release };
}

/** Whether another program has the lock of the folder now. */
export function isFolderLocked(folder: string): boolean {
  try {
    lockFile(join(folder, 'lock.sqlite'), 0)();
    return false;
  } catch (error) {
    return isLocked(error);
  }
}

function readHolder(path: string): Holder | null {
  try {
    return HolderSchema.parse(JSON.parse(readSmallFile(path, MAX_SIZE).toString()));
  } catch {
    return null;
  }
}
