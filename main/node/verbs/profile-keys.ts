// Main, command line: `barograph profiles key`: sets, describes, moves and forgets a profile's key.
// The key comes by prompt or standard input only.
import { KEY_TIERS, type KeyTier, PASSPHRASE_MIN } from '../../../shared/channels/keys.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { createKeyStore, forgetSecrets, type KeyStore } from '../../core/keys/key-store.ts';
import type { Confirmation, KeyProblem, ProfileKeys } from '../../core/keys/profile-keys.ts';
import type { SettingsStore } from '../../core/ports.ts';
import type { Profile } from '../../core/profiles/settings.ts';
import { UsageError } from '../../host/command-line.ts';
import { openDataFolder } from '../../host/data-folder.ts';
import { listenerAt } from '../../host/listener.ts';
import { keysOf } from '../../host/profile-keys.ts';
import { readRunFile } from '../../host/run-file.ts';
import { takePassphraseFromEnvironment } from '../../host/secrets.ts';
import { systemClock } from '../../host/system-clock.ts';
import { createFeedChecker } from '../../service/checks.ts';
import { openProcessNetwork } from '../../service/process-network.ts';
import { askHidden, readSecret } from '../hidden-input.ts';
import { startKeychain } from '../machine.ts';
import { openSettings } from './open-settings.ts';

interface Flags {
  readonly dataDir: string;
}
interface KeyAccess {
  readonly keys: ProfileKeys;
  readonly keyStore: KeyStore;
}

interface KeepFlags extends Flags {
  readonly keep?: string;
}

export const setKey = (name: string, flags: KeepFlags): Promise<void> =>
  saveKey(name, () => readSecret(`Key of ${name} (it is not shown): `), flags);

/** Saves a key, or the session that a one-time link of a dashboard begins. */
export async function saveKey(
  name: string,
  readKey: () => Promise<string>,
  { dataDir, keep }: KeepFlags,
): Promise<void> {
  const tier = keep === undefined ? undefined : lasting('--keep', keep);
  const { keys, keyStore } = openKeyAccess(name, dataDir);
  const key = await readKey();
  if (key.trim() === '')
    throw new UsageError('No key was given. Type it at the prompt, or pipe it in: profiles key set NAME < FILE');
  const passphrase = await passphraseFor(keyStore, tier ?? keyStore.tierOf(name));
  report(await keys.set({ key, ...(tier === undefined ? {} : { tier }), ...passphrase }));
  whenRunning(dataDir, keyStore.tierOf(name));
}

/** Tier, prefix and age from the settings; does not access the keychain. */
export function showKey(name: string, { dataDir }: Flags): void {
  const { tier_label, prefix, saved_at, age_days, rotation_due, message } = openKeyAccess(name, dataDir).keys.state();
  console.log(`tier\t${textOf(tier_label)}`);
  if (saved_at === null) {
    console.log(`key\t${textOf(message)}`);
    return;
  }
  console.log(`prefix\t${prefix === '' || prefix === null ? 'not one of this service' : prefix}`);
  console.log(`saved\t${saved_at}, ${age_days === 1 ? '1 day' : `${age_days} days`} ago`);
  if (rotation_due) console.log(`rotate\t${textOf(message)}`);
}

export async function forgetKey(
  name: string,
  { dataDir, lostPassphrase = false }: Flags & { readonly lostPassphrase?: boolean },
): Promise<void> {
  const { keys, keyStore } = openKeyAccess(name, dataDir);
  if (lostPassphrase) {
    const typed = await readSecret(`The keys of ${name} in the passphrase vault are given up. Type ${name} to do so: `);
    if (typed.trim() !== name) throw new UsageError(`That is not ${name}; nothing was changed.`);
    report(await keys.forget(true));
    return whenRunning(dataDir);
  }
  await unlockFor(keyStore, keyStore.tierOf(name));
  report(await keys.forget());
  whenRunning(dataDir);
}

/** Deletes every secret of the profile; asks for the passphrase of its vault. @throws VaultError */
export async function unlockAndForget(profile: Profile, { dataDir }: Flags): Promise<void> {
  const keyStore = openKeyStore(openSettings(dataDir), dataDir);
  const tier = keyStore.tierOf(profile.name);
  if (tier === 'passphrase' && !keyStore.passphrase.exists()) return;
  await unlockFor(keyStore, tier);
  await forgetSecrets(keyStore, profile);
}

