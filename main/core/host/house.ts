// Main, core: everything that runs behind the windows of one data folder, put together: a core per enabled profile, the embedded
// service where one needs it, settings, log, notifications. A shell opens a house and hangs its windows on it.
import { join } from 'node:path';
import { channels } from '../../../shared/channels/channels.ts';
import { createDispatch } from '../../../shared/channels/ends.ts';
import type { LinkedCore } from '../../../shared/channels/link.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Core, createCore } from '../core.ts';
import { createKeyProbe } from '../keys/key-probe.ts';
import { createKeyRing, type KeyRing } from '../keys/key-ring.ts';
import type { StartKeychain } from '../keys/keychain.ts';
import { createProfileKeys, type ProfileKeys } from '../keys/profile-keys.ts';
import type { FetchLike, Logger, SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder, profileFolder } from './data-folder.ts';
import type { EmbeddedService, StartEmbedded } from './embedded-service.ts';
import { type HandoverLog, openHandoverLog, type ShellNotifier } from './handover-log.ts';
import { createLogger, ofProfile } from './logger.ts';
import { createOutlets } from './outlets.ts';
import { type Holder, lockProfile } from './profile-lock.ts';
import { openRelayDoor } from './relay-door.ts';
import { takeKeyFromEnvironment, takePassphraseFromEnvironment } from './secrets.ts';
import { createSettingsStore, type JsonStore, SETTINGS_NAME } from './settings-store.ts';
import { watchForSleep } from './sleep-watch.ts';

/** What a shell brings along. */
export interface HouseParts {
  readonly dataFolder: string;
  /** The profile that is asked for; null for the first enabled one. */
  readonly profile: string | null;
  /** Only the profile that is asked for runs, or this one, which need not be in the settings; what the program is called when another asks. */
  readonly alone?: { readonly program: string; readonly profile: Profile | null };
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  readonly notifier: ShellNotifier;
  readonly startEmbedded: StartEmbedded;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: StartKeychain;
  readonly platform: NodeJS.Platform;
  /** Opens the settings file `SETTINGS_NAME`.json of the folder. */
  readonly openStore: (dataFolder: string) => JsonStore;
  /** Prints one line for the user. */
  readonly say: (line: string) => void;
}

export interface House {
  readonly dataFolder: string;
  /** The profile that the first window shows. */
  readonly shown: string;
  readonly logger: Logger;
  readonly embedded: EmbeddedService | null;
  /** The core of a profile that runs here. */
  core(profile: string): LinkedCore | null;
  /** The same, whole, for a program without windows. */
  monitor(profile: string): Core | null;
  wake: Core['wake'];
  /** The user clicked a notification; the core that told it notes it. */
  clicked(notificationId: string): void;
  /** Stops everything; nothing that was written is lost. */
  close(): Promise<void>;
}

/** Another program has the profile that is asked for. */
export interface Occupied {
  readonly dataFolder: string;
  readonly shown: string;
  readonly holder: Holder | null;
}

interface Resident {
  readonly profile: Profile;
  readonly folder: string;
}

/** @throws UsageError where folder or profile cannot be had */
export async function openHouse(parts: HouseParts): Promise<{ readonly house: House } | { readonly occupied: Occupied }> {
  const dataFolder = openDataFolder(parts.dataFolder);
  const key = takeKeyFromEnvironment(parts.environment);
  const passphrase = takePassphraseFromEnvironment(parts.environment);
  const logger = createLogger(dataFolder, parts.say);
  const settings = createSettingsStore(
    join(dataFolder, `${SETTINGS_NAME}.json`),
    () => parts.openStore(dataFolder),
    (line) => logger.warn({}, line),
  );
  const { alone } = parts;
  const enabled = settings.read().profiles.filter((profile) => profile.enabled);
  const shown = alone?.profile ?? choose(enabled, parts.profile);

  const locks = new Map<string, Cancel>();
  const residents: Resident[] = [];
  for (const profile of [shown, ...(alone === undefined ? enabled.filter((other) => other !== shown) : [])]) {
    const folder = profileFolder(dataFolder, profile.name);
    const lock = lockProfile(folder, alone?.program ?? 'the app');
    if (lock.held) {
      locks.set(profile.name, lock.release);
      residents.push({ profile, folder });
    } else if (profile === shown) {
      logger.close();
      return { occupied: { dataFolder, shown: shown.name, holder: lock.holder } };
    } else {
      logger.warn({}, `The profile ${profile.name} is watched by another program (${nameOf(lock.holder)}).`);
    }
  }

  const ring = createKeyRing({ ...parts, dataFolder, settings });
  if (key !== null && shown.baseUrl === null)
    logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);
  const keys = new Map<string, ProfileKeys>();
  for (const { profile } of residents)
    if (profile.baseUrl !== null) {
      const probe = createKeyProbe(profile, parts.fetch, parts.clock);
      keys.set(profile.name, createProfileKeys({ ...parts, profile, ring, settings, runKey: profile === shown ? key : null, probe }));
    }
  await openVault(ring, residents, passphrase, logger);
  await loadKeys(keys, parts.clock, logger);

  const handovers = openHandoverLog(dataFolder, parts.clock);
  const cores = new Map<string, { core: Core; linked: LinkedCore }>();
  let embedded: EmbeddedService | null = null;
  const close = async (): Promise<void> => {
    stopWatching();
    const stopped = await Promise.allSettled([...cores.values()].map(({ core }) => core.stop()));
    for (const outcome of stopped) if (outcome.status === 'rejected') logger.error({}, `A core did not stop: ${messageOf(outcome.reason)}`);
    await embedded?.close();
    await handovers.close();
    for (const release of locks.values()) release();
    logger.close();
  };
  const wake: Core['wake'] = (reason) => {
    for (const { core } of cores.values()) core.wake(reason);
  };
  const stopWatching = watchForSleep(parts.clock, () => wake('clock'));

  try {
    const host = residents.find(({ profile }) => profile.baseUrl === null);
    if (host !== undefined)
      embedded = await parts.startEmbedded({ db: join(host.folder, 'service.sqlite'), say: (line) => logger.warn({}, line) });
    for (const resident of residents) {
      const { name } = resident.profile;
      try {
        const made = makeCore(resident, { parts, settings, ring, keys, handovers, logger, embedded });
        cores.set(name, made);
        await made.core.start();
      } catch (thrown) {
        // What one profile lacks does not blind the others; the one that is asked for must be there.
        if (resident.profile === shown) throw thrown;
        logger.error({}, `The profile ${name} is not watched: ${messageOf(thrown)}`);
      }
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    house: {
      dataFolder,
      shown: shown.name,
      logger,
      embedded,
      core: (profile) => cores.get(profile)?.linked ?? null,
      monitor: (profile) => cores.get(profile)?.core ?? null,
      wake,
      clicked(id) {
        // An id that a core did not give away says nothing to it.
        for (const { linked } of cores.values()) void linked.dispatch('alerts.clicked', { notification_id: id });
      },
      close,
    },
  };
}

