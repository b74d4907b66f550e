// Main, host: adds, enables and removes profiles; a change that fails leaves nothing behind.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RefusedError, refused } from '../../shared/channels/channel.ts';
import type { InputOf, OutputOf } from '../../shared/channels/ends.ts';
import type { ProfileChannels } from '../../shared/channels/profiles.ts';
import { FEED_SYMBOLS } from '../../shared/domain/price-feeds.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { type Message, message, plainMessage } from '../../shared/text/message.ts';
import type { KeyStore } from '../core/keys/key-store.ts';
import type { ProfileKeys } from '../core/keys/profile-keys.ts';
import { vaultMessage } from '../core/keys/vault-error.ts';
import type { ConnectionTests } from '../core/profiles/connection-test.ts';
import { type Profile, ProfileSchema } from '../core/profiles/settings.ts';
import type { PriceChecker } from './embedded-service.ts';
import { ofFeed } from './feed-profile.ts';
import type { ShellNotifier } from './notification-log.ts';
import type { OpenDataFolder, OpenOptions } from './profile-runtime.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';
import { withSourceList } from './source-list.ts';

/** Every change is refused, with a message, where it cannot be made. */
export interface ProfileEditor {
  readonly profiles: () => readonly Profile[];
  add(name: string, source: Source): Promise<Added>;
  enable(name: string): Promise<void>;
  /** @param shown the profile of the window that asks: it cannot be turned off or removed there */
  disable(name: string, shown: string): Promise<void>;
  remove(name: string, shown: string, withFiles: boolean): Promise<void>;
}

type Source = InputOf<ProfileChannels['profiles.add']>['source'];
type RemoteSource = Extract<Source, { kind: 'remote' }>;
type PriceSource = Extract<Source, { kind: 'prices' }>;
type FeedSource = Extract<Source, { kind: 'feed' }>;
type ScenarioSource = Extract<Source, { kind: 'simulated' }>;
type Added = OutputOf<ProfileChannels['profiles.add']>;
type Prepare = NonNullable<OpenOptions['prepare']>;

export interface ProfileEditorDeps {
  readonly folder: Pick<OpenDataFolder, 'path' | 'settings' | 'keyStore' | 'notificationLog'>;
  readonly runtimes: Pick<ProfileRuntimes, 'running' | 'end'>;
  readonly connectionTests: Pick<ConnectionTests, 'draft' | 'forget'>;
  readonly checkPrices: PriceChecker;
  readonly notifier: Pick<ShellNotifier, 'withdraw'>;
  /** Begins to monitor a profile. */
  readonly open: (profile: Profile, prepare?: Prepare) => Promise<void>;
}