export async function moveKey(name: string, { dataDir, to }: Flags & { readonly to: string }): Promise<void> {
  const tier = lasting('--to', to);
  const { keys, keyStore } = openKeyAccess(name, dataDir);
  if (tier !== keyStore.tierOf(name)) {
    await unlockFor(keyStore, keyStore.tierOf(name));
    await unlockFor(keyStore, tier);
  }
  report(await keys.move({ tier }));
  whenRunning(dataDir, tier);
}

const openKeyStore = (settings: SettingsStore, dataDir: string): KeyStore =>
  createKeyStore({
    clock: systemClock,
    platform: process.platform,
    settings,
    dataFolder: openDataFolder(dataDir),
    startKeychain,
  });

function openKeyAccess(name: string, dataDir: string): KeyAccess {
  const settings = openSettings(dataDir);
  const { profiles } = settings.read();
  const profile = profiles.find((one) => one.name === name);
  if (profile === undefined)
    throw new UsageError(`There is no profile ${name}. Profiles: ${profiles.map((one) => one.name).join(', ')}.`);
  const machine = { clock: systemClock, platform: process.platform, settings };
  const keyStore = openKeyStore(settings, dataDir);
  const { fetch, findProxy } = openProcessNetwork(process.env);
  const access = { ...machine, fetch, listener: listenerAt };
  const checkFeed = createFeedChecker(findProxy);
  const keys = keysOf(profile, { keyStore, settings }, access, { runKey: null, checkFeed });
  if (keys === null) throw new UsageError(textOf(message('key.not_needed', { name })));
  return { keyStore, keys };
}

/** Reads a tier that outlives this command. */
function lasting(flag: string, given: string): KeyTier {
  const found = KEY_TIERS.find((tier) => tier === given);
  if (found === undefined) throw new UsageError(`${flag} ${given}: it must be keychain or passphrase.`);
  if (found === 'session')
    throw new UsageError(
      `${flag} session: a session ends with its program. Give the key with BAROGRAPH_KEY at the start of one, or set it in its window.`,
    );
  return found;
}

async function unlockFor(keyStore: KeyStore, tier: KeyTier): Promise<void> {
  const { passphrase } = await passphraseFor(keyStore, tier);
  if (passphrase !== undefined) await keyStore.passphrase.unlock(passphrase);
}

/** Reads the passphrase from BAROGRAPH_PASSPHRASE, else from a prompt; asks twice for a new vault. */
async function passphraseFor(keyStore: KeyStore, tier: KeyTier): Promise<{ readonly passphrase?: string }> {
  if (tier !== 'passphrase' || !keyStore.passphrase.isLocked()) return {};
  const given = takePassphraseFromEnvironment(process.env);
  if (given === null && !process.stdin.isTTY)
    throw new UsageError(
      'The passphrase vault needs its passphrase. Give BAROGRAPH_PASSPHRASE, or run this in a terminal.',
    );
  const isNew = !keyStore.passphrase.exists();
  const passphrase = given ?? (await askHidden(isNew ? 'New passphrase for the vault: ' : 'Passphrase of the vault: '));
  if (isNew && passphrase.length < PASSPHRASE_MIN)
    throw new UsageError(`A passphrase has at least ${PASSPHRASE_MIN} characters.`);
  if (isNew && given === null && passphrase !== (await askHidden('Repeat it: ')))
    throw new UsageError('The two passphrases are not the same; nothing was changed.');
  return { passphrase };
}

function report(outcome: Result<Confirmation, KeyProblem>): void {
  if (!outcome.ok) {
    const text = textOf(outcome.error.message);
    throw outcome.error.kind === 'misfit' ? new UsageError(text) : new Error(text);
  }
  console.log(textOf(outcome.value.message));
  if (outcome.value.warning !== null) console.error(`barograph: ${textOf(outcome.value.warning)}`);
}

function whenRunning(dataDir: string, tier?: KeyTier): void {
  if (readRunFile(dataDir) === null) return;
  const when = tier === 'passphrase' ? 'once the vault is open there (Settings, Keys)' : 'within seconds';
  console.error(`barograph: The running app takes this up ${when}, unless BAROGRAPH_KEY is in use.`);
}
