// Main, host: writes files that lead a browser to the address of a window, and deletes expired ones.
// The address is in a private file, because every user of the machine sees the arguments of a program.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/lib/clock.ts';

/** Lifetime of the token in an address that was not opened, ms. */
export const TOKEN_LIFE = 60_000;

/** The line for the user where no window could be opened. */
export const openByHand = (address: string): string =>
  `No window could be opened. Open this address in a browser within a minute: ${address}`;

/** Prefix of the folders of launch pages. */
const LAUNCH_PREFIX = 'window-';

/**
 * Writes a page that leads to the address. A timer to delete it would keep a command running: the app deletes
 * it, or the next call does.
 * @param folder a private folder
 * @returns the page's path; null where the folder cannot be written, as on a full or read-only disk
 */
export function writeLaunchPage(address: string, folder: string, clock: Pick<Clock, 'now'>): string | null {
  removeExpired(folder, clock.now());
  let directory: string | null = null;
  try {
    directory = mkdtempSync(join(folder, LAUNCH_PREFIX));
    const file = join(directory, 'barograph.html');
    const target = JSON.stringify(address).replaceAll('<', '\\u003c');
    const script = `<script>location.replace(${target})</script>`;
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>Barograph</title>${script}\n`, { mode: 0o600 });
    return file;
  } catch {
    if (directory !== null) remove(directory);
    return null;
  }
}

/** Deletes expired pages of this folder, after the token of a page that is written now has expired too. */
export function deleteExpiredPages(folder: string, clock: Clock): void {
  // The page is written somewhat later than its token.
  clock.after(2 * TOKEN_LIFE, () => removeExpired(folder, clock.now()));
}

function removeExpired(folder: string, now: number): void {
  for (const directory of attempt(() => launchFolders(folder)) ?? [])
    attempt(() => {
      if (now - statSync(directory).mtimeMs > TOKEN_LIFE) remove(directory);
    });
}

const launchFolders = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(LAUNCH_PREFIX))
    .map((name) => join(folder, name));

/** Ignores errors: a page that remains is harmless, because its token has expired. */
const remove = (directory: string): void => void attempt(() => rmSync(directory, { recursive: true, force: true }));

function attempt<Value>(job: () => Value): Value | null {
  try {
    return job();
  } catch {
    return null;
  }
}
