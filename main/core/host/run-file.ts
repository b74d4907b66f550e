// Main, core: run.json in the data folder: how other programs of the same user find the running app.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './data-folder.ts';

export const RunFileSchema = z.object({
  pid: z.number().int().positive(),
  /** Where the app answers; null in the desktop shell, which opens no port. */
  address: z.url().nullable(),
  /** Lets its reader open a window (POST /open). */
  control: z.string().nullable(),
  /** The embedded sandbox service and a key for it; null where it is not running. */
  sandbox: z.object({ url: z.url(), key: z.string() }).nullable(),
  /** The profile that the first window shows. */
  profile: z.string(),
});
export type RunFile = z.infer<typeof RunFileSchema>;

const pathOf = (dataFolder: string): string => join(dataFolder, 'run.json');

export const writeRunFile = (dataFolder: string, run: RunFile): void =>
  replaceFile(pathOf(dataFolder), `${JSON.stringify(RunFileSchema.parse(run), null, 2)}\n`);

/** Takes it away, if it is still ours. */
export function removeRunFile(dataFolder: string): void {
  if (readRunFile(dataFolder)?.pid === process.pid) rmSync(pathOf(dataFolder), { force: true });
}

/** @returns null where no app is running: no file, not readable, or left behind by a process that is gone */
export function readRunFile(dataFolder: string): RunFile | null {
  try {
    const run = RunFileSchema.parse(JSON.parse(readFileSync(pathOf(dataFolder), 'utf8')));
    return isAlive(run.pid) ? run : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: there is such a process, of another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
