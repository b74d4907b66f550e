// Main, host: writes the file that leads a browser to the address of a window, and deletes expired ones.
// The address is in a private file, because every user of the machine sees the arguments of a program.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../shared/lib/clock.ts';

/** The token of an address that nobody opened expires after this, ms. */
export const TOKEN_LIFE = 60_000;

/** What to say where no window could be opened. */
export const openByHand = (address: string): string =>
  `No window could be opened. Open this address in a browser within a minute: ${address}`;

/** Prefix of the folders of launch pages. */
const LAUNCH_PREFIX = 'window-';

/**
 * Writes a page that leads to the address. It sets no timer, which would keep a command running: the app
 * deletes the page, or the next opening.
 * @param folder a private one
 * @returns its path; null where the folder takes no file, as on a full or read-only disk
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

/** Deletes the pages of this folder whose token has expired, once that of a page that is written now has. */
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

/** A page that stays is harmless, because its token has expired: no error of it may end the program. */
const remove = (directory: string): void => void attempt(() => rmSync(directory, { recursive: true, force: true }));

function attempt<Value>(job: () => Value): Value | null {
  try {
    return job();
  } catch {
    return null;
  }
}
