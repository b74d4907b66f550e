// Main, host: keeps run.json in the data folder, through which the user's programs find the app.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Service } from '../../client/address.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import { readSmallFile, replaceFile } from '../core/files/private-file.ts';
import { ControlAddressSchema } from './control-socket.ts';
import { listensAt } from './listener.ts';

/** An address of this computer only. */
const AddressSchema = z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/?$/);

const RunFileSchema = z.object({
  pid: z.number().int().positive(),
  /** The start of that process, as `processStart` returns it; null: unknown. */
  started: z.string().nullable().default(null),
  /** The app's address; null in the desktop shell, which opens no port. */
  address: AddressSchema.nullable(),
  /** The socket for commands; null where an older version runs. */
  socket: ControlAddressSchema.nullable().default(null),
  /** The embedded sandbox service and a key for it; null where it is not running. */
  sandbox: z.object({ url: AddressSchema, key: z.string() }).nullable(),
  /** The profile that the first window shows. */
  profile: z.string(),
});
export type RunFile = z.infer<typeof RunFileSchema>;

/** Most bytes of the file. */
const MAX_SIZE = 64 * 1024;

const pathOf = (dataFolder: string): string => join(dataFolder, 'run.json');

export const writeRunFile = (dataFolder: string, run: RunFile): void =>
  replaceFile(pathOf(dataFolder), `${JSON.stringify(RunFileSchema.parse(run), null, 2)}\n`);

/** The public state of an application. */
export interface RunFileSource {
  readonly dataFolder: string;
  readonly shown: string;
  readonly sandbox: Service | null;
  onTrayChanged(listener: () => void): Cancel;
}

/**
 * Writes the file now and whenever its content changes: a profile may be turned on or off while the app runs.
 * @param onError receives the error where it cannot be written; the app goes on, and other programs do not
 * find it
 * @returns a function that removes the file if this process owns it
 */
export function keepRunFile(
  app: RunFileSource,
  server: Pick<RunFile, 'address' | 'socket'>,
  onError: (error: unknown) => void,
): Cancel {
  // Read once: some systems start a program for it, and the tray changes often.
  const started = processStart(process.pid);
  const now = (): RunFile => ({
    pid: process.pid,
    started,
    ...server,
    sandbox: app.sandbox === null ? null : { url: app.sandbox.baseUrl, key: app.sandbox.key ?? '' },
    profile: app.shown,
  });
  let written: RunFile | null = null;
  let isFailing = false;
  const write = (): void => {
    const next = now();
    if (isDeepStrictEqual(next, written)) return;
    try {
      writeRunFile(app.dataFolder, next);
      written = next;
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
  };
  write();
  const stop = app.onTrayChanged(write);
  return () => {
    stop();
    try {
      removeRunFile(app.dataFolder);
    } catch (error) {
      onError(error);
    }
  };
}

/** Removes the file if this process owns it. */
export function removeRunFile(dataFolder: string): void {
  if (readRunFile(dataFolder)?.pid === process.pid) rmSync(pathOf(dataFolder), { force: true });
}

/** True where a run.json exists, even if its process has ended. */
export const hasRunFile = (dataFolder: string): boolean => existsSync(pathOf(dataFolder));

/** @returns null where no app runs: no file, not readable, or left behind by a process that has ended */
export function readRunFile(dataFolder: string): RunFile | null {
  try {
    const run = RunFileSchema.parse(JSON.parse(readSmallFile(pathOf(dataFolder), MAX_SIZE).toString()));
    return isAlive(run.pid) && isSame(run) ? run : null;
  } catch {
    return null;
  }
}

/** False where another process has the number now. */
function isSame({ pid, started }: RunFile): boolean {
  const now = started === null ? null : processStart(pid);
  return now === null || now === started;
}

/** The running app's service and its key; null where it has none, or where another process has its port. */
export function sandboxOf(run: RunFile | null): RunFile['sandbox'] {
  if (run?.sandbox == null) return null;
  return listensAt(run.pid, new URL(run.sandbox.url)) === false ? null : run.sandbox;
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

/**
 * Returns the system's text for the start of a process: equal texts mean the same process. null: no such
 * process, or the system does not show it.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): string | null {
  try {
    if (platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the program's name, which may contain blanks and brackets; the 22nd is the start.
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      return ticks === undefined ? null : `${boot} ${ticks}`;
    }
    if (platform === 'win32') return null;
    // ps prints local time, which would change with the user's time zone.
    const options = { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' }, timeout: 2_000 } as const;
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || null;
  } catch {
    return null;
  }
}
