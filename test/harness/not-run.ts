// Test harness: why a test cannot run on this machine. Its title says so, and the runners print it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Appended to the title of a test that is skipped. @param why null: it runs */
export const notRun = (why: string | null): string => (why === null ? '' : ` (not run: ${why})`);

/** The reason in the title of a test that was skipped; null: it has none. */
export const reasonIn = (title: string): string | null => / \(not run: ([^)]+)\)/.exec(title)?.[1] ?? null;

export const whyNotLinux: string | null = process.platform === 'linux' ? null : 'only on Linux';
export const whyNotRoot: string | null = whyNotLinux ?? (process.getuid?.() === 0 ? null : 'only as root');

/** @returns why tests that need the programs cannot run; null where this machine has all of them */
export function whyNoProgram(...names: readonly string[]): string | null {
  const missing = names.filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error !== undefined);
  return missing.length === 0 ? null : `this machine has no ${missing.join(', ')}`;
}

/** @param folder of price files outside this repository @returns why tests that need them cannot run */
export const whyNoPrices = (folder: string): string | null =>
  existsSync(folder) ? null : 'the real prices are not on this machine';
