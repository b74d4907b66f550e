// Main, command line: opens the settings file of a data folder for a verb.
import { join } from 'node:path';
import type { SettingsStore } from '../../core/ports.ts';
import { openDataFolder } from '../../host/data-folder.ts';
import { createSettingsStore, SETTINGS_NAME } from '../../host/settings-store.ts';
import { openConf } from '../conf-store.ts';

export function openSettings(dataDir: string): SettingsStore {
  const folder = openDataFolder(dataDir);
  return createSettingsStore(
    join(folder, `${SETTINGS_NAME}.json`),
    () => openConf(folder),
    (line) => console.error(`barograph: ${line}`),
  );
}
