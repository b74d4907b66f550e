// Main, core: the tiers of key storage. The user chooses a profile's tier; there is no fallback.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KEY_TIERS, type KeyTier } from '../../../shared/channels/keys.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { KeyVault, SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeychain, type KeychainStarter } from './keychain.ts';
import { createPassphraseVault, type PassphraseVault } from './passphrase-vault.ts';
import { createSessionVault } from './session-vault.ts';
import { VaultError } from './vault-error.ts';

export interface KeyStore {
  readonly passphrase: PassphraseVault;
  /** The tier that a profile's keys are kept in. */
  tierOf(profile: string): KeyTier;
  at(tier: KeyTier): KeyVault;
  /** Grows with every secret of a channel that is set or deleted. */
  channelSecretsVersion(): number;
  /** Key vault of a profile, in the tier that it has at the time of each call. */
  vaultOf(profile: string): KeyVault;
  /**
   * Copies every item of a profile from one tier to another, and reads it back. The originals remain: `clear`
   * deletes them once the settings name the new tier.
   * @param except an account that is not copied
   * @throws VaultError
   */
  copy(profile: string, from: KeyTier, to: KeyTier, except?: string): Promise<void>;
  /**
   * Deletes every item of a profile from a tier, its own by default. @throws VaultError where that does not
   * open
   */
  clear(profile: string, tier?: KeyTier): Promise<void>;
  /** Abandons a locked passphrase vault that no profile has its keys in. */
  abandonUnused(): void;
}

export interface KeyStoreOptions {
  readonly dataFolder: string;
  readonly settings: SettingsStore;
  readonly startKeychain: KeychainStarter;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
}

/**
 * In place of a profile: the secrets of notification channels, which all profiles share; and those that the user
 * keeps until the end of the program, on a computer without a keychain.
 */
export const CHANNEL_SECRETS = '@channels';
export const SESSION_CHANNEL_SECRETS = '@channels-session';

/** The file of the passphrase vault in the data folder. */
export const VAULT_FILE = 'keys.vault';

export const tierLabel = (tier: KeyTier, platform: NodeJS.Platform): Message =>
  tier === 'keychain' ? message('tier.keychain', { platform }) : message(`tier.${tier}`);

export function createKeyStore({ dataFolder, settings, startKeychain, clock, platform }: KeyStoreOptions): KeyStore {
  const passphrase = createPassphraseVault(join(dataFolder, VAULT_FILE));
  const vaults: Readonly<Record<KeyTier, KeyVault>> = {
    keychain: scoped(createKeychain({ start: startKeychain, clock, platform }), settings),
    passphrase,
    session: createSessionVault(),
  };
  const tierOf = (profile: string): KeyTier => {
    if (profile === SESSION_CHANNEL_SECRETS) return 'session';
    // All profiles share them, so they are where the user keeps other keys.
    if (profile === CHANNEL_SECRETS)
      return settings.read().profiles.some(({ keys }) => keys?.tier === 'passphrase') ? 'passphrase' : KEY_TIERS[0];
    const found = settings.read().profiles.find(({ name }) => name === profile);
    // The service inside the app can make its items again, so no keychain is opened for it.
    return found?.keys?.tier ?? (found?.baseUrl === null ? 'session' : KEY_TIERS[0]);
  };
  let channelSecretsVersion = 0;
  const changed = (service: string): void => {
    if (service === CHANNEL_SECRETS || service === SESSION_CHANNEL_SECRETS) channelSecretsVersion += 1;
  };
  const at = (tier: KeyTier): KeyVault => vaults[tier];
  const of = (service: string): KeyVault => at(tierOf(service));
  return {
    passphrase,
    tierOf,
    channelSecretsVersion: () => channelSecretsVersion,
    at,
    vaultOf: (profile) => ({
      get tier() {
        return of(profile).tier;
      },
      getPassword: (service, account) => of(service).getPassword(service, account),
      setPassword: (service, account, password) =>
        of(service)
          .setPassword(service, account, password)
          .finally(() => changed(service)),
      deletePassword: (service, account) =>
        of(service)
          .deletePassword(service, account)
          .finally(() => changed(service)),
      findCredentials: (service) => of(service).findCredentials(service),
    }),
    async copy(profile, from, to, except) {
      for (const { account, password } of await at(from).findCredentials(profile))
        if (account !== except) await store(at(to), { service: profile, account, password });
    },
    async clear(profile, tier = tierOf(profile)) {
      const vault = at(tier);
      for (const { account } of await vault.findCredentials(profile)) await vault.deletePassword(profile, account);
    },
    abandonUnused() {
      const isUsed = settings.read().profiles.some(({ keys }) => keys?.tier === 'passphrase');
      if (!isUsed && passphrase.exists()) passphrase.abandon();
    },
  };
}

/**
 * Deletes every secret of a profile that is removed: its key, and those of its relay and channels.
 * @throws VaultError where the vault of a profile with a key does not open; then the key is still there
 */
export async function forgetSecrets(keyStore: KeyStore, { name, keys }: Pick<Profile, 'name' | 'keys'>): Promise<void> {
  const cleared = keyStore.clear(name);
  // Without a key the vault has at most the relay's secret, and a machine without a vault not even that.
  await (keys === undefined ? cleared.catch(() => undefined) : cleared);
}

/**
 * Stores, reads back, and only then returns. @throws VaultError where the value read differs from the value
 * stored
 */
export async function store(
  vault: KeyVault,
  item: { service: string; account: string; password: string },
): Promise<void> {
  await vault.setPassword(item.service, item.account, item.password);
  if ((await vault.getPassword(item.service, item.account)) === item.password) return;
  throw new VaultError('unavailable', message('vault.not_read_back', { tier: vault.tier }));
}

/**
 * All data folders of a user share one keychain, so the items of each have the folder's prefix. Before the
 * first item there is no prefix and no lookup, so that no desktop asks to unlock a keyring in vain.
 */
function scoped(keychain: KeyVault, settings: SettingsStore): KeyVault {
  const scopedName = (service: string): string | null => {
    const { vault } = settings.read();
    return vault === undefined ? null : `barograph/${vault}/${service}`;
  };
  return {
    tier: keychain.tier,
    async getPassword(service, account) {
      const where = scopedName(service);
      return where === null ? null : keychain.getPassword(where, account);
    },
    async setPassword(service, account, password) {
      // Stored first: an item under an unknown prefix could never be found again.
      if (scopedName(service) === null)
        settings.change((now) => ({ ...now, vault: now.vault ?? randomBytes(6).toString('hex') }));
      await keychain.setPassword(scopedName(service) ?? '', account, password);
    },
    async deletePassword(service, account) {
      const where = scopedName(service);
      return where === null ? false : keychain.deletePassword(where, account);
    },
    async findCredentials(service) {
      const where = scopedName(service);
      return where === null ? [] : keychain.findCredentials(where);
    },
  };
}
