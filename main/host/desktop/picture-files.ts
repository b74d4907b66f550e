// Main, host: files of pictures for the desktop's notifications, which reads them by their paths.
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Most files that are kept: older notifications have left the screen. */
const MOST = 20;

/** @param parent of the private folder; that of the login session ends with it */
export function createPictureFiles(parent = process.env.XDG_RUNTIME_DIR ?? tmpdir()) {
  let folder: string | null = null;
  let last = 0;
  return {
    /** @returns the path of a new file */
    async add(png: Uint8Array): Promise<string> {
      folder ??= mkdtempSync(join(parent, 'barograph-pictures-'));
      last += 1;
      const path = join(folder, `${last}.png`);
      await writeFile(path, png, { mode: 0o600 });
      await rm(join(folder, `${last - MOST}.png`), { force: true });
      return path;
    },
    close(): void {
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
      folder = null;
    },
  };
}
