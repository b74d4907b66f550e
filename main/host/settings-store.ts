// Main, host: the settings over one JSON file (`conf` in the Node shell, `electron-store` in Electron).
// Validates every read; quarantines an invalid file, reports it and never overwrites it.
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../shared/lib/result.ts';
import type { SettingsStore } from '../core/ports.ts';
import { DEFAULT_SETTINGS, type Settings, SettingsSchema } from '../core/profiles/settings.ts';

/** The interface of both stores: the file as a value, read from disk at every access, written atomically. */
export interface JsonStore {
  store: Record<string, unknown>;
}

/** Name of the settings file in the data folder, without its extension. */
export const SETTINGS_NAME = 'settings';

/**
 * @param path the file of the store
 * @param open makes the store; called once the file is known to hold JSON, or nothing
 * @param say receives one line when a file was quarantined
 */
export function createSettingsStore(path: string, open: () => JsonStore, say: (line: string) => void): SettingsStore {
  let opened: JsonStore | null = null;
  const store = (): JsonStore => {
    opened ??= open();
    return opened;
  };
  return {
    read() {
      const problem = existsSync(path) ? problemOf(path) : null;
      if (problem !== null) say(quarantineFile(path, problem));
      if (!existsSync(path)) store().store = { ...DEFAULT_SETTINGS };
      return SettingsSchema.parse(store().store);
    },
    write(settings: Settings) {
      store().store = { ...SettingsSchema.parse(settings) };
    },
  };
}

function problemOf(path: string): string | null {
  try {
    return settingsProblem(path);
  } catch (error) {
    throw new Error(`${path} cannot be read (${messageOf(error)}). See that it is a file, and that you may read it.`);
  }
}

/**
 * Why the file's content is invalid, or null.
 * @throws Error where it cannot be read at all
 */
export function settingsProblem(path: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // An unreadable file may be a valid one: it stays in place.
    if (!(error instanceof SyntaxError)) throw error;
    return `not JSON: ${error.message}`;
  }
  const parsed = SettingsSchema.safeParse(value);
  return parsed.success ? null : z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ');
}

/** Name of the quarantined settings file with this `number`, from 1. */
export const quarantineName = (number: number): string => `${SETTINGS_NAME}.bad-${number}.json`;

function quarantineFile(path: string, problem: string): string {
  let number = 1;
  let target: string;
  do target = join(dirname(path), quarantineName(number++));
  while (existsSync(target));
  renameSync(path, target);
  return `${basename(path)} cannot be used (${problem}). It is kept as ${basename(target)}; the default settings are used.`;
}
