// Main, command line: `barograph profiles`: lists, adds and removes profiles in the settings file.
import type { z } from 'zod';
import { readDashboardAddress } from '../../../client/dashboard.ts';
import { normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { needsFeedKey } from '../../../shared/domain/price-feeds.ts';
import { sourceListId, withSourceList } from '../../../shared/domain/watchlists.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { parseStateMap, type StateMap, stateMapText } from '../../../shared/settings/state-map.ts';
import { trustPeer } from '../../core/profiles/peer.ts';
import { type Profile, ProfileSchema, withoutProfile } from '../../core/profiles/settings.ts';
import { UsageError } from '../../host/command-line.ts';
import { listOf } from '../../host/feed-profile.ts';
import { readRunFile } from '../../host/run-file.ts';
import { openSettings } from './open-settings.ts';
import { saveKey, unlockAndForget } from './profile-keys.ts';

interface Flags {
  readonly dataDir: string;
}

/** Name, environment, address, whether it is enabled, and its state map, in columns. */
export function listProfiles({ dataDir }: Flags): void {
  for (const { name, environment, baseUrl, mode, enabled, prices, feed, scenario, states } of openSettings(
    dataDir,
  ).read().profiles)
    console.log(
      [
        name,
        environment,
        baseUrl ?? prices?.folder ?? ['inside the app', feed?.name ?? scenario ?? []].flat().join(', '),
        mode,
        enabled ? 'on' : 'off',
        ...(states === undefined ? [] : [stateMapText(states)]),
      ].join('\t'),
    );
}

export async function addProfile(
  name: string,
  {
    dataDir,
    env,
    url,
    mode,
    scenario,
    feed,
    feedSymbols,
    states,
    keep,
  }: Flags & {
    env: string;
    url?: string;
    mode: string;
    scenario?: string;
    feed?: string;
    feedSymbols?: string;
    states?: string;
    keep?: string;
  },
): Promise<void> {
  const link = url === undefined ? null : readDashboardAddress(url);
  const isLink = link?.token != null;
  if (isLink && mode !== 'proxy') throw new UsageError('--url is the one-time link of a dashboard: add --mode proxy.');
  const map = states === undefined ? {} : { states: stateMapIn('--states', states) };
  const profile = ProfileSchema.safeParse({
    name,
    environment: env,
    // The settings file is no place for a token.
    baseUrl: (isLink ? link.dashboard : url) ?? null,
    mode,
    enabled: true,
    ...(scenario === undefined ? {} : { scenario }),
    ...(feed === undefined ? {} : { feed: { name: feed, ...symbolsIn(feedSymbols) } }),
    ...map,
  });
  if (!profile.success) throw new UsageError(inFlags(profile.error));
  const follows = profile.data.feed;
  if (profile.data.environment === 'production' && profile.data.baseUrl === null && follows === undefined)
    throw new UsageError('A production profile needs --url, the address of its service, or --feed.');
  if (follows !== undefined && (profile.data.environment !== 'production' || profile.data.baseUrl !== null))
    throw new UsageError('--feed is for a production profile without --url: live prices inside the app.');
  if (scenario !== undefined && (profile.data.environment !== 'sandbox' || profile.data.baseUrl !== null))
    throw new UsageError('--scenario is for a sandbox profile without --url: a simulated market inside the app.');
  openSettings(dataDir).change((now) => {
    if (now.profiles.some((other) => other.name === name))
      throw new UsageError(`There is a profile ${name} already. Remove it first, or give another name.`);
    const watchlists = follows === undefined ? now.watchlists : withSourceList(now.watchlists, listOf(name, follows));
    return { ...now, profiles: [...now.profiles, profile.data], watchlists };
  });
  if (isLink && url !== undefined)
    await saveKey(name, async () => url, { dataDir, ...(keep === undefined ? {} : { keep }) }).catch((error) => {
      openSettings(dataDir).change((now) => withoutProfile(now, name));
      throw error;
    });
  console.log(`${name} is added.${whereRunning(dataDir)}`);
  if (follows !== undefined && needsFeedKey(follows.name))
    console.log(`It waits for the key of its vendor: npm run barograph -- profiles key set ${name}`);
}

const symbolsIn = (text: string | undefined): { symbols?: string[] } =>
  text === undefined
    ? {}
    : {
        symbols: text
          .split(/[\s,;]+/)
          .filter((word) => word !== '')
          .map(normalizeSymbol),
      };

/** Sets the state map of a profile's service. @param map "default": the meaning in the contract */
export function setStates(name: string, map: string, { dataDir }: Flags): void {
  const states = map.trim() === 'default' ? null : stateMapIn('STATES', map);
  openSettings(dataDir).change((now) => {
    if (!now.profiles.some((one) => one.name === name)) throw unknownProfile(name, now.profiles);
    return {
      ...now,
      profiles: now.profiles.map(({ states: before, ...one }) =>
        one.name === name
          ? { ...one, ...(states === null ? {} : { states }) }
          : { ...one, ...(before === undefined ? {} : { states: before }) },
      ),
    };
  });
  const said = states === null ? '0 = Normal, 1 = Elevated, 2 = High Risk, and the names' : stateMapText(states);
  console.log(
    `${name} reads states as ${said}. What is recorded under a word that was not known is read again.${whereRunning(dataDir)}`,
  );
}

/** @throws UsageError with the part that is wrong */
function stateMapIn(flag: string, text: string): StateMap {
  const read = parseStateMap(text);
  if (read.ok) return read.value;
  throw new UsageError(`${flag}: ${read.error}`);
}

/**
 * Allows the app to send the key of a profile without a proof to the program at its address, until that
 * proves itself. A program that is known to be another user's gets no key.
 */
export function trustProfile(name: string, { dataDir }: Flags): void {
  const settings = openSettings(dataDir);
  const profile = settings.read().profiles.find((one) => one.name === name);
  if (profile?.baseUrl == null || new URL(profile.baseUrl).protocol !== 'http:')
    throw new UsageError(`${name}: only a profile with an http address on this computer needs this.`);
  trustPeer(settings, profile);
  console.log(
    `The key of ${name} goes to what listens at ${profile.baseUrl} without a proof, unless that is known to be another user's program. This ends when the address changes, or once the service proves itself.`,
  );
}

export async function removeProfile(name: string, { dataDir }: Flags): Promise<void> {
  const settings = openSettings(dataDir);
  const now = settings.read();
  const profile = now.profiles.find((one) => one.name === name);
  if (profile === undefined) throw unknownProfile(name, now.profiles);
  mayRemove(now.profiles, name);
  // No command could delete the secrets of a removed profile later.
  await unlockAndForget(profile, { dataDir }).catch((error) => {
    if (error instanceof UsageError) throw error;
    throw new Error(`${name} is not removed: its secrets could not be deleted. ${messageOf(error)}`);
  });
  if (profile.keys?.saved_at != null) console.log(`The key of ${name} was deleted from this computer.`);
  settings.change((last) => {
    mayRemove(last.profiles, name);
    return withoutProfile(last, name);
  });
  const list = now.watchlists.some(({ id }) => id === sourceListId(name)) ? ', with its own watchlist' : '';
  console.log(`${name} is removed${list}; its ledger stays in the data folder.${whereRunning(dataDir)}`);
}

/** @throws UsageError where there is no such profile, or no other */
function mayRemove(profiles: readonly Profile[], name: string): void {
  const rest = profiles.filter((other) => other.name !== name);
  if (rest.length === profiles.length) throw unknownProfile(name, profiles);
  if (rest.length === 0) throw new UsageError(`${name} is the only profile. Add another one first.`);
  if (!rest.some((other) => other.enabled) && profiles.some((other) => other.enabled))
    throw new UsageError(`${name} is the only enabled profile. Turn another one on first.`);
}

const unknownProfile = (name: string, profiles: readonly Profile[]): UsageError =>
  new UsageError(`There is no profile ${name}. Profiles: ${profiles.map((one) => one.name).join(', ')}.`);

const whereRunning = (dataDir: string): string =>
  readRunFile(dataDir) === null ? '' : ' The running app follows within seconds.';

const FLAGS: Readonly<Record<string, string>> = {
  name: 'NAME',
  environment: '--env',
  baseUrl: '--url',
  mode: '--mode',
  scenario: '--scenario',
  feed: '--feed',
};

function inFlags(error: z.ZodError): string {
  const issue = error.issues[0];
  const field = String(issue?.path[0] ?? '');
  return `${FLAGS[field] ?? field}: ${issue?.message ?? 'this cannot be used'}.`;
}
