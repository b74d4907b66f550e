// Main, host: reads and changes the settings file of a data folder, and keeps last good copies.
// The app changes the file only here.
import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { refused } from '../../shared/channels/channel.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../shared/text/message.ts';
import { withFileLock } from '../core/files/file-lock.ts';
import { replaceFile } from '../core/files/private-file.ts';
import type { SettingsStore } from '../core/ports.ts';
import {
  DEFAULT_SETTINGS,
  readSettings,
  type Settings,
  type SettingsReading,
  SettingsSchema,
} from '../core/profiles/settings.ts';
import { withUnknownKeys } from '../core/profiles/unknown-keys.ts';
import { UsageError } from './command-line.ts';

export interface HostSettings extends SettingsStore {
  /** The fault of the file at the last read; null: none. */
  problem(): Message | null;
}

/** Writes the settings file of a data folder in one step, for its owner only. */
export type SettingsWriter = (dataFolder: string, settings: Record<string, unknown>) => void;

/** Name of the settings file in the data folder, without its extension. */
export const SETTINGS_NAME = 'settings';
/** The last valid settings: beside the file, and in the folder of every profile. */
const COPY_NAME = `${SETTINGS_NAME}.last-good.json`;

export const settingsPath = (dataFolder: string): string => join(dataFolder, `${SETTINGS_NAME}.json`);

type SettingsFile =
  | SettingsReading
  | { readonly status: 'missing' }
  | { readonly status: 'unreadable'; readonly why: string };

