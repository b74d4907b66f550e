// Main, host: reads and changes the settings file of a data folder, and keeps last good copies.
// The app changes the file only here.
import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { refused } from '../../shared/channels/channel.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../shared/text/message.ts';
import { withFileLock } from '../core/files/file-lock.ts';
import { readSmallFile, replaceFile } from '../core/files/private-file.ts';
import type { SettingsStore } from '../core/ports.ts';
import {
  DEFAULT_SETTINGS,
  readSettings,
  type Settings,
  type SettingsReading,
  SettingsSchema,
} from '../core/profiles/settings.ts';
import { SETTINGS_VERSION } from '../core/profiles/settings-migration.ts';
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
  /** An older Barograph wrote it in place of settings that it could not read. */
  | { readonly status: 'older'; readonly version: number }
  | { readonly status: 'unreadable'; readonly why: string };

/** Reads a settings file and changes nothing. */
export function readSettingsFile(path: string): SettingsFile {
  const found = readText(path);
  return typeof found === 'string' ? readSettings(found) : found;
}

/** Reads the settings file of a data folder, and compares its version with that of the last good one. */
export const readOwnSettings = (dataFolder: string): SettingsFile =>
  comparedWithCopies(dataFolder, readSettingsFile(settingsPath(dataFolder)));

function comparedWithCopies(dataFolder: string, file: SettingsFile): SettingsFile {
  if (file.status !== 'valid' || file.version === SETTINGS_VERSION) return file;
  const copy = lastGoodSettings(dataFolder);
  // Earlier builds wrote a copy under the present version, whatever that of the file.
  const isReplaced = copy !== null && copy.version > file.version && !isDeepStrictEqual(copy.raw, file.raw);
  return isReplaced ? { status: 'older', version: file.version } : file;
}

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The file that a link leads to, which may be missing; else the path itself. */
function targetOf(path: string): string {
  return isLink(path) ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

/** Most bytes of the file; thousands of watchlists have fewer. */
const MAX_SIZE = 16 * 1024 * 1024;

function readText(path: string): string | Extract<SettingsFile, { status: 'missing' | 'unreadable' | 'damaged' }> {
  // A link to an absent disk may lead to settings with profiles, so it is not a missing file.
  if (!existsSync(path) && !isLink(path)) return { status: 'missing' };
  try {
    const bytes = readSmallFile(path, MAX_SIZE);
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
  if (file.status === 'older') return message('settings.older', { version: file.version });
  if (file.status === 'unreadable') return message('settings.unreadable', { why: file.why });
  if (file.status === 'missing' || file.dropped.length === 0) return null;
  return message('settings.wrong_symbols', { symbols: file.dropped.join(', ') });
}

/** The settings of a valid file. */
type GoodSettings = Pick<Extract<SettingsReading, { status: 'valid' }>, 'settings' | 'raw' | 'source' | 'version'>;

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
  const listeners = new Set<() => void>();

  const report = (next: Message | null): void => {
    const isNew = next !== null && (problem === null || textOf(next) !== textOf(problem));
    problem = next;
    if (next !== null && isNew) say(textOf(next));
  };
  const load = (): { readonly file: SettingsFile; readonly good: GoodSettings } => {
    const found = readText(path);
    if (typeof found !== 'string') last = null;
    else if (last?.text !== found) last = { text: found, file: comparedWithCopies(dataFolder, readSettings(found)) };
    const file = typeof found === 'string' ? (last?.file ?? readSettings(found)) : found;
    if (file.status === 'valid') {
      good = file;
      if (file.dropped.length === 0) copies.write(file);
    }
    good ??= settingsOfStart(dataFolder, file);
    report(settingsProblem(file) ?? notice);
    return { file, good };
  };
  let told: GoodSettings | null = null;
  /** Tells the listeners of new settings, whoever wrote them. */
  const tell = (now: GoodSettings): void => {
    const isNew = told !== null && told !== now;
    told = now;
    if (isNew) for (const listener of listeners) listener();
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
      tell(loaded.good);
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
      });
      tell(load().good);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    problem: () => problem,
  };
}

const writeSettings: SettingsWriter = (dataFolder, settings) =>
  replaceFile(targetOf(settingsPath(dataFolder)), `${JSON.stringify(settings, null, '\t')}\n`);

const goodOf = (settings: Settings): GoodSettings => ({
  settings,
  raw: settings,
  source: settings,
  version: SETTINGS_VERSION,
});

/** @throws UsageError where the file exists, but neither it nor a copy can be used */
function settingsOfStart(dataFolder: string, file: SettingsFile): GoodSettings {
  const copy = lastGoodSettings(dataFolder);
  if (copy !== null) return copy;
  if (file.status === 'missing') return goodOf(DEFAULT_SETTINGS);
  if (file.status === 'newer' && file.settings !== null) return goodOf(file.settings);
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
    write({ source, settings: { profiles } }: GoodSettings): void {
      if (copied !== source) written = new Set();
      copied = source;
      const folders = profiles.map(({ name }) => join(dataFolder, 'profiles', name));
      for (const folder of [dataFolder, ...folders]) {
        if (written.has(folder) || !existsSync(folder)) continue;
        try {
          const path = join(folder, COPY_NAME);
          // A newer Barograph finds its own again.
          if (readSettingsFile(path).status !== 'newer') replaceFile(path, JSON.stringify(source));
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
