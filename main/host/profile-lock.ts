// Main, host: one process per profile and data folder. The lock is the operating system's, on a SQLite file: it ends with the process
// however that ends, and knows nothing of process numbers that are given to another program later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Cancel } from '../../shared/lib/clock.ts';
import { replaceFile } from '../core/files/private-file.ts';

const HolderSchema = z.object({ pid: z.number().int().positive(), program: z.string() });
/** Who holds a lock, as far as it has said so. */
export type Holder = z.infer<typeof HolderSchema>;

export const nameOf = (holder: Holder | null): string =>
  holder === null ? 'unknown' : `${holder.program}, process ${holder.pid}`;

export type LockOutcome =
  | { readonly held: true; readonly release: Cancel }
  | { readonly held: false; readonly holder: Holder | null };

/**
 * Takes the lock of the profile whose folder this is.
 * @param program what the holder is called when somebody else asks: "the app", "listen"
 */
export function lockProfile(folder: string, program: string): LockOutcome {
  const holderFile = join(folder, 'lock.json');
  const lock = new Database(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    return { held: false, holder: readHolder(holderFile) };
  }
  replaceFile(holderFile, JSON.stringify({ pid: process.pid, program } satisfies Holder));
  let released = false;
  return {
    held: true,
    release: () => {
      if (released) return;
      released = true;
      lock.close();
    },
  };
}

function readHolder(path: string): Holder | null {
  try {
    return HolderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
