// Main, core: everything that runs behind the windows of one data folder, put together: a core per enabled profile, the embedded
// service where one needs it, settings, log, notifications. A shell opens a house and hangs its windows on it.
import { join } from 'node:path';
import { channels } from '../../../shared/channels/channels.ts';
import { createDispatch } from '../../../shared/channels/ends.ts';
import type { LinkedCore } from '../../../shared/channels/link.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Core, createCore } from '../core.ts';
import type { FetchLike, KeyVault, Logger, SettingsStore } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import { UsageError } from './command-line.ts';
import { openDataFolder, profileFolder } from './data-folder.ts';
import type { EmbeddedService, StartEmbedded } from './embedded-service.ts';
import { type HandoverLog, openHandoverLog, type ShellNotifier } from './handover-log.ts';
import { createLogger, ofProfile } from './logger.ts';
import { type Holder, lockProfile } from './profile-lock.ts';
import { API_KEY_ACCOUNT, createSessionVault, takeKeyFromEnvironment } from './secrets.ts';
import { createSettingsStore, type JsonStore, SETTINGS_NAME } from './settings-store.ts';
import { watchForSleep } from './sleep-watch.ts';

/** What a shell brings along. */
export interface HouseParts {
  readonly dataFolder: string;
  /** The profile that is asked for; null for the first enabled one. */
  readonly profile: string | null;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: FetchLike;
  readonly notifier: ShellNotifier;
  readonly startEmbedded: StartEmbedded;
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
  wake: Core['wake'];
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
  const logger = createLogger(dataFolder, parts.say);
  const settings = createSettingsStore(
    join(dataFolder, `${SETTINGS_NAME}.json`),
    () => parts.openStore(dataFolder),
    (line) => logger.warn({}, line),
  );
  const enabled = settings.read().profiles.filter((profile) => profile.enabled);
  const shown = choose(enabled, parts.profile);

  const locks = new Map<string, Cancel>();
  const residents: Resident[] = [];
  for (const profile of [shown, ...enabled.filter((other) => other !== shown)]) {
    const folder = profileFolder(dataFolder, profile.name);
    const lock = lockProfile(folder, 'the app');
    if (lock.held) {
      locks.set(profile.name, lock.release);
      residents.push({ profile, folder });
    } else if (profile === shown) {
      return { occupied: { dataFolder, shown: shown.name, holder: lock.holder } };
    } else {
      logger.warn({}, `The profile ${profile.name} is watched by another program (${nameOf(lock.holder)}).`);
    }
  }

  const vault = createSessionVault();
  if (key !== null && shown.baseUrl !== null) await vault.setPassword(shown.name, API_KEY_ACCOUNT, key);
  else if (key !== null) logger.warn({}, `BAROGRAPH_KEY is not used: the service inside the app has a key of its own.`);

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
        const made = await makeCore(resident, { parts, settings, vault, handovers, logger, embedded });
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
      wake,
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
  readonly vault: KeyVault;
  readonly handovers: HandoverLog;
  readonly logger: Logger;
  readonly embedded: EmbeddedService | null;
}

async function makeCore({ profile, folder }: Resident, { parts, settings, vault, handovers, embedded, ...around }: Surroundings) {
  const logger = ofProfile(around.logger, profile.name);
  const service = await serviceOf(profile, embedded, vault);
  const core = createCore({
    ports: {
      clock: parts.clock,
      random: parts.random,
      fetch: parts.fetch,
      vault,
      notifier: handovers.notifierOf(profile.name, parts.notifier),
      logger,
      settings,
      folder,
    },
    profile,
    ...service,
  });
  const dispatch = createDispatch(channels, core.handlers, (name, thrown) =>
    logger.error({ name }, `${name} failed: ${messageOf(thrown)}`),
  );
  return { core, linked: { dispatch, attach: (link) => core.attach(link) } satisfies LinkedCore };
}

/** Where the profile listens, with which key, and what that is called for people. */
async function serviceOf(profile: Profile, embedded: EmbeddedService | null, vault: KeyVault) {
  if (profile.baseUrl === null) {
    if (embedded === null) throw new Error(`${profile.name}: the service inside the app is not running`);
    return { service: { baseUrl: embedded.url, key: embedded.key }, label: `Simulated market · seed ${embedded.seed}` };
  }
  const key = await vault.getPassword(profile.name, API_KEY_ACCOUNT);
  const { host } = new URL(profile.baseUrl);
  return { service: { baseUrl: profile.baseUrl, key }, label: `${host} · ${key === null ? 'no key' : `key …${key.slice(-4)}`}` };
}

export const nameOf = (holder: Holder | null): string => (holder === null ? 'unknown' : `${holder.program}, process ${holder.pid}`);
