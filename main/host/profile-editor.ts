// Main, host: adds, enables and removes profiles; a change that fails leaves nothing behind.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { RefusedError, refused } from '../../shared/channels/channel.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { StateMap } from '../../shared/settings/state-map.ts';
import { joinedMessages, message } from '../../shared/text/message.ts';
import { forgetSecrets } from '../core/keys/key-store.ts';
import { vaultMessage } from '../core/keys/vault-error.ts';
import type { ConnectionTests } from '../core/profiles/connection-test.ts';
import { type Profile, withoutProfile } from '../core/profiles/settings.ts';
import type { PriceChecker } from './embedded-service.ts';
import type { FeedTests } from './feed-tests.ts';
import type { ShellNotifier } from './notification-log.ts';
import { createProfileAdder, type Prepare, type ProfileAdder } from './profile-adder.ts';
import type { OpenDataFolder } from './profile-runtime.ts';
import type { ProfileRuntimes } from './profile-runtimes.ts';

/** Every change is refused, with a message, where it cannot be made. */
export interface ProfileEditor {
  readonly profiles: () => readonly Profile[];
  readonly add: ProfileAdder;
  enable(name: string): Promise<void>;
  /** @param shown the profile of the window that asks: it cannot be turned off or removed there */
  disable(name: string, shown: string): Promise<void>;
  /** Adds to its state map; the profile follower opens it again. */
  mapStates(name: string, states: StateMap): void;
  remove(name: string, shown: string, withFiles: boolean): Promise<void>;
}

export interface ProfileEditorDeps {
  readonly folder: Pick<OpenDataFolder, 'path' | 'settings' | 'keyStore' | 'notificationLog'>;
  readonly runtimes: Pick<ProfileRuntimes, 'running' | 'end'>;
  readonly connectionTests: Pick<ConnectionTests, 'draft' | 'forget'>;
  readonly feedTests: Pick<FeedTests, 'draft' | 'forget'>;
  readonly checkPrices: PriceChecker;
  readonly notifier: Pick<ShellNotifier, 'withdraw'>;
  /** Begins to monitor a profile. */
  readonly open: (profile: Profile, prepare?: Prepare) => Promise<void>;
}

export function createProfileEditor(deps: ProfileEditorDeps): ProfileEditor {
  const { runtimes, open } = deps;
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
      // The settings name the tier of the profile's key only while they have the profile.
      const added = profiles().find(({ name }) => name === profile.name) ?? profile;
      const left = await forgetSecrets(keyStore, added).then(() => null, vaultMessage);
      write((now) => now.filter(({ name }) => name !== profile.name));
      const refusal =
        error instanceof RefusedError
          ? error
          : refused(message('profile.not_added', { name: profile.name, why: messageOf(error) }));
      if (left === null) throw refusal;
      throw refused(joinedMessages(refusal.refusal.message, message('profile.key_left', { why: left })));
    }
  };
  return {
    profiles,
    add: createProfileAdder({ ...deps, settings, add }),
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
    mapStates(name, states) {
      find(name);
      write((now) => now.map((one) => (one.name === name ? { ...one, states: { ...one.states, ...states } } : one)));
    },
    async remove(name, shown, withFiles) {
      const profile = find(name);
      mayEnd(name, shown);
      // Fails where the settings cannot be written, before anything is deleted.
      write((now) => now);
      // A key of a removed profile must not stay behind.
      await forgetSecrets(keyStore, profile).catch((error) => {
        throw refused(message('profile.key_not_deleted', { why: vaultMessage(error) }));
      });
      settings.change((now) => withoutProfile(now, name));
      await runtimes.end(name);
      notificationLog.withdrawAll(name, deps.notifier);
      if (!withFiles) return;
      rmSync(join(dataFolder, 'profiles', name), { recursive: true, force: true });
      await notificationLog.forget(name);
    },
  };
}