export function createProfileEditor(deps: ProfileEditorDeps): ProfileEditor {
  const { runtimes, connectionTests, open } = deps;
  const { path: dataFolder, settings, keyStore, notificationLog } = deps.folder;

  const profiles = (): Profile[] => settings.read().profiles;
  const find = (name: string): Profile => {
    const found = profiles().find((profile) => profile.name === name);
    if (found === undefined) throw refused(message('profile.unknown', { name }));
    return found;
  };
  const write = (change: (now: Profile[]) => Profile[]): void =>
    settings.change((now) => ({ ...now, profiles: change(now.profiles) }));
  const setEnabled = (name: string, enabled: boolean): void =>
    write((now) => now.map((one) => (one.name === name ? { ...one, enabled } : one)));
  const mayEnd = (name: string, shown: string): void => {
    if (name === shown) throw refused(message('profile.shown_here', { name }));
    if (!profiles().some((other) => other.enabled && other.name !== name))
      throw refused(message('profile.last', { name }));
  };
  const add = async (profile: Profile, prepare?: Prepare): Promise<void> => {
    write((now) => {
      if (now.some(({ name }) => name === profile.name))
        throw refused(message('profile.exists', { name: profile.name }));
      return [...now, profile];
    });
    try {
      await open(profile, prepare);
    } catch (error) {
      write((now) => now.filter(({ name }) => name !== profile.name));
      if (error instanceof RefusedError) throw error;
      throw refused(message('profile.not_added', { name: profile.name, why: messageOf(error) }));
    }
  };
  const addRemote = async (name: string, { draft, tier, passphrase, states }: RemoteSource): Promise<Added> => {
    const { environment, url, mode, key } = connectionTests.draft(draft);
    let warning: Message | null = null;
    const given = { name, environment, baseUrl: url, mode, enabled: true, ...(states === undefined ? {} : { states }) };
    await add(profileOf(given), async (keys: ProfileKeys) => {
      if (key !== null) warning = await storeKey(keys, key, { tier, passphrase });
    });
    connectionTests.forget();
    return { warning };
  };
  const addPrices = async (name: string, { kind: _, ...source }: PriceSource): Promise<Added> => {
    const report = await deps.checkPrices(source.folder, source.editorial);
    if (report.refused !== null) throw refused(plainMessage(report.refused));
    const prices = { ...source, folder: report.folder, editorial: report.editorial };
    const selected = report.symbols.includes(settings.read().selected ?? '') ? undefined : report.symbols[0];
    const given = { baseUrl: null, mode: 'auto', enabled: true, prices, ...(selected && { selected }) } as const;
    await add(profileOf({ name, environment: 'production', ...given }));
    settings.change((now) => ({
      ...now,
      watchlists: withSourceList(now.watchlists, { name, section: 'Own prices', symbols: report.symbols }),
    }));
    return { warning: null };
  };

  const addFeed = async (name: string, { feed }: FeedSource): Promise<Added> => {
    await add(profileOf({ name, ...ofFeed({ name: feed }) }));
    settings.change((now) => ({
      ...now,
      watchlists: withSourceList(now.watchlists, { name, section: 'Coins', symbols: FEED_SYMBOLS[feed] }),
    }));
    return { warning: null };
  };
  const addScenario = async (name: string, { scenario }: ScenarioSource): Promise<Added> => {
    await add(profileOf({ name, environment: 'sandbox', baseUrl: null, mode: 'auto', enabled: true, scenario }));
    return { warning: null };
  };
  const addFrom = (name: string, source: Source): Promise<Added> => {
    switch (source.kind) {
      case 'remote':
        return addRemote(name, source);
      case 'prices':
        return addPrices(name, source);
      case 'feed':
        return addFeed(name, source);
      case 'simulated':
        return addScenario(name, source);
    }
  };

  return {
    profiles,
    add: addFrom,
    async enable(name) {
      const profile = find(name);
      if (!runtimes.running.has(name))
        await open({ ...profile, enabled: true }).catch((error) => {
          throw refused(message('profile.not_opened', { name, why: messageOf(error) }));
        });
      setEnabled(name, true);
    },
    async disable(name, shown) {
      find(name);
      mayEnd(name, shown);
      setEnabled(name, false);
      await runtimes.end(name);
    },
    async remove(name, shown, withFiles) {
      const profile = find(name);
      mayEnd(name, shown);
      // A key of a removed profile must not stay behind.
      if (profile.keys !== undefined) await forgetKeys(keyStore, name);
      await runtimes.end(name);
      write((now) => now.filter((one) => one.name !== name));
      notificationLog.withdrawAll(name, deps.notifier);
      if (!withFiles) return;
      rmSync(join(dataFolder, 'profiles', name), { recursive: true, force: true });
      await notificationLog.forget(name);
    },
  };
}

/**
 * The schema of the channel has validated the request; a violated rule of the settings file is reported too.
 */
function profileOf(given: Profile): Profile {
  const profile = ProfileSchema.safeParse(given);
  if (profile.success) return profile.data;
  const [issue] = profile.error.issues;
  throw refused(issue === undefined ? message('profile.invalid') : plainMessage(issue.message));
}

/** @returns what the user should know about where it is kept; null: nothing. @throws RefusedError */
async function storeKey(
  keys: ProfileKeys,
  key: string,
  { tier, passphrase }: Pick<RemoteSource, 'tier' | 'passphrase'>,
): Promise<Message | null> {
  const saved = await keys.set({
    key,
    ...(tier === null ? {} : { tier }),
    ...(passphrase === null ? {} : { passphrase }),
  });
  if (!saved.ok) throw refused(saved.error.message);
  return saved.value.warning;
}

/** @throws RefusedError where its vault does not open; then the profile is unchanged */
async function forgetKeys(keyStore: KeyStore, name: string): Promise<void> {
  try {
    await keyStore.clear(name);
  } catch (error) {
    throw refused(message('profile.key_not_deleted', { why: vaultMessage(error) }));
  }
}
