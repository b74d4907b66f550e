// Test harness: runs the program as an ordinary user, also where the tests run as root: root gets no Electron.
import { chownSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TOP } from './processes.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

export const ordinaryUser = isRoot ? NOBODY : process.getuid?.();

/** The command that runs `command` as that user. */
export const asOrdinaryUser = (command: readonly string[]): string[] => [
  ...(isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []),
  ...command,
];

/** What a start reads, and what its builder does. */
const FOLDERS = ['assets', 'client', 'conformance', 'dist', 'main', 'preload', 'renderer', 'service', 'shared', 'test'];

/**
 * Copies the program into a folder of that user, with a node_modules of its own, whose packages are links.
 * @param own packages and folders of node_modules that the caller writes itself
 */
export function copyProgram(root: string, own: readonly string[]): void {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  for (const name of FOLDERS) cpSync(join(TOP, name), join(root, name), { recursive: true });
  for (const entry of readdirSync(TOP, { withFileTypes: true }))
    if (entry.isFile()) cpSync(join(TOP, entry.name), join(root, entry.name));
  for (const name of readdirSync(join(TOP, 'node_modules')))
    if (!['.cache', ...own].includes(name))
      symlinkSync(join(TOP, 'node_modules', name), join(root, 'node_modules', name));
  giveToOrdinaryUser(root, join(root, 'dist'), join(root, 'node_modules'));
}

/** Lets that user write into the folders. */
export function giveToOrdinaryUser(...folders: readonly string[]): void {
  if (isRoot) for (const folder of folders) chownSync(folder, NOBODY, NOBODY);
}
