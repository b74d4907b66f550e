// Pure: why the file system refuses a folder, as sentences with the cure.
import { messageOf } from './result.ts';

const REFUSALS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there. Look at its spelling, and that its drive is connected.',
  ENOTDIR: 'is no folder. Give the folder that the files lie in.',
  EACCES: 'may not be read by this user. Change its rights.',
  EPERM: 'may not be read by this user. Change its rights.',
};

/** @param folder what it is and its path, as the beginning of a sentence */
export function folderRefusal(folder: string, error: unknown): string {
  const known = error instanceof Error && 'code' in error ? REFUSALS[String(error.code)] : undefined;
  return `${folder} ${known ?? `cannot be read (${messageOf(error)}). Look at its rights.`}`;
}
