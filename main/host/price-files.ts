// Main, host: keeps price files that a window was given: they arrive in parts, and become a price folder.
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InputOf } from '../../shared/channels/ends.ts';
import type { ProfileChannels } from '../../shared/channels/profiles.ts';
import { HOUR_MS } from '../../shared/lib/time.ts';

/** Folder of the sets, in the data folder. */
const SETS = 'prices';
/** Characters that a file name of some platform must not have. */
const UNFIT = /[<>:"/\\|?*\p{Cc}]/gu;

/**
 * Writes a part of a file. The first part of a set removes the sets that no profile uses, unless they are new.
 * @param used folders of profiles
 * @returns the price folder
 */
export function keepPriceFile(
  dataFolder: string,
  { set, name, data, isFirst }: InputOf<ProfileChannels['profiles.keep_price_file']>,
  used: readonly string[],
  now: number,
): string {
  const sets = join(dataFolder, SETS);
  const folder = join(sets, set);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
    for (const other of readdirSync(sets).map((one) => join(sets, one)))
      if (other !== folder && !used.includes(other) && now - statSync(other).mtimeMs > HOUR_MS)
        rmSync(other, { recursive: true, force: true });
  const file = join(folder, name.replaceAll(UNFIT, '_').replace(/^\./, '_'));
  const bytes = Buffer.from(data, 'base64');
  if (isFirst) writeFileSync(file, bytes, { mode: 0o600 });
  else appendFileSync(file, bytes);
  return folder;
}
