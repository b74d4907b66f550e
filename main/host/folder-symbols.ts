// Main, host: adds the symbols of a price folder to the list of its profile, each once.
import { sourceListId, symbolsOf, withListedSymbols } from '../../shared/domain/watchlists.ts';
import type { SettingsStore } from '../core/ports.ts';

/** The section of the list of a profile that has the symbols of its price folder. */
export const FOLDER_SECTION = 'Own prices';

/**
 * Adds the symbols that the list of the profile has never had, as far as it has room. One that the user removed
 * stays removed, because the profile remembers what was listed.
 */
export function listFolderSymbols(
  settings: Pick<SettingsStore, 'read' | 'change'>,
  name: string,
  symbols: readonly string[],
): void {
  const { profiles, watchlists } = settings.read();
  const profile = profiles.find((one) => one.name === name);
  if (profile === undefined) return;
  const before = new Set(profile.listed);
  const added = symbols.filter((symbol) => !before.has(symbol));
  if (added.length === 0) return;
  const source = { name, section: FOLDER_SECTION, symbols: added };
  const list = withListedSymbols(watchlists, source).find(({ id }) => id === sourceListId(name));
  const present = new Set(list === undefined ? [] : symbolsOf(list));
  const listed = added.filter((symbol) => present.has(symbol));
  if (listed.length === 0) return;
  settings.change((now) => ({
    ...now,
    profiles: now.profiles.map((one) =>
      one.name === name ? { ...one, listed: [...(one.listed ?? []), ...listed] } : one,
    ),
    watchlists: withListedSymbols(now.watchlists, source),
  }));
}
