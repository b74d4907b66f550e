// Main, core: the relay's settings of a profile, in the settings file.
// A profile that is not in the file (a terminal's) keeps them for this run.
import type { SettingsStore } from '../ports.ts';
import type { Profile, RelaySettings } from '../profiles/settings.ts';

export interface RelaySettingsStore {
  read(): RelaySettings;
  write(change: Partial<RelaySettings>): void;
  /** False for a profile that is not in the settings file: its settings end with this run. */
  isPersisted(): boolean;
}

/** First port tried; the next free one is used when it is busy. */
export const RELAY_PORT = 4781;

/**
 * @param reachable the service can reach this computer by itself: then the relay is on unless the user
 * disabled it
 */
export function createRelaySettings(settings: SettingsStore, profile: Profile, reachable: boolean): RelaySettingsStore {
  let stored: RelaySettings = { on: reachable, port: RELAY_PORT, publicUrl: null, ...profile.relay };
  const found = (): Profile | undefined => settings.read().profiles.find(({ name }) => name === profile.name);
  const own = (): RelaySettings | undefined => found()?.relay;
  return {
    read: () => ({ ...stored, ...own() }),
    isPersisted: () => found() !== undefined,
    write(change) {
      stored = { ...stored, ...own(), ...change };
      if (found() === undefined) return;
      settings.change((now) => ({
        ...now,
        profiles: now.profiles.map((one) => (one.name === profile.name ? { ...one, relay: stored } : one)),
      }));
    },
  };
}
