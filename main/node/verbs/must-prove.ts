// Main, command line: demands a proof of a service that proved itself to a profile before.
// It does so also where a command names the address.
import { resolve } from 'node:path';
import type { Profile } from '../../core/profiles/settings.ts';
import { lastGoodSettings, readOwnSettings } from '../../host/settings-store.ts';

/** True where a profile demands a proof at this address, or the settings cannot be read. Writes nothing. */
export function mustProve(dataDir: string, url: string): boolean {
  const profiles = profilesIn(resolve(dataDir));
  const origin = URL.parse(url)?.origin;
  return profiles === null || profiles.some(({ peer }) => peer?.trust === 'proof' && peer.address === origin);
}

/** The profiles of the settings; null where these exist but cannot be read. */
function profilesIn(dataFolder: string): readonly Profile[] | null {
  const file = readOwnSettings(dataFolder);
  if (file.status === 'valid') return file.settings.profiles;
  const copy = lastGoodSettings(dataFolder);
  if (copy !== null) return copy.settings.profiles;
  if (file.status === 'missing') return [];
  return file.status === 'newer' && file.settings !== null ? file.settings.profiles : null;
}
