// Main, core: the key in use of a profile, its record in the settings, and its lookup in the vault.
import type { KeyState, KeyTier } from '../../../shared/channels/keys.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message, optionalText } from '../../../shared/text/message.ts';
import { KEY_PREFIXES, keyEnvironment } from '../../../shared/wire/keys.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { SettingsStore } from '../ports.ts';
import type { KeyRecord, Profile } from '../profiles/settings.ts';
import { type KeyStore, tierLabel } from './key-store.ts';
import { API_KEY_ACCOUNT } from './session-vault.ts';
import { VaultError, vaultMessage } from './vault-error.ts';

export type KeyLookup = Pick<KeyState, 'status'> & { readonly key: string | null; readonly problem: Message | null };

export interface CurrentKey {
  lookup(): KeyLookup;
  /** The record of the key in the settings. */
  record(): KeyRecord;
  /** True for a key from BAROGRAPH_KEY, which is used for this run only. */
  isRunKey(): boolean;
  /** Asks the vault, if a key was saved. Never throws; `lookup` has the result. */
  load(): Promise<void>;
  write(keys: KeyRecord): void;
  /** The vault has stored this key. */
  saved(key: string, tier: KeyTier): void;
  /** The vault has deleted the key. */
  forgotten(tier: KeyTier): void;
  onChange(listener: () => void): void;
}

export interface CurrentKeyOptions {
  readonly profile: Profile;
  readonly keyStore: KeyStore;
  readonly settings: SettingsStore;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  readonly runKey: string | null;
}

const NOTHING: KeyLookup = { status: 'none', key: null, problem: null };
const UNSAVED: KeyRecord = { tier: 'keychain', saved_at: null, prefix: null };

export function createCurrentKey(options: CurrentKeyOptions): CurrentKey {
  const { keyStore, settings, clock, platform, runKey } = options;
  const { name } = options.profile;
  let found: KeyLookup = runKey === null ? NOTHING : { status: 'ready', key: runKey, problem: null };
  let isRunKey = runKey !== null;
  let notify: () => void = () => undefined;
  /** Counts keys set or forgotten. */
  let changes = 0;
  /** A lookup runs while no key is in use: a keychain that hangs is not asked twice. */
  let isAwaited = false;

  const record = (): KeyRecord => settings.read().profiles.find((one) => one.name === name)?.keys ?? UNSAVED;
  const write = (keys: KeyRecord): void => {
    settings.change((now) => ({
      ...now,
      profiles: now.profiles.map((one) => (one.name === name ? { ...one, keys } : one)),
    }));
  };
  const become = (next: KeyLookup): void => {
    const isSame =
      next.status === found.status &&
      next.key === found.key &&
      optionalText(next.problem) === optionalText(found.problem);
    found = next;
    if (!isSame) notify();
  };
  const replace = (keys: KeyRecord, next: KeyLookup): void => {
    write(keys);
    isRunKey = false;
    changes += 1;
    become(next);
  };
  return {
    lookup: () => found,
    record,
    isRunKey: () => isRunKey,
    async load() {
      if (isRunKey || (isAwaited && found.key === null)) return;
      const { tier, saved_at } = record();
      if (saved_at === null && tier !== 'session') return become(NOTHING);
      const inUse = found.key;
      const changesBefore = changes;
      isAwaited = inUse === null;
      // A failure remains visible during a further lookup.
      if (isAwaited && tier !== 'session' && found.status !== 'failed')
        become({
          status: 'pending',
          key: null,
          problem: message('key.pending', { tier: tierLabel(tier, platform) }),
        });
      try {
        const key = await keyStore.at(tier).getPassword(name, API_KEY_ACCOUNT);
        // A key was set or forgotten during the lookup: the vault's answer is out of date.
        if (changesBefore !== changes) return;
        if (key !== null) become({ status: 'ready', key, problem: null });
        else become(saved_at === null ? NOTHING : { status: 'failed', key, problem: gone(tier, saved_at, platform) });
      } catch (error) {
        // A failed lookup does not replace a key in use.
        if (inUse !== null || changesBefore !== changes) return;
        const isLocked = error instanceof VaultError && error.kind === 'locked';
        become({ status: isLocked ? 'locked' : 'failed', key: null, problem: vaultMessage(error) });
      } finally {
        if (inUse === null) isAwaited = false;
      }
    },
    write,
    saved: (key, tier) =>
      replace(
        { tier, saved_at: tier === 'session' ? null : timestamp(clock.now()), prefix: prefixOf(key) },
        { status: 'ready', key, problem: null },
      ),
    forgotten: (tier) => replace({ tier, saved_at: null, prefix: null }, NOTHING),
    onChange(listener) {
      notify = listener;
    },
  };
}

/** The prefix that names the key's environment; empty where none does. */
export function prefixOf(key: string): string {
  const named = keyEnvironment(key);
  return named === null ? '' : KEY_PREFIXES[named];
}

const gone = (tier: KeyTier, savedAt: string, platform: NodeJS.Platform): Message =>
  message('key.gone', { tier: tierLabel(tier, platform), day: savedAt.slice(0, 10) });
