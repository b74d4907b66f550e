// Main, host: the data folder: its location and its permissions.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { applicationFolder } from '../../shared/lib/application-folder.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { UsageError } from './command-line.ts';

/** The platform's folder for application files (XDG_DATA_HOME on Linux). */
export const defaultDataFolder = (): string =>
  applicationFolder({ platform: process.platform, env: process.env, home: homedir() });

/**
 * Creates the folder if it is missing and makes it private (0700).
 * @returns its absolute path
 * @throws UsageError where it cannot be created, or holds files other than Barograph's own
 */
export function openDataFolder(given: string): string {
  const folder = resolve(given);
  if (folder === resolve(homedir()) || folder === parse(folder).root)
    throw new UsageError(
      `--data-dir ${given}: Barograph closes its data folder to other users, so it must be a folder of its own. Give one such as ${join(given, 'barograph')}.`,
    );
  return makePrivate(folder, `--data-dir ${given}`);
}

/** Folder of one profile: its lock, ledger and archive. */
export const profileFolder = (dataFolder: string, profile: string): string =>
  makePrivate(join(dataFolder, 'profiles', profile), `profile ${profile}`);

function makePrivate(folder: string, whose: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A read-only disk is no obstacle where nothing has to change.
    if ((statSync(folder).mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    throw new UsageError(`${whose}: the folder cannot be used: ${messageOf(error)}. ${cureOf(error)}`);
  }
}

const cureOf = (error: unknown): string =>
  /^E(EXIST|NOTDIR)/.test(messageOf(error))
    ? 'Move the file of this name away.'
    : 'Make your user its owner, and see that its disk has room.';
