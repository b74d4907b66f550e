// Main, host: run.json in the data folder: how other programs of the same user find the running app.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Cancel } from '../../shared/lib/clock.ts';
import { replaceFile } from '../core/files/private-file.ts';

const RunFileSchema = z.object({
  pid: z.number().int().positive(),
  /** The app's address; null in the desktop shell, which opens no port. */
  address: z.url().nullable(),
  /** Secret that opens a window (POST /open). */
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

/** The public state of an application. */
export interface RunFileSource {
  readonly dataFolder: string;
  readonly shown: string;
  readonly embedded: { readonly url: string; readonly key: string } | null;
  monitor(profile: string): unknown;
  trayViews(): readonly { readonly profile: string }[];
  onTrayChanged(listener: () => void): Cancel;
}

/**
 * Writes the file, and again whenever its content changes: a profile may be turned on or off while the app
 * runs.
 * @param onTrouble receives the error when a rewrite fails
 * @returns a function that removes the file if this process owns it
 */
export function keepRunFile(
  app: RunFileSource,
  server: Pick<RunFile, 'address' | 'control'>,
  onError: (error: unknown) => void,
): Cancel {
  const now = (): RunFile => ({
    pid: process.pid,
    ...server,
    sandbox: app.embedded === null ? null : { url: app.embedded.url, key: app.embedded.key },
    // The first one may be disabled by now: a requested window must have something to show.
    profile: app.monitor(app.shown) === null ? (app.trayViews()[0]?.profile ?? app.shown) : app.shown,
  });
  let written = now();
  writeRunFile(app.dataFolder, written);
  const stop = app.onTrayChanged(() => {
    const next = now();
    if (isDeepStrictEqual(next, written)) return;
    try {
      writeRunFile(app.dataFolder, next);
      written = next;
    } catch (error) {
      onError(error);
    }
  });
  return () => {
    stop();
    removeRunFile(app.dataFolder);
  };
}

/** Removes the file if this process owns it. */
export function removeRunFile(dataFolder: string): void {
  if (readRunFile(dataFolder)?.pid === process.pid) rmSync(pathOf(dataFolder), { force: true });
}

/** A run.json exists, whether or not its process still runs. */
export const hasRunFile = (dataFolder: string): boolean => existsSync(pathOf(dataFolder));

/** @returns null where no app runs: no file, not readable, or left behind by a process that has ended */
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
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
