// Main, host: the files of a data folder that this user cannot read and write, with the cure of each.
import { join } from 'node:path';
import { type FileProblem, fileProblem, folderProblem } from '../core/files/private-file.ts';
import { VAULT_FILE } from '../core/keys/key-store.ts';
import { LOG_NAME } from './log-file.ts';
import { NOTIFICATIONS_NAME } from './notification-history.ts';

/** Besides settings.json, whose problems have messages of their own. */
const SHARED = [NOTIFICATIONS_NAME, LOG_NAME, VAULT_FILE, 'run.json', 'lock.sqlite', 'lock.json', 'settings.lock'];
/** Of each profile. */
export const STORES = ['ledger', 'archive', 'flags', 'relay', 'service', 'lock'] as const;

/** @param profiles the profiles that are on @param stores the stores of each that are looked at */
export function fileProblems(
  dataFolder: string,
  profiles: readonly string[],
  stores: readonly (typeof STORES)[number][] = STORES,
): FileProblem[] {
  const ofProfile = profiles.flatMap((name) => stores.map((store) => join('profiles', name, `${store}.sqlite`)));
  return [
    ...profiles.flatMap((name) => folderProblem(join(dataFolder, 'profiles', name)) ?? []),
    ...[...SHARED, ...ofProfile].flatMap((file) => fileProblem(join(dataFolder, file)) ?? []),
  ];
}
