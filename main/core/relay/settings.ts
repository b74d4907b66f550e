// Main, core: the relay's settings of a profile, in the settings file.
// A profile that is not in the file (a terminal's) keeps them for this run.
import { isLoopback } from '../../../shared/lib/loopback.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { SettingsStore } from '../ports.ts';
import type { Profile, RelaySettings } from '../profiles/settings.ts';

export interface RelaySettingsStore {
  read(): RelaySettings;
  /** Why a stored public address is not used; null: it is used, or none is stored. */
  problem(): Message | null;
  write(change: Partial<RelaySettings>): void;
  /** False for a profile that is not in the settings file: its settings end with this run. */
  isPersisted(): boolean;
}

/** First port tried; the next free one is used when it is busy. */
export const RELAY_PORT = 4781;

/** Why the relay cannot have this public address; null: it can. The path of the relay is appended to it. */
export function publicAddressProblem(text: string): Message | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && !isLoopback(url.hostname)))
    return message('relay.public_url_insecure');
  const isPlain = !/[?#]/.test(text) && url.username === '' && url.password === '';
  return isPlain ? null : message('relay.public_url_parts');
}

/**
 * @param reachable the service can reach this computer by itself: then the relay is on unless the user
 * disabled it
 */
export function createRelaySettings(settings: SettingsStore, profile: Profile, reachable: boolean): RelaySettingsStore {
  let stored: RelaySettings = { on: reachable, port: RELAY_PORT, publicUrl: null, ...profile.relay };
  const found = (): Profile | undefined => settings.read().profiles.find(({ name }) => name === profile.name);
  const own = (): RelaySettings | undefined => found()?.relay;
  const all = (): RelaySettings => ({ ...stored, ...own() });
  const problemOf = ({ publicUrl }: RelaySettings): Message | null =>
    publicUrl === null ? null : publicAddressProblem(publicUrl);
  return {
    read() {
      const now = all();
      return problemOf(now) === null ? now : { ...now, publicUrl: null };
    },
    problem: () => problemOf(all()),
    isPersisted: () => found() !== undefined,
    write(change) {
      stored = { ...all(), ...change };
      if (found() === undefined) return;
      settings.change((now) => ({
        ...now,
        profiles: now.profiles.map((one) => (one.name === profile.name ? { ...one, relay: stored } : one)),
      }));
    },
  };
}
