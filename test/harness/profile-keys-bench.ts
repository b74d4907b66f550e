// Test harness: the keys of one profile over a fake keychain, in a fresh folder for every test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ProbeResult } from '../../main/core/keys/key-probe.ts';
import { createKeyStore, type KeyStore } from '../../main/core/keys/key-store.ts';
import { createProfileKeys, type ProfileKeys } from '../../main/core/keys/profile-keys.ts';
import { DEFAULT_SETTINGS, type Profile, type Settings, SettingsSchema } from '../../main/core/profiles/settings.ts';
import { createFakeKeychain, type FakeKeychain } from './fake-keychain.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

export const PROFILE: Profile = {
  name: 'desk',
  environment: 'production',
  baseUrl: 'https://api.example.com',
  mode: 'auto',
  enabled: true,
};

export interface ProfileKeysBench {
  clock: ManualClock;
  keychain: FakeKeychain;
  settings: Settings;
  /** Whether a change of the settings throws. */
  isReadOnly: boolean;
  /** How often the keys reported a change. */
  changes: number;
  /** What the service says of a key. */
  service: ProbeResult;
  /** The next start of the program. */
  open(more?: { profile?: Profile; runKey?: string }): { keys: ProfileKeys; keyStore: KeyStore };
  /** What the settings say of the key of the first profile. */
  record(): Profile['keys'];
}

/** Call at the top of a test file. */
export function setUpProfileKeys(): ProfileKeysBench {
  let folder: string;
  const fresh = (): Pick<
    ProfileKeysBench,
    'clock' | 'keychain' | 'settings' | 'isReadOnly' | 'changes' | 'service'
  > => ({
    clock: createManualClock(),
    keychain: createFakeKeychain(),
    settings: { ...DEFAULT_SETTINGS, profiles: [PROFILE] },
    isReadOnly: false,
    changes: 0,
    service: { outcome: 'accepted', message: null },
  });
  const bench: ProfileKeysBench = {
    ...fresh(),
    open({ profile = PROFILE, runKey = null }: { profile?: Profile; runKey?: string | null } = {}) {
      const store = {
        read: () => bench.settings,
        change: (job: (now: Settings) => Settings) => {
          if (bench.isReadOnly) throw new Error('the settings file is read-only');
          bench.settings = SettingsSchema.parse(job(bench.settings));
        },
      };
      const machine = { settings: store, clock: bench.clock, platform: 'linux' as const };
      const keyStore = createKeyStore({ ...machine, dataFolder: folder, startKeychain: bench.keychain.start });
      const session = async (link: string) => link.replace(/^.*#t=/, 'dsh_');
      const probe = async () => bench.service;
      const keys = createProfileKeys({ ...machine, profile, keyStore, runKey, probe, session });
      keys.onChange(() => {
        bench.changes += 1;
      });
      return { keys, keyStore };
    },
    record: () => bench.settings.profiles[0]?.keys,
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'barograph-keys-'));
    Object.assign(bench, fresh());
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return bench;
}