function choose(enabled: readonly Profile[], asked: string | null): Profile {
  const [first] = enabled;
  if (first === undefined) throw new UsageError('No profile is enabled. Add one: npm run barograph -- profiles add NAME --env sandbox');
  if (asked === null) return first;
  const found = enabled.find(({ name }) => name === asked);
  if (found !== undefined) return found;
  throw new UsageError(`--profile ${asked}: there is no such profile. There is ${enabled.map(({ name }) => name).join(', ')}.`);
}

interface Surroundings {
  readonly parts: HouseParts;
  readonly settings: SettingsStore;
  readonly ring: KeyRing;
  readonly keys: ReadonlyMap<string, ProfileKeys>;
  readonly handovers: HandoverLog;
  readonly logger: Logger;
  readonly embedded: EmbeddedService | null;
}

function makeCore({ profile, folder }: Resident, { parts, settings, ring, handovers, embedded, ...around }: Surroundings) {
  const logger = ofProfile(around.logger, profile.name);
  const keys = around.keys.get(profile.name);
  const core = createCore({
    ports: {
      clock: parts.clock,
      random: parts.random,
      fetch: parts.fetch,
      vault: ring.vaultOf(profile.name),
      notifier: handovers.notifierOf(profile.name, parts.notifier),
      outlets: createOutlets(parts.fetch, parts.clock),
      logger,
      settings,
      folder,
      relay: openRelayDoor(parts.clock),
    },
    profile,
    ...serviceOf(profile, embedded),
    ...(keys === undefined ? {} : { keys }),
  });
  const dispatch = createDispatch(channels, core.handlers, (name, thrown) =>
    logger.error({ name }, `${name} failed: ${messageOf(thrown)}`),
  );
  return { core, linked: { dispatch, attach: (link) => core.attach(link) } satisfies LinkedCore };
}

/** Where the profile listens, and what that is called for people. */
function serviceOf(profile: Profile, embedded: EmbeddedService | null) {
  if (profile.baseUrl !== null) return { service: { baseUrl: profile.baseUrl, key: null }, label: new URL(profile.baseUrl).host };
  if (embedded === null) throw new Error(`${profile.name}: the service inside the app is not running`);
  return { service: { baseUrl: embedded.url, key: embedded.key }, label: `Simulated market · seed ${embedded.seed}` };
}

/** Opens the passphrase vault where a profile keeps its key in it. A wrong passphrase is said; the window can still open it. */
async function openVault(ring: KeyRing, residents: readonly Resident[], passphrase: string | null, logger: Logger): Promise<void> {
  if (passphrase === null || !residents.some(({ profile }) => ring.tierOf(profile.name) === 'passphrase')) return;
  try {
    await ring.passphrase.unlock(passphrase);
  } catch (thrown) {
    logger.warn({}, `BAROGRAPH_PASSPHRASE: ${messageOf(thrown)}`);
  }
}

/** A keychain that works answers in a blink. The app does not wait for one that does not: its profile says so and begins later. */
const KEYS_QUICK = 1_500;

function loadKeys(keys: ReadonlyMap<string, ProfileKeys>, clock: Clock, logger: Logger): Promise<void> {
  const loaded = [...keys].map(async ([name, one]) => {
    await one.load();
    const { standing, words, rotation_due } = one.state();
    if (rotation_due || standing === 'failed' || standing === 'locked') ofProfile(logger, name).warn({}, words);
  });
  return new Promise((resolve) => {
    const cancel = clock.after(KEYS_QUICK, resolve);
    const settle = (): void => {
      cancel();
      resolve();
    };
    Promise.all(loaded).then(settle, settle);
  });
}

export const nameOf = (holder: Holder | null): string => (holder === null ? 'unknown' : `${holder.program}, process ${holder.pid}`);