/** Reads a settings file and changes nothing. */
export function readSettingsFile(path: string): SettingsFile {
  const found = readText(path);
  return typeof found === 'string' ? readSettings(found) : found;
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The file that a link leads to, which may be missing; else the path itself. */
function targetOf(path: string): string {
  return isLink(path) ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

/**
 * The kind of a file that is not regular: a pipe would wait for a writer, a device never end. null: regular.
 */
function otherKindOf(path: string): string | null {
  const found = statSync(path);
  if (found.isFile()) return null;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

function readText(path: string): string | Extract<SettingsFile, { status: 'missing' | 'unreadable' | 'damaged' }> {
  // A link to an absent disk may lead to settings with profiles, so it is not a missing file.
  if (!existsSync(path) && !isLink(path)) return { status: 'missing' };
  try {
    const kind = otherKindOf(path);
    if (kind !== null) return { status: 'unreadable', why: `it is ${kind}, not a regular file` };
    const bytes = readFileSync(path);
    // Invalid bytes would be read as other characters, which the next change would write.
    if (!isUtf8(bytes)) return { status: 'damaged', why: 'not UTF-8' };
    return bytes.toString('utf8');
  } catch (error) {
    return { status: 'unreadable', why: messageOf(error) };
  }
}

/** The fault of the file; null: none, or it is missing. */
export function settingsProblem(file: SettingsFile): Message | null {
  if (file.status === 'damaged') return message('settings.damaged', { why: file.why });
  if (file.status === 'newer') return message('settings.newer', { version: file.version });
  if (file.status === 'unreadable') return message('settings.unreadable', { why: file.why });
  if (file.status === 'missing' || file.dropped.length === 0) return null;
  return message('settings.wrong_symbols', { symbols: file.dropped.join(', ') });
}

interface GoodSettings {
  readonly settings: Settings;
  /** The value in the file, with its unknown keys. */
  readonly raw: unknown;
}

/** The newest valid copy. */
export function lastGoodSettings(dataFolder: string): GoodSettings | null {
  const others = profileFolders(dataFolder)
    .map((folder) => join(folder, COPY_NAME))
    .filter((path) => existsSync(path))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of [join(dataFolder, COPY_NAME), ...others]) {
    const copy = readSettingsFile(path);
    if (copy.status === 'valid') return copy;
  }
  return null;
}

function profileFolders(dataFolder: string): string[] {
  const parent = join(dataFolder, 'profiles');
  return existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : [];
}

/**
 * An invalid file never changes the settings in use, and is never lost: the next change quarantines it. A
 * removed file is restored. The file of a newer version is never replaced.
 * @param say receives one line for every new problem
 */
export function createSettingsStore(
  dataFolder: string,
  say: (line: string) => void,
  writer: SettingsWriter = writeSettings,
): HostSettings {
  const path = settingsPath(dataFolder);
  const lockPath = join(dataFolder, SETTINGS_NAME);
  const copies = createCopies(dataFolder);
  let last: { readonly text: string; readonly file: SettingsFile } | null = null;
  let good: GoodSettings | null = null;
  let problem: Message | null = null;
  /** A message about an event of this run, such as a restored file; the next change clears it. */
  let notice: Message | null = null;

  const report = (next: Message | null): void => {
    const isNew = next !== null && (problem === null || textOf(next) !== textOf(problem));
    problem = next;
    if (next !== null && isNew) say(textOf(next));
  };
  const load = (): { readonly file: SettingsFile; readonly good: GoodSettings } => {
    const found = readText(path);
    if (typeof found !== 'string') last = null;
    else if (last?.text !== found) last = { text: found, file: readSettings(found) };
    const file = typeof found !== 'string' ? found : (last?.file ?? readSettings(found));
    if (file.status === 'valid') {
      good = file;
      if (file.dropped.length === 0) copies.write(file);
    }
    good ??= settingsOfStart(dataFolder, file);
    report(settingsProblem(file) ?? notice);
    return { file, good };
  };
  const write = (value: unknown): void => writer(dataFolder, value as Record<string, unknown>);
  const restore = ({ raw }: GoodSettings): void => {
    const folders = profileFolders(dataFolder).map((folder) => basename(folder));
    if (raw !== DEFAULT_SETTINGS) notice = message('settings.restored');
    else if (folders.length > 0) notice = message('settings.lost', { profiles: folders.join(', ') });
    try {
      withFileLock(lockPath, () => {
        if (!existsSync(path)) write(raw);
      });
      copies.renew();
      report(notice);
    } catch (error) {
      report(message('settings.not_restored', { why: messageOf(error) }));
    }
  };

  return {
    read() {
      const loaded = load();
      if (loaded.file.status === 'missing') restore(loaded.good);
      return loaded.good.settings;
    },
    change(job) {
      withFileLock(lockPath, () => {
        const { file, good: now } = load();
        const found = settingsProblem(file);
        if (found !== null && (file.status === 'newer' || file.status === 'unreadable')) throw refused(found);
        const next = SettingsSchema.parse(job(now.settings));
        const quarantined = found === null ? null : quarantine(dataFolder);
        write(withUnknownKeys(now.raw, now.settings, next));
        // The app makes changes by itself too, so the user must know where the text of the file went.
        notice = quarantined === null ? null : message('settings.set_aside', { name: quarantined });
        load();
      });
    },
    problem: () => problem,
  };
}

const writeSettings: SettingsWriter = (dataFolder, settings) =>
  replaceFile(targetOf(settingsPath(dataFolder)), `${JSON.stringify(settings, null, '\t')}\n`);

/** @throws UsageError where the file exists, but neither it nor a copy can be used */
function settingsOfStart(dataFolder: string, file: SettingsFile): GoodSettings {
  const copy = lastGoodSettings(dataFolder);
  if (copy !== null) return copy;
  if (file.status === 'missing') return { settings: DEFAULT_SETTINGS, raw: DEFAULT_SETTINGS };
  if (file.status === 'newer' && file.settings !== null) return { settings: file.settings, raw: file.settings };
  const path = settingsPath(dataFolder);
  const why = 'why' in file ? file.why : 'a newer version wrote it';
  if (file.status === 'unreadable')
    throw new UsageError(`${path} cannot be read (${why}). See that it is a file, and that you may read it.`);
  throw new UsageError(
    `${path} cannot be used (${why}), and there is no copy of it. Correct it, or remove it to begin with the default settings.`,
  );
}

/** Writes the copies of valid settings where they are not up to date. */
function createCopies(dataFolder: string) {
  let copied: unknown = null;
  let written = new Set<string>();
  return {
    write({ raw, settings: { profiles } }: GoodSettings): void {
      if (copied !== raw) written = new Set();
      copied = raw;
      const folders = profiles.map(({ name }) => join(dataFolder, 'profiles', name));
      for (const folder of [dataFolder, ...folders]) {
        if (written.has(folder) || !existsSync(folder)) continue;
        try {
          replaceFile(join(folder, COPY_NAME), JSON.stringify(raw));
          written.add(folder);
        } catch {
          // A full disk must not fail the read; the next read retries.
        }
      }
    },
    /** Makes the next `write` write every copy. */
    renew(): void {
      copied = null;
    },
  };
}

/** Name of the quarantined settings file with this `number`, from 1. */
export const quarantineName = (number: number): string => `${SETTINGS_NAME}.bad-${number}.json`;

/** @returns its new name */
function quarantine(dataFolder: string): string {
  let number = 1;
  while (existsSync(join(dataFolder, quarantineName(number)))) number += 1;
  const [path, quarantined] = [settingsPath(dataFolder), join(dataFolder, quarantineName(number))];
  if (!isLink(path)) renameSync(path, quarantined);
  else {
    replaceFile(quarantined, readFileSync(path));
    // The link stays; its target must be valid JSON for the next writer.
    replaceFile(targetOf(path), '{}\n');
  }
  return quarantineName(number);
}
