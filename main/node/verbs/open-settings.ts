// Main, command line: opens the settings file of a data folder for a verb.
import type { SettingsStore } from '../../core/ports.ts';
import { openDataFolder } from '../../host/data-folder.ts';
import { createSettingsStore } from '../../host/settings-store.ts';

export function openSettings(dataDir: string): SettingsStore {
  const folder = openDataFolder(dataDir);
  return createSettingsStore(folder, (line) => console.error(`barograph: ${line}`));
}
